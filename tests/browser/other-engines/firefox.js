/** Firefox ESR, by WebDriver BiDi. */
import puppeteer from 'puppeteer-core'
import { onPath } from '../../../cpp/toolchain/index.js'

/** @import { KeyInput } from 'puppeteer-core' */
/** @import { Driver, Scheme } from './driver.js' */

/**
 * @param {object} [options]
 * @param {Scheme} [options.scheme] the system's colours
 * @param {boolean} [options.inBackground] the page's window is not the one that the keyboard is in
 * @returns {Promise<Driver>}
 */
export async function startFirefox({ scheme = 'light', inBackground = false } = {}) {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: onPath('firefox-esr'),
    headless: true,
    extraPrefsFirefox: {
      'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
      // Here the cube's place without WebGL is tested, whatever the machine has.
      'webgl.disabled': true,
    },
    defaultViewport: { width: 1000, height: 900 },
  })
  // The page that is there at first has no focus, whatever is clicked on.
  const page = inBackground ? (await browser.pages())[0] : await browser.newPage()
  /** @type {string[]} */
  const faults = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  return {
    async open(address) {
      await page.goto(address, { timeout: 60_000 })
    },
    run: (code) => page.evaluate(code),
    async click(element) {
      const node = (await page.evaluateHandle(element)).asElement()
      if (!node) throw new Error(`nothing to click on: ${element}`)
      await /** @type {import('puppeteer-core').ElementHandle<Element>} */ (node).click()
    },
    async press(key, modifier) {
      if (modifier) await page.keyboard.down(modifier)
      await page.keyboard.press(/** @type {KeyInput} */ (key))
      if (modifier) await page.keyboard.up(modifier)
    },
    faults: () => faults.splice(0),
    close: () => browser.close(),
  }
}

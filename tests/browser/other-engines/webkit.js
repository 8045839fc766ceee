/** WebKitGTK in its MiniBrowser, by WebDriver, on a display of its own. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { Builder, Capabilities, Key } from 'selenium-webdriver'

/** @import { Driver, Scheme } from './driver.js' */

/** Until a program that was started answers, ms. */
const PATIENCE = 30_000

/** By the names that events have. @type {Record<string, string>} */
const KEYS = {
  ...{ ArrowLeft: Key.ARROW_LEFT, ArrowRight: Key.ARROW_RIGHT },
  ...{ ArrowUp: Key.ARROW_UP, ArrowDown: Key.ARROW_DOWN },
  ...{ Enter: Key.ENTER, Escape: Key.ESCAPE, Home: Key.HOME, Control: Key.CONTROL },
}

/**
 * @param {{ scheme?: Scheme }} [options] the system's colours
 * @returns {Promise<Driver>}
 */
export async function startWebKit({ scheme = 'light' } = {}) {
  const screen = spawn(
    'Xvfb',
    ['-displayfd', '1', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  /** @type {import('node:child_process').ChildProcess | null} */
  let service = null
  const stop = () => {
    service?.kill()
    screen.kill()
  }
  try {
    const display = await firstLine(screen)
    const port = await freePort()
    service = spawn('WebKitWebDriver', [`--port=${port}`], {
      stdio: 'ignore',
      env: {
        ...process.env,
        DISPLAY: `:${display}`,
        GTK_THEME: scheme === 'dark' ? 'Adwaita:dark' : 'Adwaita',
      },
    })
    const address = `http://127.0.0.1:${port}`
    await answers(`${address}/status`)
    const browser = await new Builder()
      .usingServer(address)
      .withCapabilities(
        new Capabilities({
          browserName: 'MiniBrowser',
          'webkitgtk:browserOptions': { binary: findMiniBrowser(), args: ['--automation'] },
        }),
      )
      .build()
    await browser.manage().setTimeouts({ script: 60_000, pageLoad: 60_000 })
    await browser.manage().window().setRect({ x: 0, y: 0, width: 1000, height: 900 })
    return {
      open: (address) => browser.get(address),
      run: (code) => browser.executeScript(`return ${code}`),
      async click(element) {
        /** @type {import('selenium-webdriver').WebElement} */
        const node = await browser.executeScript(`return ${element}`)
        await node.click()
      },
      async press(key, modifier) {
        const actions = browser.actions()
        if (modifier) actions.keyDown(KEYS[modifier])
        actions.sendKeys(KEYS[key] ?? key)
        if (modifier) actions.keyUp(KEYS[modifier])
        await actions.perform()
      },
      // Its protocol tells nothing of a page's console.
      faults: () => [],
      async close() {
        await browser.quit()
        stop()
      },
    }
  } catch (error) {
    stop()
    throw error
  }
}

/** Debian has it in a folder of its API's version, below one of the machine's kind. */
function findMiniBrowser() {
  const libraries = '/usr/lib'
  const found = readdirSync(libraries)
    .flatMap((folder) =>
      ['4.1', '6.0', '4.0'].map((api) => `${libraries}/${folder}/webkit2gtk-${api}/MiniBrowser`),
    )
    .find((file) => existsSync(file))
  if (!found) throw new Error('There is no MiniBrowser; it comes with WebKitGTK’s library.')
  return found
}

/**
 * @param {import('node:child_process').ChildProcess} program
 * @returns {Promise<string>}
 */
function firstLine(program) {
  return new Promise((done, failed) => {
    program.once('error', failed)
    program.once('exit', (code) => failed(new Error(`Xvfb ended with ${code}`)))
    program.stdout?.once('data', (text) => done(String(text).trim()))
  })
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((done, failed) => {
    const server = createServer().once('error', failed)
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
      server.close(() => done(port))
    })
  })
}

/** Waits until a server answers. @param {string} address */
async function answers(address) {
  const end = performance.now() + PATIENCE
  for (;;) {
    try {
      await fetch(address)
      return
    } catch (error) {
      if (performance.now() > end) throw error
      await new Promise((done) => setTimeout(done, 50))
    }
  }
}

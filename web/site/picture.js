import { chromium } from '@playwright/test'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import config from '../../tests/browser/playwright.config.js'
import { createStaticServer, listen } from './serve.js'

/**
 * `node web/site/picture.js` takes the README's picture anew from the built site: the worked example with four
 * heads, on a light page, as a reader with a window of 1280 px sees it.
 */

const project = fileURLToPath(new URL('../..', import.meta.url))
const server = createStaticServer(join(project, 'build/site'))
const port = await listen(server, 0)
const browser = await chromium.launch(config.use?.launchOptions)
const page = await browser.newPage({
  viewport: { width: 1280, height: 1200 },
  deviceScaleFactor: 1.5,
  colorScheme: 'light',
})
await page.goto(`http://127.0.0.1:${port}/lessons/multi-head-attention/`)
await page.waitForFunction(
  () => /** @type {any} */ (document.querySelector('multi-head-example'))?.exhibit?.isReady,
)
const figure = page.locator('figure:has(multi-head-example)')
await figure.scrollIntoViewIfNeeded()
await page.waitForTimeout(1000)
await figure.screenshot({ path: join(project, 'web/site/images/lesson.png') })
await browser.close()
server.close()
server.closeAllConnections()

/**
 * One line of HTML in a page of another's: no bundler, no import map, another origin.
 */
import { createServer } from 'node:http'
import { expect, test } from '@playwright/test'
import { listen } from '../../web/site/serve.js'

/** @import { Page } from '@playwright/test' */

/** @type {import('node:http').Server | undefined} */
let server

test.afterEach(() => server?.close())

/**
 * A course page on a server of its own: another port is another origin.
 * @param {Page} page
 * @param {string} baseURL of the built site
 * @param {string} body
 * @param {Record<string, string>} [headers]
 */
async function course(page, baseURL, body, headers = {}) {
  /** @type {string[]} */
  const faults = []
  /** @type {string[]} */
  const loaded = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(
      `<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,">
<script type="module" src="${baseURL}attention-lab/attention-lab.js"></script>
${body}`,
    ),
  )
  await page.goto(`http://localhost:${await listen(server, 0)}/course/week-3.html`)
  return { faults, loaded }
}

test('A cube stands in a page of another origin', async ({ page, baseURL }) => {
  const { faults } = await course(
    page,
    String(baseURL),
    `<attention-cube tokens="left right" attention="[[[0.7, 0.3], [0.2, 0.8]], [[0.5, 0.5], [0.9, 0.1]]]"></attention-cube>`,
  )
  await expect(page.locator('attention-cube').getByRole('button', { name: 'head 2' })).toBeVisible()
  await expect(page.locator('attention-cube').getByRole('gridcell').first()).toContainText('0.7')
  expect(faults).toEqual([])
})

test('An exhibit computes in a page of another origin, in a worker or without one', async ({
  page,
  baseURL,
}) => {
  const { faults } = await course(
    page,
    String(baseURL),
    `<multi-head-example num-heads="8"></multi-head-example>
     <dot-product-variance trials="1000"></dot-product-variance>`,
  )
  await expect(page.locator('multi-head-example .measures tbody tr')).toHaveCount(8)
  await expect
    .poll(() =>
      page
        .locator('dot-product-variance')
        .evaluate((node) => /** @type {any} */ (node).exhibit?.result?.isRunning),
    )
    .toBe(false)
  expect(faults).toEqual([])
})

test('Only the code of the elements used is loaded', async ({ page, baseURL }) => {
  const names = (/** @type {string[]} */ loaded) =>
    loaded
      .filter((path) => path.includes('/attention-lab/'))
      .map((path) => path.replace(/-[\w-]{8}\./, '.'))
  const { loaded } = await course(
    page,
    String(baseURL),
    `<attention-heatmap attention="[[0.5, 0.5]]"></attention-heatmap>`,
  )
  await expect(page.locator('attention-heatmap').getByRole('gridcell').first()).toBeAttached()
  const heatmap = names(loaded)
  expect(heatmap.filter((path) => path.endsWith('.wasm'))).toEqual([])
  expect(
    heatmap.filter((path) => /three|cube|chart|plot|exhibit\.|worker|zip|picture/.test(path)),
  ).toEqual([])
  // The element and what it draws with: not one file for each element there is.
  expect(heatmap.length).toBeLessThan(20)
})

for (const [what, policy] of [
  [
    'that allows the origin alone',
    (/** @type {string} */ origin) =>
      `default-src 'self' ${origin}; script-src 'self' 'wasm-unsafe-eval' ${origin}`,
  ],
]) {
  test(`It works under a policy ${what}`, async ({ page, baseURL }) => {
    const { origin } = new URL(String(baseURL))
    const { faults } = await course(
      page,
      String(baseURL),
      `<multi-head-example></multi-head-example>`,
      {
        'content-security-policy': `${/** @type {(origin: string) => string} */ (policy)(origin)}; img-src data:`,
      },
    )
    await expect(page.locator('multi-head-example .measures tbody tr')).toHaveCount(4)
    expect(faults).toEqual([])
  })
}

test('A page in which everything is restyled does not take a figure apart', async ({
  page,
  baseURL,
}) => {
  await course(
    page,
    String(baseURL),
    `<style>* { all: unset; font-size: 40px !important; } p { display: none }</style>
     <multi-head-example num-heads="2"></multi-head-example>`,
  )
  const figure = page.locator('multi-head-example')
  await expect(figure.locator('.measures tbody tr')).toHaveCount(2)
  const { width, height } = /** @type {{ width: number, height: number }} */ (
    await figure.boundingBox()
  )
  expect(width).toBeGreaterThan(600)
  expect(height).toBeGreaterThan(400)
})

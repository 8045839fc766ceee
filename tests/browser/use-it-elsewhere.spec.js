/**
 * The snippets of the page 'Use it elsewhere', each as it is written there, on a page beside the package's files. Those
 * for projects and notebooks are tested where projects and notebooks are.
 */
import { accessibilityFaults, expect, test } from './site-page.js'
import { npyBytes } from '../../web/data/index.js'

/** @import { Page } from '@playwright/test' */

const address = 'use-it-elsewhere/'

/** @param {Page} page @returns {Promise<Record<string, string>>} by name */
async function snippets(page) {
  await page.goto(address)
  return page
    .locator('pre[data-snippet]')
    .evaluateAll((blocks) =>
      Object.fromEntries(
        blocks.map((block) => [block.getAttribute('data-snippet'), block.textContent]),
      ),
    )
}

/** @param {Page} page @param {string} code */
async function course(page, code) {
  await page.route('**/site/course.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,">${code}</html>`,
    }),
  )
  await page.goto('course.html')
}

test('One line shows a figure', async ({ page }) => {
  await course(page, (await snippets(page)).element)
  await expect(page.locator('multi-head-example .measures tbody tr')).toHaveCount(8)
})

test('A cube of own weights comes from a file', async ({ page }) => {
  const weights = Float32Array.from({ length: 18 }, (_, index) => (index % 3 === 0 ? 0.5 : 0.25))
  await page.route('**/weights.npy', (route) =>
    route.fulfill({
      contentType: 'application/octet-stream',
      body: Buffer.from(npyBytes({ data: weights, shape: [2, 3, 3] })),
    }),
  )
  await course(page, (await snippets(page)).cube)
  const cube = page.locator('attention-cube')
  await expect(cube.getByRole('button', { name: 'head 2' })).toBeVisible()
  await cube.getByRole('gridcell').focus()
  await expect(cube.getByRole('gridcell')).toHaveText('head 1, query 1 “the”, key 1 “the”: 0.5')
})

test('A teacher’s figure has what he leaves of it', async ({ page }) => {
  await course(page, (await snippets(page)).teacher)
  const figure = page.locator('multi-head-example')
  await expect(figure.locator('.measures tbody tr')).toHaveCount(2)
  await expect(figure.getByRole('radio', { name: '8' })).toBeDisabled()
  await expect(figure.getByRole('button', { name: 'Reset' })).toBeHidden()
})

test('A frame shows the figure as it is set, as high as it is', async ({ page }) => {
  const { frame, height } = await snippets(page)
  await course(page, frame + height)
  const inside = page.frameLocator('iframe')
  await expect(inside.getByRole('radio', { name: 'window' })).toBeChecked()
  await expect(inside.locator('mask-editor .mask')).toBeVisible()
  await expect
    .poll(() =>
      page.evaluate(() => {
        const frame = document.querySelector('iframe')
        const root = frame?.contentDocument?.documentElement
        return root && frame.clientHeight - root.scrollHeight
      }),
    )
    .toBe(0)
})

test('An import map is enough', async ({ page }) => {
  await course(page, (await snippets(page))['import-map'])
  await expect(page.getByRole('gridcell').first()).toBeAttached()
})

test('Data are read from a file as it is written there', async ({ page }) => {
  const { data } = await snippets(page)
  await page.route('**/weights.npy', (route) =>
    route.fulfill({
      contentType: 'application/octet-stream',
      body: Buffer.from(npyBytes({ data: Float32Array.of(0.25, 0.75), shape: [1, 2] })),
    }),
  )
  const imports = { imports: { 'attention-lab/data': './attention-lab/data.js' } }
  await course(
    page,
    `<script type="importmap">${JSON.stringify(imports)}</script>
     <script type="module">${data}\nwindow.weights = weights</script>`,
  )
  await expect
    .poll(() => page.evaluate(() => /** @type {any} */ (globalThis).weights?.shape))
    .toEqual([1, 2])
  expect(await page.evaluate(() => [.../** @type {any} */ (globalThis).weights.data])).toEqual([
    0.25, 0.75,
  ])
})

test('The policy that is written there is the site’s own', async ({ page }) => {
  const { policy } = await snippets(page)
  const own = await page.locator('meta[http-equiv]').getAttribute('content')
  expect(policy.trim()).toBe(`Content-Security-Policy: ${own}`)
})

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`Axe finds nothing on the page, ${colorScheme}, nor is anything wider than a phone`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 320, height: 700 })
    await page.goto(address)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await accessibilityFaults(page)).toEqual([])
  })
}

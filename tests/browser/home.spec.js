import { accessibilityFaults, choose, expect, figuresReady, test } from './site-page.js'

test('The home page says what this is, and for whom', async ({ page }) => {
  await page.goto('./')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/attention/i)
  for (const way of ['Read', 'Embed', 'Import']) {
    await expect(page.getByRole('heading', { level: 3, name: way })).toBeVisible()
  }
})

test('Its cube is alive: another number of heads makes other planes', async ({ page }) => {
  await page.goto('./')
  await figuresReady(page)
  const example = page.locator('multi-head-example')
  await expect(example.getByRole('button', { name: 'head 4' })).toBeVisible()
  await choose(page, 'multi-head-example', 'heads', 8)
  await expect(example.getByRole('button', { name: 'head 8' })).toBeVisible()
})

test('Without JavaScript all of its text is there', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(String(baseURL))
  await expect(page.getByRole('link', { name: 'Read the first lesson' })).toBeVisible()
  await expect(page.getByText('Here stands a cube')).toBeVisible()
  await expect(page.locator('.theme-switch')).toBeHidden()
  await context.close()
})

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`Axe finds nothing to object to, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.goto('./')
    await figuresReady(page)
    expect(await accessibilityFaults(page)).toEqual([])
  })
}

test('Nothing is wider than the page, from 320 px up', async ({ page }) => {
  await page.goto('./')
  await figuresReady(page)
  for (const width of [320, 360, 768]) {
    await page.setViewportSize({ width, height: 740 })
    // The cube takes its new width in the frame after.
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})

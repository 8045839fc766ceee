import { accessibilityFaults, expect, figuresReady, lesson, test } from './site-page.js'

const figures = {
  'attention-row': 'Here the page computes one row',
  'column-blocks': 'Here the page shows X',
  'bilinear-form': 'Here the page computes one logit',
  'multi-head-example': 'Here the page computes the attention of every head',
  'feature-mixing': 'Here the page compares the output',
  'permutation-equivariance': 'Here you shuffle the tokens',
}

test('Without JavaScript the lesson reads: headings, formulas, and a sentence for each figure', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(String(baseURL) + lesson)
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(9)
  const formulas = page.locator('.formula math')
  expect(await formulas.count()).toBeGreaterThan(10)
  for (const formula of await formulas.all()) {
    if (await formula.isVisible()) expect((await formula.boundingBox())?.height).toBeGreaterThan(15)
  }
  for (const sentence of Object.values(figures)) {
    await expect(page.getByText(sentence)).toBeVisible()
  }
  await context.close()
})

test('Each section has a claim, a formula or a figure, and something to try', async ({ page }) => {
  await page.goto(lesson)
  await expect(page.locator('.claim')).toHaveCount(7)
  await expect(page.locator('.try')).toHaveCount(7)
  await expect(page.locator('article > figure')).toHaveCount(7)
})

test('With JavaScript a figure stands in place of each sentence', async ({ page }) => {
  await page.goto(lesson)
  await figuresReady(page)
  for (const sentence of Object.values(figures)) {
    await expect(page.getByText(sentence)).toBeHidden()
  }
})

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`Axe finds nothing to object to, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.goto(lesson)
    await figuresReady(page)
    expect(await accessibilityFaults(page)).toEqual([])
  })
}

test('Nothing is wider than the page or its column, from 320 px up', async ({ page }) => {
  await page.goto(lesson)
  await figuresReady(page)
  for (const width of [320, 360, 768]) {
    await page.setViewportSize({ width, height: 740 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.formula, article > figure, pre')]
        .filter((part) => part.scrollWidth > part.clientWidth + 1)
        .map((part) => part.textContent),
    )
    expect(cut).toEqual([])
  }
})

test('A chosen theme is kept, and shown before the first paint', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(lesson)
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await ground()
  await page.getByRole('button', { name: 'Dark theme' }).click()
  const dark = await ground()
  expect(dark).not.toBe(light)

  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return
      Object.assign(globalThis, { themeAtBody: document.documentElement.dataset.theme })
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  })
  await page.reload()
  expect(await page.evaluate(() => Reflect.get(globalThis, 'themeAtBody'))).toBe('dark')
  expect(await ground()).toBe(dark)

  // Going back to what the system says follows the system again.
  await page.getByRole('button', { name: 'Light theme' }).click()
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await ground()).toBe(dark)
})

test('The keyboard reaches every control, and the skip link comes first', async ({ page }) => {
  await page.goto(lesson)
  await figuresReady(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the text' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()

  const example = page.locator('multi-head-example')
  await example.locator('input[name="heads"]:checked').focus()
  await page.keyboard.press('ArrowRight')
  await expect(example.locator('tbody tr')).toHaveCount(8)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(example.locator('tbody tr')).toHaveCount(2)
})

test('Where WebAssembly cannot be had each figure says so in words', async ({ page, faults }) => {
  await page.route('**/*.wasm', (route) => route.abort())
  await page.goto(lesson)
  for (const name of Object.keys(figures)) {
    await expect(page.locator(name).getByRole('alert')).toContainText('could not be computed')
  }
  await expect(page.getByRole('heading', { name: 'Shuffle the tokens' })).toBeVisible()
  expect(faults.length).toBeGreaterThan(0)
  faults.length = 0
})

import { testLessonPage } from './lesson-page.js'
import { expect, figuresReady, lesson, test } from './site-page.js'

const figures = {
  'attention-row': 'Here the page computes one row',
  'column-blocks': 'Here the page shows X',
  'bilinear-form': 'Here the page computes one logit',
  'multi-head-example': 'Here the page computes the attention of every head',
  'feature-mixing': 'Here the page compares the output',
  'permutation-equivariance': 'Here you shuffle the tokens',
}

testLessonPage({
  path: lesson,
  figures,
  counts: { headings: 9, claims: 7, tries: 7, figures: 7 },
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

test('Formulas are set as in print: aligned at their signs, with norms that stand on the line', async ({
  page,
}) => {
  await page.goto(lesson)
  const ends = await page
    .locator('.formula mtable.aligned')
    .last()
    .evaluate((table) =>
      [...table.querySelectorAll(':scope > mtr > mtd:first-child')].map((cell) => {
        const content = cell.querySelector('msub')
        return Math.round(/** @type {Element} */ (content).getBoundingClientRect().right)
      }),
    )
  expect(ends).toHaveLength(2)
  expect(ends[0]).toBe(ends[1])
  const fences = await page.evaluate(() =>
    [...document.querySelectorAll('math')]
      .filter((math) => math.textContent?.includes('‖'))
      .map((math) =>
        [...math.querySelectorAll('mo')]
          .filter((sign) => sign.textContent === '‖')
          .map((sign) => Math.round(sign.getBoundingClientRect().bottom)),
      ),
  )
  expect(fences.length).toBeGreaterThan(0)
  for (const [left, right] of fences) expect(Math.abs(left - right)).toBeLessThanOrEqual(1)
})

test('On paper figures fit the page, without controls, and the page is light', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(lesson)
  await figuresReady(page)
  await page.getByRole('button', { name: 'Light theme' }).click()
  await page.getByRole('button', { name: 'Dark theme' }).click()
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  // A sheet of A4 between its margins.
  await page.setViewportSize({ width: 672, height: 980 })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(672)
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(page.locator('multi-head-example .controls')).toBeHidden()
  await expect(page.locator('multi-head-example .exhibit')).toHaveCSS('color', 'rgb(31, 27, 38)')
  for (const name of Object.keys(figures)) {
    const [figure, plate] = await Promise.all([
      page.locator(name).boundingBox(),
      page.locator(`.plate:has(${name})`).boundingBox(),
    ])
    expect(figure?.width).toBeLessThanOrEqual(plate?.width ?? 0)
  }
})

test('Numbers in a table of numbers do not touch one another', async ({ page }) => {
  await page.goto(lesson)
  await figuresReady(page)
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    for (const name of ['column-blocks', 'feature-mixing', 'permutation-equivariance']) {
      const room = await page
        .locator(`${name} .numbers`)
        .first()
        .evaluate((table) => {
          const range = document.createRange()
          const cells = [...table.querySelectorAll('tbody td')]
          return Math.min(
            ...cells.map((cell) => {
              range.selectNodeContents(cell)
              return cell.getBoundingClientRect().width - range.getBoundingClientRect().width
            }),
          )
        })
      expect(room).toBeGreaterThan(2)
    }
  }
})

/**
 * What holds of every lesson's page: it reads without JavaScript, is accessible, fits every width, and says what is
 * wrong where its figures cannot be computed.
 */
import { accessibilityFaults, expect, figuresReady, test } from './site-page.js'

/**
 * Tests of one lesson.
 *
 * @param {object} options
 * @param {string} options.path of the page, from the site's root
 * @param {Record<string, string>} options.figures each element, and the beginning of the sentence in its place
 * @param {{ headings: number, claims: number, tries: number, figures: number }} options.counts of its parts
 */
export function testLessonPage({ path, figures, counts }) {
  test('Without JavaScript the lesson reads: headings, formulas, and a sentence for each figure', async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(String(baseURL) + path)
    await expect(page.getByRole('heading', { level: 2 })).toHaveCount(counts.headings)
    const formulas = page.locator('.formula math')
    expect(await formulas.count()).toBeGreaterThan(10)
    for (const formula of await formulas.all()) {
      if (await formula.isVisible())
        expect((await formula.boundingBox())?.height).toBeGreaterThan(15)
    }
    for (const sentence of Object.values(figures)) {
      await expect(page.getByText(sentence)).toBeVisible()
    }
    await context.close()
  })

  test('Each section has a claim, a formula or a figure, and something to try', async ({
    page,
  }) => {
    await page.goto(path)
    await expect(page.locator('.claim')).toHaveCount(counts.claims)
    await expect(page.locator('.try')).toHaveCount(counts.tries)
    await expect(page.locator('article > figure')).toHaveCount(counts.figures)
  })

  test('With JavaScript a figure stands in place of each sentence', async ({ page }) => {
    await page.goto(path)
    await figuresReady(page)
    for (const sentence of Object.values(figures)) {
      await expect(page.getByText(sentence)).toBeHidden()
    }
  })

  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`Axe finds nothing to object to, ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      await page.goto(path)
      await figuresReady(page)
      expect(await accessibilityFaults(page)).toEqual([])
    })
  }

  test('Nothing is wider than the page or its column, from 320 px up', async ({ page }) => {
    await page.goto(path)
    await figuresReady(page)
    for (const width of [320, 360, 768]) {
      await page.setViewportSize({ width, height: 740 })
      // Figures follow their containers in a frame to come.
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll('.formula, article > figure, pre')]
          .filter((part) => part.scrollWidth > part.clientWidth + 1)
          .map((part) => part.textContent),
      )
      expect(cut).toEqual([])
    }
  })

  test('Where WebAssembly cannot be had each figure says so in words', async ({ page, faults }) => {
    await page.route('**/*.wasm', (route) => route.abort())
    await page.goto(path)
    for (const name of Object.keys(figures)) {
      await expect(page.locator(name).getByRole('alert')).toContainText('could not be computed')
    }
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    expect(faults.length).toBeGreaterThan(0)
    faults.length = 0
  })

  test.describe('For a finger', () => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } })

    test('whatever can be pressed is 40 px high', async ({ page }) => {
      await page.goto(path)
      await figuresReady(page)
      const small = await page.evaluate(() => {
        /** @type {string[]} */
        const found = []
        const visit = (/** @type {Document | ShadowRoot} */ root) => {
          for (const node of root.querySelectorAll('*')) {
            if (node.shadowRoot) visit(node.shadowRoot)
            const target = node.matches('button, select, summary, .segments label, nav a')
            const box = node.getBoundingClientRect()
            if (target && box.height > 0 && box.height < 40) found.push(node.outerHTML)
          }
        }
        visit(document)
        return found
      })
      expect(small).toEqual([])
    })
  })
}

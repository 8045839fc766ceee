import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from '@playwright/test'
import { contrast, inkOn, toOklab } from '../../../web/views/color.js'
import { colorMap, colorMapNames } from '../../../web/views/color-map.js'
import { golden, kinds, mount, open, settle, withoutWebGL, words } from './support.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const { attention } = golden.heads[4]

/** @param {import('@playwright/test').Page} page @returns {Promise<string[]>} what axe finds */
async function violations(page) {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { violations } = await /** @type {any} */ (window).axe.run()
    return violations.map(
      (/** @type {any} */ { id, nodes }) =>
        `${id}: ${nodes.map((/** @type {any} */ node) => node.html).join('\n')}`,
    )
  })
}

for (const kind of kinds) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    test(`axe finds nothing wrong with ${kind} on a ${colorScheme} page`, async ({ page }) => {
      await page.emulateMedia({ colorScheme })
      await open(page)
      await mount(page, kind, {
        attention,
        tokens: words,
        mask: words.map((_, row) => words.map((_, column) => row !== 3 && column <= row)),
      })
      expect(await violations(page)).toEqual([])
      await page.locator('[role=gridcell][tabindex="0"]').focus()
      await settle(page)
      expect(await violations(page)).toEqual([])
    })
  }
}

test('axe finds nothing wrong with the fallback', async ({ page }) => {
  await withoutWebGL(page)
  await open(page)
  await mount(page, 'AttentionCube', { attention, tokens: words })
  expect(await violations(page)).toEqual([])
})

test('a screen reader finds a named figure with a summary, and a grid of the whole size', async ({
  page,
}) => {
  await open(page)
  await mount(page, 'Heatmap', { attention: golden.heads[1].attention, tokens: words })
  const figure = page.getByRole('figure', { name: 'Attention heatmap' })
  await expect(figure).toHaveAccessibleDescription(
    /^12 queries by 12 keys\. The largest attention weight is 0\.118/,
  )
  const grid = page.getByRole('grid')
  await expect(grid).toHaveAttribute('aria-rowcount', '12')
  await expect(grid).toHaveAttribute('aria-colcount', '12')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('row')).toHaveAttribute('aria-rowindex', '2')
  await expect(page.getByRole('gridcell')).toHaveAttribute('aria-colindex', '2')
})

test('the cell that has focus is framed, and so are the buttons', async ({ page }) => {
  await open(page)
  await mount(page, 'AttentionCube', { attention })
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'all heads' })).toHaveCSS('outline-style', 'solid')
  await page.keyboard.press('Tab')
  await settle(page)
  await expect(page.locator('.stage')).toHaveCSS('box-shadow', /2px/)
})

test('numbers in cells have a contrast of 4.5 on every colour of every map', () => {
  for (const name of colorMapNames) {
    for (const dark of [false, true]) {
      for (const color of colorMap(name, { dark }).colors) {
        expect(contrast(inkOn(color), color)).toBeGreaterThanOrEqual(4.5)
      }
    }
  }
})

test('a sequential map grows steadily darker on paper, and lighter on a dark page', () => {
  for (const name of /** @type {const} */ (['purples', 'blues', 'greens', 'greys'])) {
    const light = colorMap(name).colors.map((color) => contrast(color, [255, 255, 255]))
    const dark = colorMap(name, { dark: true }).colors.map((color) => contrast(color, [0, 0, 0]))
    for (const steps of [light, dark]) {
      steps.slice(1).forEach((step, index) => expect(step).toBeGreaterThan(steps[index] - 0.12))
      expect(steps[255]).toBeGreaterThan(6)
    }
  }
})

test('on a dark page a diverging map is as bright for a value as for its negative', () => {
  const lightness = colorMap('puor', { dark: true }).colors.map((color) => toOklab(color)[0])
  for (let step = 0; step < 128; step++) {
    const [negative, positive] = [lightness[127 - step], lightness[128 + step]]
    expect(Math.abs(negative - positive)).toBeLessThan(0.06)
    if (step > 0) expect(positive).toBeGreaterThan(lightness[127 + step] - 0.01)
  }
  expect(lightness[255]).toBeGreaterThan(0.85)
})

test('where the reader has set colours of their own, the cube has a frame, and focus a thicker one', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await open(page)
  await mount(page, 'AttentionCube', { attention })
  await expect(page.locator('.stage')).toHaveCSS('outline-width', '1px')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.locator('.stage')).toHaveCSS('outline-width', '3px')
})

test.describe('for a finger', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } })

  for (const kind of /** @type {const} */ (['HeadGrid', 'AttentionCube'])) {
    test(`buttons of ${kind} are large enough, and hints speak of fingers`, async ({ page }) => {
      await open(page)
      await mount(page, kind, { attention })
      for (const button of await page.locator('button:visible').all()) {
        const box = await button.boundingBox()
        expect(box?.height).toBeGreaterThanOrEqual(40)
        expect(box?.width).toBeGreaterThanOrEqual(38)
      }
      await expect(page.locator('.hint')).toContainText(/tap a cell/i)
    })
  }
})

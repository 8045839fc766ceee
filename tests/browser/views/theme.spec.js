import { expect, test } from '@playwright/test'
import { barColors, colorAt, golden, kinds, mount, open, settle } from './support.js'

const { attention } = golden.heads[2]
const LIGHT = [252, 251, 253]
const DARK = [22, 21, 27]

test.beforeEach(({ page }) => open(page))

/**
 * The low end of the scale, which is a light page's paper and a dark page's surface.
 *
 * @param {import('@playwright/test').Page} page
 */
async function lowEnd(page) {
  await settle(page)
  return (await barColors(page))[0]
}

for (const kind of kinds) {
  test(`${kind} follows the system, data-theme and color-scheme while they change`, async ({
    page,
  }) => {
    await mount(page, kind, { attention: golden.heads[1].attention, emphasizedHead: 0 })
    expect(await lowEnd(page)).toEqual(LIGHT)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => lowEnd(page)).toEqual(DARK)
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'light'))
    await expect.poll(() => lowEnd(page)).toEqual(LIGHT)
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
    await expect.poll(() => lowEnd(page)).toEqual(DARK)
    await page.evaluate(() => document.documentElement.removeAttribute('data-theme'))
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(() => lowEnd(page)).toEqual(LIGHT)
    await page.evaluate(() => {
      const figure = /** @type {HTMLElement} */ (document.getElementById('figure'))
      figure.style.colorScheme = 'dark'
    })
    await expect.poll(() => lowEnd(page)).toEqual(DARK)
  })
}

test('a theme that only a style sheet changes is followed too', async ({ page }) => {
  await mount(page, 'Heatmap', { attention })
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('main { color-scheme: dark }')
    document.adoptedStyleSheets = [sheet]
  })
  await expect.poll(() => lowEnd(page)).toEqual(DARK)
})

test('a page that is merely dark, without saying so, is taken for dark', async ({ page }) => {
  await page.evaluate(() => {
    document.documentElement.style.colorScheme = 'normal'
    document.body.style.background = '#101014'
  })
  await mount(page, 'Heatmap', { attention })
  expect(await lowEnd(page)).toEqual(DARK)
})

test('data-theme works on a page that has no color-scheme', async ({ page }) => {
  await page.evaluate(() => {
    document.documentElement.style.colorScheme = 'normal'
    document.documentElement.dataset.theme = 'dark'
    document.documentElement.style.colorScheme = 'normal'
  })
  await mount(page, 'Heatmap', { attention })
  expect(await lowEnd(page)).toEqual(DARK)
})

test('the page’s custom properties colour the figure, and the cube’s scene', async ({ page }) => {
  await mount(page, 'AttentionCube', { attention, emphasizedHead: 0 })
  await page.evaluate(() =>
    document.body.style.setProperty('--attention-surface', 'oklch(95% 0.05 90)'),
  )
  await expect
    .poll(() => colorAt(page.locator('canvas.scene'), { x: 3, y: 3 }))
    .not.toEqual([255, 255, 255])
  const scene = await colorAt(page.locator('canvas.scene'), { x: 3, y: 3 })
  await expect(page.locator('.stage')).toHaveCSS('background-color', /oklch/)
  const wanted = await page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d')
    if (!context) return []
    context.fillStyle = 'oklch(95% 0.05 90)'
    context.fillRect(0, 0, 1, 1)
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)]
  })
  expect(scene).toEqual(wanted)
})

test('on paper every view is light, at once, and what is out of sight is drawn too', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await mount(page, 'AttentionCube', { attention, emphasizedHead: 0 })
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
  await expect.poll(() => lowEnd(page)).toEqual(DARK)
  await page.evaluate(() => (document.body.style.paddingTop = '3000px'))
  // The browser tells that the cube is out of sight in one of the next frames.
  for (let frame = 0; frame < 4; frame++) await settle(page)
  const printed = await page.evaluate(() => {
    window.dispatchEvent(new Event('beforeprint'))
    const root = document.querySelector('.attention-view')?.shadowRoot
    return ['canvas.scene', 'canvas.bar'].map((selector) => {
      const canvas = /** @type {HTMLCanvasElement} */ (root?.querySelector(selector))
      return [...(canvas.getContext('2d')?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3)
    })
  })
  expect(printed).toEqual([[255, 255, 255], LIGHT])
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  expect(await lowEnd(page)).toEqual(DARK)
})

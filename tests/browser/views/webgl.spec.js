/**
 * WebGL that fails in other ways than not being there.
 */
import { expect, test } from '@playwright/test'
import { golden, mount, open, settle } from './support.js'

const { attention } = golden.heads[4]

/** How a browser refuses, in the page. @type {Record<string, () => void>} */
const refusals = {
  'an exception': () => {
    const { getContext } = HTMLCanvasElement.prototype
    Object.assign(HTMLCanvasElement.prototype, {
      /** @this {HTMLCanvasElement} @param {string} type @param {object} [options] */
      getContext(type, options) {
        if (type.startsWith('webgl')) throw new Error('blocked')
        return Reflect.apply(getContext, this, [type, options])
      },
    })
  },
  'a context that is lost from the start': () => {
    const { getContext } = HTMLCanvasElement.prototype
    Object.assign(HTMLCanvasElement.prototype, {
      /** @this {HTMLCanvasElement} @param {string} type @param {object} [options] */
      getContext(type, options) {
        const context = /** @type {any} */ (Reflect.apply(getContext, this, [type, options]))
        if (type.startsWith('webgl')) context.getExtension('WEBGL_lose_context').loseContext()
        return context
      },
    })
  },
  'shaders that do not link': () => {
    WebGL2RenderingContext.prototype.linkProgram = () => {}
  },
}

for (const [how, refuse] of Object.entries(refusals)) {
  test(`where WebGL fails by ${how}, heads stand side by side`, async ({ page }) => {
    await page.addInitScript(refuse)
    await open(page)
    await mount(page, 'AttentionCube', { attention })
    await expect(page.getByRole('note')).toContainText('WebGL is not available here')
    await expect(page.locator('canvas.matrix')).toHaveCount(4)
    await expect(page.locator('canvas.scene')).toHaveCount(0)
    await page.evaluate(() => /** @type {any} */ (window).view.update({ emphasizedHead: 1 }))
    await settle(page)
    await expect(page.locator('.panel.chosen button')).toHaveText('head 2')
    // Nothing is kept of what could not be used.
    await page.evaluate(() => /** @type {any} */ (window).view.dispose())
    const kept = await page.evaluate(() => {
      const symbols = Object.getOwnPropertySymbols(globalThis)
      const key = symbols.find(({ description }) => description?.startsWith('attention-lab@'))
      return 'cubeRenderer' in /** @type {any} */ (globalThis)[/** @type {any} */ (key)]
    })
    expect(kept).toBe(false)
  })
}

test('an element whose view could not be made has no remains of it', async ({ page }) => {
  await page.goto('/tests/browser/pages/elements.html')
  await page.evaluate(async () => {
    await import(/** @type {string} */ ('/web/elements/define.js'))
    Object.assign(window, { kept: window.IntersectionObserver })
    Reflect.deleteProperty(window, 'IntersectionObserver')
    const element = document.createElement('attention-cube')
    Object.assign(element, { attention: [[1]] })
    document.getElementById('figure')?.append(element)
  })
  const element = page.locator('attention-cube')
  await expect(element.getByRole('alert')).toContainText('IntersectionObserver')
  await element.evaluate((node) => {
    Object.assign(window, { IntersectionObserver: /** @type {any} */ (window).kept })
    Object.assign(node, { attention: [[0.5]] })
  })
  await expect(element.getByRole('alert')).toHaveCount(0)
  await expect(element.locator('.attention-view')).toHaveCount(1)
})

/**
 * What the specs of attention lines share.
 */
import { settle } from './support.js'

/** @import { Page } from '@playwright/test' */

/**
 * Where the line to a key ends, in the drawing: the keyboard's cursor stands right of it.
 *
 * @param {Page} page
 * @param {number} key
 */
export async function endOf(page, key) {
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Home')
  for (let step = 0; step < key; step++) await page.keyboard.press('ArrowDown')
  await settle(page)
  const cell = await page.locator('[role=gridcell]:focus').boundingBox()
  const canvas = await page.locator('canvas.lines').boundingBox()
  if (!cell || !canvas) throw new Error('no key has focus')
  return { x: cell.x - canvas.x - 4, y: cell.y + cell.height / 2 - canvas.y }
}

/** How opaque the lines' canvas is at a place, 0 to 255. @param {Page} page @param {{ x: number, y: number }} at */
export function inkAt(page, at) {
  return page.locator('canvas.lines').evaluate((node, { x, y }) => {
    const canvas = /** @type {HTMLCanvasElement} */ (node)
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
    return context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data[3]
  }, at)
}

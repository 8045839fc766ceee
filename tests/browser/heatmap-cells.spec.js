/**
 * Heatmaps whose numbers are drawn, not written: every cell is read as a screen reader has it, and compared with the
 * golden figures.
 */
import { expect, figuresReady, golden, test } from './site-page.js'
import { spokenValue } from './views/support.js'

const { coreference } = golden('scaled_dot_product')
const { jacobian_row_it_score_multiplier: jacobian } = golden('extra').scaled_dot_product
const gradients = golden('backward').scaled_dot_product_unmasked
const { specialised_heads: heads, subspaces } = golden('multi_head')
const { logits } = golden('extra').attention_cube.by_heads[4]
const single = golden('attention_cube').heads[1].attention

/** @param {{ data: number[], shape: number[] }} stack @param {number} at @returns {{ data: number[], shape: number[] }} */
function matrixOf({ data, shape: [, rows, columns] }, at) {
  return {
    data: data.slice(at * rows * columns, (at + 1) * rows * columns),
    shape: [rows, columns],
  }
}

/** The smallest of eight angles between two heads, in degrees. */
const angles = {
  shape: [4, 4],
  data: Array.from({ length: 16 }, (_, pair) =>
    Math.min(
      ...subspaces.principal_angles_rad.data
        .slice(8 * pair, 8 * pair + 8)
        .map((/** @type {number} */ angle) => (180 * angle) / Math.PI),
    ),
  ),
}

/** By lesson: what to look for, and what has to be there. @type {Record<string, Record<string, any>>} */
const maps = {
  'scaled-dot-product-attention': {
    'coreference-example .heatmap': coreference.weights,
    'softmax-saturation .jacobian': jacobian[1],
    'attention-gradients .upstream': gradients.grad_output,
    'attention-gradients .attention': gradients.weights,
    'attention-gradients .grad-value': gradients.grad_value,
    'attention-gradients .grad-scores': gradients.grad_scores,
    'attention-gradients .grad-query': gradients.grad_query,
    'attention-gradients .grad-key': gradients.grad_key,
  },
  'subspaces-and-cost': {
    'specialised-heads .map-0': heads.local,
    'specialised-heads .map-1': heads.syntactic,
    'specialised-heads .map-2': heads.global,
    'specialised-heads .map-3': heads.modifier,
    'head-subspaces .cosines': subspaces.frobenius_cosine,
    'head-subspaces .angles': angles,
  },
  'multi-head-attention': {
    'attention-row .heatmap': single,
    'bilinear-form .heatmap': matrixOf(logits, 1),
  },
}

for (const [lesson, wanted] of Object.entries(maps)) {
  test(`Every cell of the heatmaps of ${lesson} is a golden figure`, async ({ page }) => {
    await page.goto(`lessons/${lesson}/`)
    await figuresReady(page)
    for (const [place, { data, shape }] of Object.entries(wanted)) {
      const [rows, columns] = shape
      const largest = Math.max(...data.map(Math.abs))
      const cell = page.locator(`${place} [role=gridcell][tabindex="0"]`)
      await cell.focus()
      await page.keyboard.press('Control+Home')
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          const text = await cell.textContent()
          const value = spokenValue(text)
          const at = `${place}, row ${row + 1}, column ${column + 1}: ${text}`
          // Kernels compute in float32: 16 ε of the largest number, for sums of up to 32 products.
          expect(Math.abs(value - data[row * columns + column]), at).toBeLessThan(
            16 * 2 ** -23 * largest,
          )
          if (column < columns - 1) await page.keyboard.press('ArrowRight')
        }
        await page.keyboard.press('Home')
        await page.keyboard.press('ArrowDown')
      }
    }
  })
}

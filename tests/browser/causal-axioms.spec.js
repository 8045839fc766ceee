import { causal, open } from './causal-page.js'
import { choose, expect, relativeError, reset, resultOf, stateOf, test } from './site-page.js'

/** @import { Page } from '@playwright/test' */

test.beforeEach(open)

test.describe('What always holds', () => {
  const claim = (/** @type {Page} */ page, /** @type {string} */ name) =>
    page.locator(`causal-axioms tr[data-claim="${name}"]`)

  test("starts with the notebook's case and its PyTorch module", async ({ page }) => {
    const { single, module, tensors } = await resultOf(page, 'causal-axioms')
    const { axioms, torch_module: torch } = causal
    expect(relativeError(tensors.single.weights.data, axioms.A.data)).toBeLessThan(1e-6)
    expect(relativeError(tensors.single.output.data, axioms.Y.data)).toBeLessThan(1e-6)
    expect(relativeError(tensors.module.weights.data, torch.weights.data)).toBeLessThan(1e-5)
    expect(relativeError(tensors.module.output.data, torch.out.data)).toBeLessThan(1e-5)
    expect(module.weightsShape).toEqual(torch.weights.shape)
    expect(module.outputShape).toEqual(torch.out.shape)
    for (const { notZero, largestAbove, firstBits, sumError } of [single, module]) {
      expect({ notZero, largestAbove, firstBits }).toEqual({
        ...{ notZero: 0, largestAbove: 0, firstBits: 0 },
      })
      expect(sumError).toBeLessThan(1e-6)
    }
    expect(single.projectedDifference).toBeNull()

    await expect(claim(page, 'shape')).toContainText('2 × 4 × 6 × 6')
    await expect(claim(page, 'above')).toContainText('0 of 28 not 0')
    await expect(claim(page, 'above')).toContainText('0 of 120 not 0')
    await expect(claim(page, 'sums')).toContainText('1.000000 to 1.000000')
    for (const name of ['above', 'sums', 'first']) {
      await expect(claim(page, name).locator('.verdict')).toHaveText('✓ yes')
    }
    await expect(claim(page, 'projected').locator('.verdict')).toHaveText('✗ no')
  })

  test('after W_O the first output is another than the first value: by as much as PyTorch says', async ({
    page,
  }) => {
    const { x, v_proj: projection, out } = causal.torch_module
    // v₁ = W_V x₁ + b_V, from the golden weights.
    const first = (/** @type {number} */ sequence) =>
      projection.bias.data.map((/** @type {number} */ bias, /** @type {number} */ row) =>
        x.data
          .slice(sequence * 192, sequence * 192 + 32)
          .reduce(
            (/** @type {number} */ sum, /** @type {number} */ value, /** @type {number} */ at) =>
              sum + value * projection.weight.data[row * 32 + at],
            bias,
          ),
      )
    const differences = [0, 1].flatMap((sequence) =>
      first(sequence).map((/** @type {number} */ value, /** @type {number} */ at) =>
        Math.abs(out.data[sequence * 192 + at] - value),
      ),
    )
    const { module } = await resultOf(page, 'causal-axioms')
    expect(module.projectedDifference).toBeCloseTo(Math.max(...differences), 5)
    await expect(claim(page, 'projected')).toContainText(
      `${module.projectedDifference.toFixed(4)} apart`,
    )
  })

  test('fails without the mask, as it should', async ({ page }) => {
    await page.locator('causal-axioms').getByLabel('causal mask').uncheck()
    await expect(claim(page, 'above')).toContainText('28 of 28 not 0')
    await expect(claim(page, 'above')).toContainText('120 of 120 not 0')
    await expect(claim(page, 'above').locator('.verdict')).toHaveText('✗ no')
    await expect(claim(page, 'first').locator('.verdict')).toHaveText('✗ no')
    await expect(claim(page, 'sums').locator('.verdict')).toHaveText('✓ yes')
  })

  test('holds for other cases, of other lengths, and every sequence is shown', async ({ page }) => {
    const exhibit = page.locator('causal-axioms')
    const slider = exhibit.locator('input[type="range"]')
    for (const key of ['End', 'Home']) {
      await exhibit.getByRole('button', { name: 'Draw another case' }).click()
      await slider.press(key)
      const { single } = await resultOf(page, 'causal-axioms')
      expect(single.weightsShape).toEqual(key === 'End' ? [32, 32] : [1, 1])
      expect(single).toMatchObject({ notZero: 0, largestAbove: 0, firstBits: 0 })
    }
    expect(await stateOf(page, 'causal-axioms')).toMatchObject({ seed: 1339, length: 1 })
    const cell = exhibit.locator('.grid [role=gridcell]').first()
    const weight = async () => {
      await cell.focus()
      await page.keyboard.press('Control+End')
      return Number(/: ([\d.]+)/.exec(String(await cell.textContent()))?.[1])
    }
    const { data } = causal.torch_module.weights
    await expect.poll(weight).toBeCloseTo(data[35], 5)
    await choose(page, 'causal-axioms', 'sequence', 1)
    // The heatmap follows in the next frame.
    await expect.poll(weight).toBeCloseTo(data[4 * 36 + 35], 5)
    await reset(page, 'causal-axioms', {
      ...{ seed: 1337, length: 8, isCausal: true, sequence: 0 },
    })
  })
})

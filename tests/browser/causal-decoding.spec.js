import { causal, extra, open } from './causal-page.js'
import { choose, expect, relativeError, reset, resultOf, stateOf, test } from './site-page.js'

test.beforeEach(open)

test.describe('The KV cache', () => {
  const [stepsName] = Object.keys(extra).filter((key) => key.startsWith('kv_steps'))
  const steps = extra[stepsName]

  test('starts full: keys, values, weights and outputs of all steps are the golden ones', async ({
    page,
  }) => {
    const { steps: taken, keys, values } = await resultOf(page, 'kv-cache')
    expect(taken).toHaveLength(5)
    expect(keys.shape).toEqual([1, 5, 16])
    for (const [place, wanted] of steps.entries()) {
      const row = (/** @type {any} */ { data }) => data.slice(16 * place, 16 * place + 16)
      expect(relativeError(row(keys), wanted.key.data)).toBeLessThan(1e-6)
      expect(relativeError(row(values), wanted.value.data)).toBeLessThan(1e-6)
      expect(relativeError(taken[place].weights, wanted.weights.data)).toBeLessThan(1e-5)
      expect(relativeError(taken[place].output, wanted.output.data)).toBeLessThan(1e-5)
      expect(relativeError(taken[place].output, row(causal.kv_cache.Y_incremental))).toBeLessThan(
        1e-5,
      )
    }
  })

  test('gives what the full pass gives, bit for bit, at every step', async ({ page }) => {
    const exhibit = page.locator('kv-cache')
    const back = exhibit.getByRole('button', { name: 'Previous token' })
    for (let step = 5; step >= 1; step--) {
      const { steps: taken, keys } = await resultOf(page, 'kv-cache')
      expect(taken.map((/** @type {any} */ { different }) => different)).toEqual(
        new Array(step).fill(0),
      )
      expect(keys.shape).toEqual([1, step, 16])
      await expect(exhibit.locator('[data-different]')).toHaveText(`0 of ${16 + step}`)
      await expect(exhibit.locator('.cache tr.absent')).toHaveCount(5 - step)
      await expect(exhibit.locator('.cache tr.new')).toContainText(String(step))
      if (step > 1) await back.click()
    }
    await expect(back).toHaveAttribute('aria-disabled', 'true')
    expect((await stateOf(page, 'kv-cache')).step).toBe(1)
    await back.press('End')
    await back.press('ArrowLeft')
    expect((await stateOf(page, 'kv-cache')).step).toBe(4)
    await reset(page, 'kv-cache', { step: 5, width: 16, counted: 'operations' })
  })

  test('says what each step costs, as the golden counts have it', async ({ page }) => {
    const shown = (/** @type {number} */ step) =>
      page.locator('kv-cache .measured tbody tr').nth(step).locator('[data-count]')
    for (const [step, { flops, cache_bytes_float32: bytes }] of steps.entries()) {
      const { cached, last_row_recomputed: anew, full_pass: full } = flops
      await expect(shown(step)).toHaveText(
        [cached, anew, full, bytes].map((count) => count.toLocaleString('en')),
      )
    }
  })

  test('plays to its end, and from the start when it is there; a hand on the steps stops it', async ({
    page,
  }) => {
    const exhibit = page.locator('kv-cache')
    const step = async () => (await stateOf(page, 'kv-cache')).step
    const play = exhibit.getByRole('button', { name: 'Play the steps' })
    const pause = exhibit.getByRole('button', { name: 'Pause the steps' })
    await play.click()
    expect(await step()).toBe(1)
    await expect.poll(step).toBe(2)
    await pause.click()
    await page.waitForTimeout(1600)
    expect(await step()).toBe(2)
    await exhibit.getByRole('button', { name: 'Next token' }).click()
    await play.click()
    await expect.poll(step).toBe(4)
    await expect.poll(step).toBe(5)
    await expect(play).toBeVisible()

    await play.click()
    await expect.poll(step).toBe(2)
    await exhibit.getByRole('button', { name: 'Next token' }).click()
    await expect(play).toBeVisible()
    await page.waitForTimeout(1600)
    expect(await step()).toBe(3)
  })

  test('charts operations and bytes against the length, for models of other widths', async ({
    page,
  }) => {
    const chart = page.locator('kv-cache .chart')
    const finding = chart.locator('figcaption')
    // 2·3d² + 4Td with the cache, at T = 4096.
    const cached = (/** @type {number} */ d) => 6 * d * d + 4 * 4096 * d
    await expect(finding).toContainText(`d = 16`)
    await expect(finding).toContainText(`${Math.round(cached(16) / 1000)}k with the cache`)
    await choose(page, 'kv-cache', 'width', 1024)
    await expect(finding).toContainText(`${(cached(1024) / 1e6).toPrecision(3)}M with the cache`)
    for (const tick of ['1', '4', '16', '64', '256', '1,024', '4,096']) {
      await expect(chart.locator('svg text').getByText(tick, { exact: true })).toBeVisible()
    }
    await choose(page, 'kv-cache', 'counted', 'bytes')
    // Two float32 vectors of width d a token.
    await expect(finding).toContainText(
      `${((8 * 4096 * 1024) / 1e6).toPrecision(3)}M kept by the cache`,
    )
    await expect(finding).toContainText('8.19k added to it in the step')
    await expect(chart.locator('.names')).toContainText('kept by the cache')
  })
})

test.describe('Teacher forcing', () => {
  const name = 'teacher-forcing'
  const initial = { mode: 'training', model: 'follows', isCausal: true, step: 1 }
  const words = ['The', 'neural', 'network', 'generates', 'fluent', 'prose']
  const losses = (/** @type {any[]} */ predictions, /** @type {'probability' | 'alone'} */ which) =>
    -predictions.reduce((sum, prediction) => sum + Math.log(prediction[which]), 0)

  test('predicts every next token in one pass, as from its prefix alone, bit for bit', async ({
    page,
  }) => {
    for (const model of ['follows', 'peeks']) {
      await choose(page, name, 'model', model)
      const { predictions, loss, lossAlone } = (await resultOf(page, name)).training
      expect(predictions).toHaveLength(6)
      for (const { probability, alone, different } of predictions) {
        expect(different).toBe(0)
        expect(alone).toBe(probability)
      }
      expect(lossAlone).toBe(loss)
      expect(loss).toBeCloseTo(losses(predictions, 'probability'), 12)
    }
    // Nothing but the start in sight: one logit of 6 among seven, of the right word or of another.
    const [first] = (await resultOf(page, name)).training.predictions
    expect(first.probability).toBeCloseTo(1 / (Math.exp(6) + 6), 7)
    await choose(page, name, 'model', 'follows')
    const [right] = (await resultOf(page, name)).training.predictions
    expect(right.probability).toBeCloseTo(Math.exp(6) / (Math.exp(6) + 6), 6)
    // The shift by one: what a position is to say is what the next one reads.
    await expect(page.locator(`${name} td.target`)).toHaveText(words)
    for (const [row, word] of words.slice(0, -1).entries()) {
      await expect(
        page
          .locator(`${name} tbody tr`)
          .nth(row + 1)
          .locator('.own'),
      ).toHaveText(word)
    }
  })

  test('is a cheat without the mask: what looks ahead learns well and writes nothing', async ({
    page,
  }) => {
    const exhibit = page.locator(name)
    await choose(page, name, 'model', 'peeks')
    await exhibit.getByLabel('causal mask').uncheck()
    const { predictions, loss, lossAlone } = (await resultOf(page, name)).training
    for (const { probability, alone } of predictions.slice(0, 5)) {
      expect(probability).toBeGreaterThan(0.98)
      expect(alone).toBeLessThan(0.06)
    }
    // The last answer is no input, so there is nothing to look up.
    expect(predictions[5].probability).toBe(predictions[5].alone)
    expect(lossAlone).toBeGreaterThan(7 * loss)
    await expect(exhibit.locator('.answer')).toHaveCount(5)
    await expect(exhibit.locator('[data-loss]')).toHaveText([loss.toFixed(4), lossAlone.toFixed(4)])
    await expect(exhibit.locator('.sees [role=img]').first()).toHaveAttribute(
      'aria-label',
      'sees ⟨s⟩ The neural network generates fluent, and with it the answer, The',
    )
    await reset(page, name, initial)
  })

  test('writes one token a pass, and reads what it has written', async ({ page }) => {
    const exhibit = page.locator(name)
    await choose(page, name, 'mode', 'writing')
    await exhibit.getByRole('button', { name: 'Next pass' }).press('End')
    await expect(exhibit.locator('td.target')).toHaveText(words)
    await expect(exhibit.locator('tbody tr').nth(5).locator('.seen')).toHaveCount(6)
    await exhibit.getByRole('button', { name: 'Previous pass' }).click()
    await expect(exhibit.locator('tr.later')).toHaveCount(1)
    // As sure of each word as in the one pass of training.
    const { training, writing } = await resultOf(page, name)
    writing.forEach((/** @type {any} */ { probability }, /** @type {number} */ position) =>
      expect(probability).toBe(training.predictions[position].probability),
    )
    await choose(page, name, 'model', 'peeks')
    await expect(exhibit.locator('td.target')).toHaveText(['⟨s⟩', '⟨s⟩', '⟨s⟩', '⟨s⟩', '⟨s⟩', ''])

    await choose(page, name, 'model', 'follows')
    const step = async () => (await stateOf(page, name)).step
    expect(await step()).toBe(5)
    await exhibit.getByRole('button', { name: 'Play writing' }).click()
    await expect.poll(step).toBe(6)
    await expect(exhibit.getByRole('button', { name: 'Play writing' })).toBeVisible()
    await exhibit.getByRole('button', { name: 'Play writing' }).click()
    expect(await step()).toBe(1)
    await exhibit.getByRole('button', { name: 'Pause writing' }).click()
    await page.waitForTimeout(1600)
    expect(await step()).toBe(1)
    await reset(page, name, initial)
    await expect(exhibit.getByLabel('causal mask')).toBeChecked()
  })
})

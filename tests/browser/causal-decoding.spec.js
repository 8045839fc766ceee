import { causal, extra, open, reset, stateOf } from './causal-page.js'
import { choose, expect, relativeError, resultOf, test } from './site-page.js'

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

import { describe, expect, test } from 'vitest'
import { golden } from '../golden.js'
import { engine } from './loaded.js'

const { experiments } = engine

describe('the variance experiment', () => {
  test('measures what theory says, raw and scaled', async () => {
    const { trials, raw, scaled } = await experiments.variance({ seed: 3, dK: 64, trials: 20_000 })
    expect(trials).toBe(20_000)
    expect(raw.theory).toEqual({ mean: 0, variance: 64 })
    expect(scaled.theory).toEqual({ mean: 0, variance: 1 })
    expect(raw.measured.variance / 64).toBeCloseTo(1, 1)
    expect(scaled.measured.variance).toBeCloseTo(raw.measured.variance / 64, 10)
  })

  test('counts every trial in its histograms', async () => {
    const options = { seed: 3, dK: 16, trials: 3000, bins: 8, rawLimit: 6, scaledLimit: 1 }
    const { raw, scaled } = await experiments.variance(options)
    for (const { histogram } of [raw, scaled]) {
      const inside = histogram.counts.reduce((sum, count) => sum + count, 0)
      expect(histogram.counts).toHaveLength(8)
      expect(histogram.below).toBeGreaterThan(0)
      expect(histogram.below + inside + histogram.above).toBe(3000)
    }
  })

  test('knows that a query that is its own key has mean d_k', async () => {
    const { raw } = await experiments.variance({ dK: 32, trials: 5000, correlation: 1 })
    expect(raw.theory).toEqual({ mean: 32, variance: 64 })
    expect(raw.measured.mean).toBeCloseTo(32, -1)
  })

  test('gives the same in every run', async () => {
    const options = { seed: 9, dK: 8, trials: 2000 }
    expect(await experiments.variance(options)).toEqual(await experiments.variance(options))
  })
})

test("the saturation experiment gives the first notebook's figures", async () => {
  const { d_k: dK, trials, keys, scaled, unscaled } = golden('scaled_dot_product').gradient_vs_dk
  const rows = await experiments.saturation({ seed: 1337, skip: 384, dK, trials, keys })
  expect(await experiments.saturation({ skip: 384 }), 'what is used unless given').toEqual(rows)
  const wanted = golden('extra').scaled_dot_product.saturation
  expect(rows.map(({ dK }) => dK)).toEqual(wanted.map((/** @type {any} */ { d_k }) => d_k))
  for (const [i, row] of rows.entries()) {
    const figures = wanted[i]
    expect(row.varianceRaw).toBeCloseTo(figures.var_raw, 8)
    expect(row.meanRaw).toBeCloseTo(figures.mean_raw, 8)
    expect(row.varianceScaled).toBeCloseTo(figures.var_scaled, 10)
    expect(row.shareOver25).toBeCloseTo(figures.frac_abs_over_25, 12)
    for (const kind of /** @type {const} */ (['unscaled', 'scaled'])) {
      expect(row[kind].meanDiagonal).toBeCloseTo(figures[kind].mean_p1mp, 10)
      expect(row[kind].relativeToUniform).toBeCloseTo(figures[kind].relative_to_uniform, 9)
      // The figure's closed form, √(Σp² − 2Σp³ + (Σp²)²), cancels down to √ε where p is one-hot.
      expect(row[kind].jacobianNorm).toBeCloseTo(figures[kind].jacobian_frobenius_mean, 7)
      expect(row[kind].largestWeight).toBeCloseTo(figures[kind].max_p_mean, 10)
      expect(row[kind].entropy).toBeCloseTo(figures[kind].entropy_mean, 9)
    }
  }
  for (const [i, row] of rows.entries()) {
    expect(row.scaled.meanDiagonal).toBeCloseTo(scaled[i], 10)
    expect(row.unscaled.meanDiagonal).toBeCloseTo(unscaled[i], 10)
  }
})

describe('an experiment', () => {
  test('tells how far it is, in slices that let others have their turn', async () => {
    /** @type {{ done: number, total: number }[]} */
    const told = []
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const result = await experiments.variance({
      dK: 512,
      trials: 40_000,
      onProgress: ({ done, total }) => told.push({ done, total }),
    })
    clearInterval(timer)
    expect(result.trials).toBe(40_000)
    expect(told.length).toBeGreaterThan(3)
    expect(told.at(-1)).toEqual({ done: 40_000, total: 40_000 })
    expect(told.every(({ done }, i) => i === 0 || done > told[i - 1].done)).toBe(true)
    expect(turns).toBeGreaterThan(2)
  })

  test('stops when its signal does, with the signal’s reason', async () => {
    const controller = new AbortController()
    let lastDone = 0
    const run = experiments.variance({
      dK: 512,
      trials: 10 ** 8,
      signal: controller.signal,
      onProgress: ({ done }) => {
        lastDone = done
        controller.abort(new Error('enough'))
      },
    })
    await expect(run).rejects.toThrow('enough')
    expect(lastDone).toBeLessThan(10 ** 8)
  })

  test('does not begin when its signal has stopped', async () => {
    const signal = AbortSignal.abort()
    await expect(experiments.saturation({ signal })).rejects.toThrow(/abort/i)
  })

  test('frees what it took, stopped or not', async () => {
    await experiments.variance({ trials: 10 })
    const before = engine.memoryBytes
    for (let i = 0; i < 200; i++) await experiments.variance({ trials: 10, bins: 10_000 })
    expect(engine.memoryBytes).toBe(before)
  })

  test('fails with the error of its onProgress', async () => {
    const onProgress = () => {
      throw new Error('drawing failed')
    }
    await expect(experiments.variance({ trials: 10, onProgress })).rejects.toThrow('drawing failed')
  })

  test.each([
    ['no trials', { trials: 0 }, RangeError, /^trials was 0/],
    ['a correlation above 1', { correlation: 1.5 }, RangeError, /^correlation was 1\.5/],
    ['a limit of 0', { rawLimit: 0 }, RangeError, /^rawLimit was 0; it had to be above 0/],
    ['a signal that is none', { signal: 1 }, TypeError, /^signal was 1/],
    ['a listener that is none', { onProgress: 1 }, TypeError, /^onProgress was 1/],
  ])('is refused with %s', async (_, options, type, message) => {
    const run = experiments.variance(/** @type {any} */ (options))
    await expect(run).rejects.toThrow(type)
    await expect(experiments.variance(/** @type {any} */ (options))).rejects.toThrow(message)
  })

  test('of saturation is refused with sizes that are none', async () => {
    await expect(experiments.saturation({ dK: [0] })).rejects.toThrow(/^dK\[0\] was 0/)
    await expect(experiments.saturation({ dK: /** @type {any} */ (4) })).rejects.toThrow(
      /^dK was 4/,
    )
  })
})

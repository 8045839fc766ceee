import { describe, expect, it } from 'vitest'
import { formatTick, logDomain, logTicks } from '../../../web/views/charts/log-ticks.js'

describe('Ticks of a logarithmic axis', () => {
  it('are the powers of ten, both ends among them', () => {
    expect(logTicks(0.001, 10)).toEqual([0.001, 0.01, 0.1, 1, 10])
    expect(logTicks(2, 5000)).toEqual([10, 100, 1000])
  })

  it('are closer where there are few powers', () => {
    expect(logTicks(1, 10)).toEqual([1, 2, 5, 10])
    expect(logTicks(3, 60)).toEqual([5, 10, 20, 50])
  })

  it('are seven or so where there are many', () => {
    const ticks = logTicks(1e-30, 1)
    expect(ticks.length).toBeLessThanOrEqual(8)
    expect(ticks).toContain(1)
    const ratios = ticks.slice(1).map((tick, place) => Math.round(Math.log10(tick / ticks[place])))
    expect(new Set(ratios)).toEqual(new Set([5]))
  })
})

describe('The ends of a logarithmic axis', () => {
  it('are powers of ten around what can be shown', () => {
    expect(logDomain([0.03, 2, 700])).toEqual([0.01, 1000])
    expect(logDomain([10, 100])).toEqual([10, 100])
  })

  it('leave out zeros, signs, NaN and infinities', () => {
    expect(logDomain([0, -5, NaN, Infinity, 3])).toEqual([1, 10])
  })

  it('are never the same', () => {
    expect(logDomain([10])).toEqual([10, 100])
    expect(logDomain([])).toEqual([1, 10])
    expect(logDomain([0])).toEqual([1, 10])
  })
})

it('Ticks are written short', () => {
  expect([1e-5, 0.001, 1, 5000, 10_000, 2e9].map(formatTick)).toEqual([
    '0.00001',
    '0.001',
    '1',
    '5000',
    '10K',
    '2B',
  ])
})

import { expect, test } from 'vitest'
import { hasRelaxedSimd, hasSimd } from '../../../web/engine/features.js'

test('Node has SIMD, so the probe for it is valid code', () => {
  expect(hasSimd()).toBe(true)
})

test('the relaxed probe says yes or no and never throws', () => {
  expect(typeof hasRelaxedSimd()).toBe('boolean')
})

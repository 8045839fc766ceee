import { describe, expect, test } from 'vitest'
import { hasRelaxedSimd } from '../../../web/engine/features.js'
import { loadEngine, version } from '../../../web/index.js'
import { engine, variant } from './loaded.js'

describe('loadEngine', () => {
  test('says which variant was loaded', () => {
    expect(engine.variant).toBe(variant)
  })

  test('loads each variant once', async () => {
    expect(await loadEngine({ variant })).toBe(engine)
    const [one, two] = await Promise.all([loadEngine(), loadEngine({ variant: 'auto' })])
    expect(one).toBe(two)
    expect(one.variant).toBe(hasRelaxedSimd() ? 'relaxed-simd' : 'simd')
    expect(await loadEngine({ variant: one.variant })).toBe(one)
  })

  test('keeps what it loaded in the registry of this version, for other copies of the module', () => {
    const registry = /** @type {any} */ (globalThis)[Symbol.for(`attention-lab@${version}`)]
    expect([...registry.engines.keys()]).toContain(variant)
  })
})

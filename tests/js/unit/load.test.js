import { afterEach, expect, test, vi } from 'vitest'
import { hasRelaxedSimd } from '../../../web/engine/features.js'
import { pageRegistry } from '../../../web/page-registry.js'
import { version } from '../../../web/version.js'

vi.mock(import('../../../web/engine/features.js'), () => ({
  hasSimd: vi.fn(() => true),
  hasRelaxedSimd: vi.fn(() => true),
}))
vi.mock(import('../../../web/engine/wasm-file.js'), () => ({ compileVariant: vi.fn() }))
vi.mock(import('../../../web/engine/instantiate.js'), () => ({ instantiate: vi.fn() }))
vi.mock(import('../../../web/engine/engine.js'), () => ({
  Engine: /** @type {any} */ (
    class {
      /** @param {unknown} _ @param {unknown} compiled @param {string} variant */
      constructor(_, compiled, variant) {
        Object.assign(this, { compiled, variant })
      }
    }
  ),
}))

const { compileVariant } = await import('../../../web/engine/wasm-file.js')
const { instantiate } = await import('../../../web/engine/instantiate.js')
const { loadEngine } = await import('../../../web/engine/load.js')

afterEach(() => {
  delete pageRegistry().engines
  vi.resetAllMocks()
})

/** @param {boolean} hasRelaxed */
function withFeatures(hasRelaxed) {
  vi.mocked(hasRelaxedSimd).mockReturnValue(hasRelaxed)
}

test("'auto' takes relaxed SIMD where it is", async () => {
  withFeatures(true)
  expect((await loadEngine()).variant).toBe('relaxed-simd')
})

test("'auto' takes plain SIMD where relaxed is missing, without fetching the other", async () => {
  withFeatures(false)
  expect((await loadEngine()).variant).toBe('simd')
  expect(vi.mocked(compileVariant).mock.calls).toEqual([['simd']])
})

test("'auto' falls back when the relaxed file cannot be compiled", async () => {
  withFeatures(true)
  vi.mocked(compileVariant).mockRejectedValueOnce(new Error('no such opcode'))
  expect((await loadEngine()).variant).toBe('simd')
})

test("'auto' falls back when the relaxed module cannot be instantiated", async () => {
  withFeatures(true)
  vi.mocked(instantiate).mockRejectedValueOnce(new Error('no'))
  expect((await loadEngine()).variant).toBe('simd')
})

test('a load that failed may be tried again', async () => {
  withFeatures(false)
  vi.mocked(compileVariant).mockRejectedValueOnce(new Error('offline'))
  await expect(loadEngine()).rejects.toThrow('offline')
  expect((await loadEngine()).variant).toBe('simd')
  expect(compileVariant).toHaveBeenCalledTimes(2)
})

test('calls that come while an engine loads share it', async () => {
  withFeatures(true)
  const [one, two] = await Promise.all([loadEngine(), loadEngine({ variant: 'relaxed-simd' })])
  expect(one).toBe(two)
  expect(compileVariant).toHaveBeenCalledTimes(1)
})

test("the registry's version is the package's", async () => {
  const { default: manifest } = await import('../../../package.json')
  expect(version).toBe(manifest.version)
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pageRegistry } from '../../../web/page-registry.js'

/** i8x16.relaxed_swizzle, by which the probe for relaxed SIMD is known. */
const RELAXED_OPCODE = [253, 128, 2]

beforeEach(() => {
  delete pageRegistry().engines
  vi.resetModules()
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  delete pageRegistry().engines
})

/** A copy of the package of its own, as a second script on a page would have it. */
async function freshCopy() {
  vi.resetModules()
  return import('../../../web/index.js')
}

/** @param {BufferSource} bytes */
function isRelaxedProbe(bytes) {
  const code = [...new Uint8Array(/** @type {ArrayBuffer} */ (bytes))]
  return code.length < 64 && code.join().includes(RELAXED_OPCODE.join())
}

/** Makes the probe for relaxed SIMD say what it is told. @param {boolean} answer */
function withProbe(answer) {
  const validate = WebAssembly.validate
  vi.spyOn(WebAssembly, 'validate').mockImplementation((bytes) =>
    isRelaxedProbe(bytes) ? answer : validate(bytes),
  )
}

/** @param {{ scaledDotProductAttention: any }} engine */
function expectWorks(engine) {
  const { output, weights } = engine.scaledDotProductAttention([[1]], [[2], [2]], [[3], [5]])
  expect([...weights.data]).toEqual([0.5, 0.5])
  expect(output.data[0]).toBe(4)
}

test("'auto' takes plain SIMD where the probe says no, and never compiles the other", async () => {
  withProbe(false)
  const compile = vi.spyOn(WebAssembly, 'compile')
  const { loadEngine } = await freshCopy()
  const engine = await loadEngine()
  expect(engine.variant).toBe('simd')
  expect(compile).toHaveBeenCalledTimes(1)
  expectWorks(engine)
  await expect(loadEngine({ variant: 'relaxed-simd' })).rejects.toThrow(
    /has no relaxed SIMD; the relaxed-simd engine needs it\. Use variant: 'auto' or 'simd'\.$/,
  )
})

test("'auto' falls back to plain SIMD where the probe says yes but the binary is refused", async () => {
  withProbe(true)
  const compile = WebAssembly.compile
  /** @type {number[]} */
  const sizes = []
  vi.spyOn(WebAssembly, 'compile').mockImplementation(async (bytes) => {
    sizes.push(bytes.byteLength)
    // Cut off in the middle, the first binary holds code that no engine accepts.
    const code =
      sizes.length === 1 ? new Uint8Array(/** @type {any} */ (bytes)).slice(0, 999) : bytes
    return compile(code)
  })
  const { loadEngine } = await freshCopy()
  const engine = await loadEngine()
  expect(engine.variant).toBe('simd')
  expect(sizes).toHaveLength(2)
  expectWorks(engine)
  expect(await loadEngine({ variant: 'simd' })).toBe(engine)
  expect(await loadEngine()).toBe(engine)
})

test('a load that failed is tried again by the next call, and then kept', async () => {
  withProbe(false)
  const compile = vi.spyOn(WebAssembly, 'compile').mockRejectedValueOnce(new Error('offline'))
  const { loadEngine } = await freshCopy()
  const failed = loadEngine({ variant: 'simd' })
  expect(loadEngine({ variant: 'simd' })).toBe(failed)
  await expect(failed).rejects.toThrow(/^The simd engine could not be loaded from .*: offline$/)
  const again = loadEngine({ variant: 'simd' })
  expect(again).not.toBe(failed)
  expectWorks(await again)
  expect(loadEngine({ variant: 'simd' })).toBe(again)
  expect(compile).toHaveBeenCalledTimes(2)
})

test('loading is one promise for all who ask', async () => {
  withProbe(false)
  const { loadEngine } = await freshCopy()
  const first = loadEngine()
  expect(loadEngine({ variant: 'auto' })).toBe(first)
  expect(loadEngine({})).toBe(first)
  expect(await loadEngine({ variant: 'simd' })).toBe(await first)
})

test('two copies of the package on one page share one engine for each variant', async () => {
  withProbe(false)
  const compile = vi.spyOn(WebAssembly, 'compile')
  const [one, two] = [await freshCopy(), await freshCopy()]
  expect(one.loadEngine).not.toBe(two.loadEngine)
  expect(one.Engine).not.toBe(two.Engine)
  const engines = await Promise.all([one.loadEngine(), two.loadEngine()])
  expect(engines[0]).toBe(engines[1])
  expect(await two.loadEngine({ variant: 'simd' })).toBe(engines[0])
  expect(compile).toHaveBeenCalledTimes(1)
  expectWorks(engines[1])
})

test('without any WebAssembly it says what is missing', async () => {
  vi.stubGlobal('WebAssembly', undefined)
  const { loadEngine } = await freshCopy()
  await expect(loadEngine()).rejects.toThrow(
    /has no WebAssembly with SIMD; the simd engine needs it\. Use a current browser\.$/,
  )
})

test.each([
  [
    'a variant that does not exist',
    { variant: 'avx' },
    RangeError,
    /^variant was "avx"; it had to/,
  ],
  ['a variant that is a number', { variant: 5 }, TypeError, /^variant was 5; it had to be 'auto'/],
  ['a variant alone', 'simd', TypeError, /^options was the string "simd"/],
])('%s is refused by a promise, not by a throw', async (_, options, type, message) => {
  const { loadEngine } = await freshCopy()
  const loading = loadEngine(/** @type {any} */ (options))
  await expect(loading).rejects.toThrow(type)
  await expect(loading).rejects.toThrow(message)
})

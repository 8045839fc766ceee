import { describe, expect, test, vi } from 'vitest'
import { CallBuffers } from '../../../web/engine/buffers.js'
import { formatBytes, Memory } from '../../../web/engine/memory.js'

/** A module whose memory holds `pages` of 64 KiB and grows to `most` when it has to. @param {number} [pages] @param {number} [most] */
function fakeModule(pages = 4, most = 64) {
  const wasmMemory = new WebAssembly.Memory({ initial: pages, maximum: most })
  let end = 1024
  const allocate = vi.fn((/** @type {number} */ bytes) => {
    const start = end
    const missing = start + bytes - wasmMemory.buffer.byteLength
    if (missing > 0) {
      try {
        wasmMemory.grow(Math.ceil(missing / 65536))
      } catch {
        return 0
      }
    }
    end += bytes
    return start
  })
  return { wasmMemory, allocate, release: vi.fn() }
}

/** @param {ReturnType<typeof fakeModule>} module */
function memoryOf(module) {
  return new Memory(/** @type {any} */ (module))
}

describe("a call's buffers", () => {
  test('are copied in, computed on and copied out', () => {
    const memory = memoryOf(fakeModule())
    const buffers = new CallBuffers(memory, 'double')
    const input = buffers.input([1, 2, 3], Float64Array)
    const output = buffers.result('y', [3], Float64Array)
    const { y } = buffers.run({
      compute: (at) => {
        expect(at(input) % 16).toBe(0)
        expect(at(undefined)).toBe(0)
        const all = memory.view(Float64Array)
        for (let i = 0; i < 3; i++) all[at(output) / 8 + i] = 2 * all[at(input) / 8 + i]
      },
    })
    expect(y).toEqual({ data: Float64Array.of(2, 4, 6), shape: [3] })
  })

  test('survive that memory grows while they are laid out', () => {
    const module = fakeModule(1)
    const buffers = new CallBuffers(memoryOf(module), 'copy')
    const numbers = Float32Array.from({ length: 40_000 }, (_, i) => i)
    const input = buffers.input(numbers)
    const output = buffers.result('y', [40_000])
    const { y } = buffers.run({
      compute: (at) => {
        const all = new Float32Array(module.wasmMemory.buffer)
        all.copyWithin(at(output) / 4, at(input) / 4, at(input) / 4 + 40_000)
      },
    })
    expect(module.wasmMemory.buffer.byteLength).toBeGreaterThan(65536)
    expect(y.data).toEqual(numbers)
  })

  test('are refused before anything is done where they are more than 4 GB', () => {
    const module = fakeModule()
    const buffers = new CallBuffers(memoryOf(module), 'attend', 'ask for less')
    buffers.result('y', [2 ** 15, 2 ** 16])
    const compute = vi.fn()
    expect(() => buffers.run({ compute })).toThrow(
      'attend would need 8.0 GB of WebAssembly memory, more than there is (at most 4.0 GB); ask for less',
    )
    expect(module.allocate).not.toHaveBeenCalled()
    expect(compute).not.toHaveBeenCalled()
  })

  test('count what the kernel allocates itself', () => {
    const module = fakeModule()
    const buffers = new CallBuffers(memoryOf(module), 'attend')
    buffers.result('y', [1])
    const run = () => buffers.run({ workspaceBytes: () => 2 ** 33, compute: () => 0 })
    expect(run).toThrow(/^attend would need 8\.0 GB/)
    expect(module.allocate).not.toHaveBeenCalled()
  })

  test('are refused where less is free, with what may be done', () => {
    const memory = memoryOf(fakeModule(1, 2))
    const buffers = new CallBuffers(memory, 'attend', 'ask for less')
    buffers.result('y', [2 ** 20])
    const compute = vi.fn()
    expect(() => buffers.run({ compute })).toThrow(
      /^attend would need 4\.0 MB of WebAssembly memory, of which less is free \(of at most 4\.0 GB\); dispose of layers and caches that are done with, or ask for less$/,
    )
    expect(compute).not.toHaveBeenCalled()
    const small = new CallBuffers(memory, 'attend')
    small.result('y', [2])
    expect(small.run({ compute: () => 0 }).y.data).toEqual(new Float32Array(2))
  })

  test('say so when the kernel found too little memory', () => {
    const memory = memoryOf(fakeModule())
    const buffers = new CallBuffers(memory, 'attend')
    buffers.result('y', [4])
    expect(() => buffers.run({ compute: () => 1 })).toThrow(RangeError)
    expect(() => buffers.run({ compute: () => 1 })).toThrow(/^attend would need more than 16 bytes/)
  })

  test('are given back when they are large, however the call ends', () => {
    const module = fakeModule(1, 2000)
    const large = () => {
      const buffers = new CallBuffers(memoryOf(module), 'attend')
      buffers.result('y', [2 ** 23 + 1])
      return buffers
    }
    large().run({ compute: () => 0 })
    expect(module.release).toHaveBeenCalledTimes(1)
    expect(() => large().run({ compute: () => 1 })).toThrow(RangeError)
    expect(module.release).toHaveBeenCalledTimes(2)
    const fails = () => {
      throw new Error('trapped')
    }
    expect(() => large().run({ compute: fails })).toThrow('trapped')
    expect(module.release).toHaveBeenCalledTimes(3)
  })

  test('make objects, or say that there is no memory for them', () => {
    const memory = memoryOf(fakeModule())
    const made = { delete: () => {} }
    const make = (/** @type {any} */ object) =>
      new CallBuffers(memory, 'prepare').make({ bytes: () => 100, make: () => object })
    expect(make(made)).toBe(made)
    expect(() => make(null)).toThrow(/^prepare would need more than 116 bytes/)
  })
})

test('sizes are told in units that people read', () => {
  expect([0, 1023, 1024, 1.5 * 2 ** 20, 2 ** 32, 2 ** 62].map(formatBytes)).toEqual([
    '0 bytes',
    '1023 bytes',
    '1.0 KB',
    '1.5 MB',
    '4.0 GB',
    '4.0 EB',
  ])
})

import { describe, expect, test, vi } from 'vitest'
import {
  attentionArrays,
  npyBytes,
  npzBlob,
  openTensorFile,
  safetensorsBytes,
} from '../../../web/data/index.js'
import { normals } from '../inputs.js'
import { expected, fixture } from './fixtures.js'

/** Tensors of every kind and many shapes, with numbers that are easily lost. */
function tensors() {
  const next = normals(3)
  const odd = [0, -0, NaN, Infinity, -Infinity, 5e-324, 1.4e-45, 3.4e38, 0.1]
  const shapes = [[], [0], [3], [1, 1], [2, 3], [4, 0, 2], [2, 3, 4], [1, 2, 3, 4, 5]]
  return shapes.flatMap((shape) => {
    const size = shape.reduce((product, length) => product * length, 1)
    const numbers = Array.from({ length: size }, (_, i) => (i % 3 === 1 ? odd[i % 9] : next()))
    return [
      { data: Float64Array.from(numbers), shape },
      { data: Float32Array.from(numbers), shape },
      { data: Uint8Array.from(numbers, (value) => Number(value > 0)), shape },
    ]
  })
}

describe('what is written is read again, bit for bit', () => {
  test('.npy', async () => {
    for (const tensor of tensors()) {
      const bytes = npyBytes(tensor)
      expect(bytes.length - tensor.data.byteLength).toBe(128)
      expect(await (await openTensorFile(bytes)).read()).toEqual(tensor)
    }
  })

  test('.npz, with texts', async () => {
    const arrays = Object.fromEntries(tensors().map((tensor, i) => [`a${i}/ü`, tensor]))
    const tokens = ['The', 'cat', '😀', '日本', '', 'a,"b"']
    const blob = await npzBlob({ ...arrays, tokens })
    const file = await openTensorFile(blob)
    for (const [name, tensor] of Object.entries(arrays)) {
      expect(await file.read(name)).toEqual(tensor)
    }
    expect(await file.strings('tokens')).toEqual(tokens)
    // The same arrays give the same file, whenever they are written.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2031, 5, 5) })
    const again = await npzBlob({ ...arrays, tokens })
    vi.useRealTimers()
    expect(new Uint8Array(await again.arrayBuffer())).toEqual(
      new Uint8Array(await blob.arrayBuffer()),
    )
  })

  test('.safetensors, with metadata and texts in them', async () => {
    const arrays = Object.fromEntries(tensors().map((tensor, i) => [`layer.${i}"`, tensor]))
    const tokens = ['The', 'cat', '😀']
    const metadata = { model: 'none', tokens: JSON.stringify(tokens) }
    const bytes = safetensorsBytes(arrays, metadata)
    const file = await openTensorFile(bytes)
    for (const [name, tensor] of Object.entries(arrays)) {
      expect(await file.read(name)).toEqual(tensor)
    }
    expect(file.metadata).toEqual(metadata)
    expect(await file.strings('tokens')).toEqual(tokens)
  })

  test('a part of a longer array is written without its neighbours', async () => {
    const data = Float32Array.of(1, 2, 3, 4).subarray(1, 3)
    const file = await openTensorFile(npyBytes({ data, shape: [2] }))
    expect((await file.read()).data).toEqual(Float32Array.of(2, 3))
  })
})

test('NumPy writes the same bytes', () => {
  const { data = [], shape } = expected['f4-little.npy']
  const tensor = { data: Float32Array.from(data, Number), shape }
  expect(npyBytes(tensor)).toEqual(fixture('f4-little.npy'))
  expect(npyBytes({ data: Float64Array.of(2.5), shape: [] })).toEqual(fixture('scalar.npy'))
})

test('halves of surrogate pairs, which NumPy cannot read, are replaced', async () => {
  const file = await openTensorFile(await npzBlob({ tokens: ['a\ud800', '\udc00b'] }))
  expect(await file.strings()).toEqual(['a\ufffd', '\ufffdb'])
})

test('what is no tensor is refused in words', async () => {
  const wrong = /** @type {any} */ ({ data: [1, 2], shape: [3] })
  expect(() => npyBytes(wrong)).toThrow('needed 3')
  expect(() => npyBytes(/** @type {any} */ ('text'))).toThrow('tensor was the string')
  expect(() => safetensorsBytes({ a: wrong })).toThrow('a held 2 numbers')
  expect(() => safetensorsBytes({ __metadata__: [[1]] })).toThrow('__metadata__ is taken')
  expect(() => safetensorsBytes({}, /** @type {any} */ ({ a: 1 }))).toThrow('metadata.a')
  await expect(npzBlob({ '': [[1]] })).rejects.toThrow('a name for each')
  await expect(npzBlob({ a: /** @type {any} */ (['x', 1]) })).rejects.toThrow('texts[1] was 1')
})

test('attention is found by kind and shape, its batch left out', () => {
  const shapes = [
    [[4], null],
    [
      [4, 5],
      [4, 5],
    ],
    [
      [3, 4, 5],
      [3, 4, 5],
    ],
    [
      [2, 3, 4, 5],
      [2, 3, 4, 5],
    ],
    [
      [1, 3, 4, 5],
      [3, 4, 5],
    ],
    [
      [2, 1, 3, 4, 5],
      [2, 3, 4, 5],
    ],
    [
      [1, 2, 3, 4, 5],
      [2, 3, 4, 5],
    ],
    [
      [1, 1, 3, 4, 5],
      [3, 4, 5],
    ],
    [[2, 2, 3, 4, 5], null],
    [[1, 1, 2, 3, 4, 5], null],
    [[0, 5], null],
  ]
  for (const [shape, wanted] of shapes) {
    const array = {
      name: 'a',
      dtype: /** @type {const} */ ('float16'),
      shape: shape ?? [],
      bytes: 0,
    }
    expect(attentionArrays({ arrays: [array] }).map((found) => found.attentionShape)).toEqual(
      wanted ? [wanted] : [],
    )
    for (const dtype of /** @type {const} */ (['bool', 'int64', 'str', 'unknown'])) {
      expect(attentionArrays({ arrays: [{ ...array, dtype }] })).toEqual([])
    }
    expect(attentionArrays({ arrays: [{ ...array, problem: 'is damaged' }] })).toEqual([])
  }
})

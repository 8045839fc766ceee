import { describe, expect, test } from 'vitest'
import { openTensorFile } from '../../../web/data/index.js'
import { asListed, expected, fixture } from './fixtures.js'

/** @import { TensorFile } from '../../../web/data/tensor-file.js' */

/**
 * @param {TensorFile} file
 * @param {string} name
 * @param {import('./fixtures.js').Expected} wanted
 */
async function expectArray(file, name, wanted) {
  if (wanted.refused) {
    await expect(file.read(name)).rejects.toThrow(wanted.refused)
  } else if (wanted.strings) {
    expect(await file.strings(name)).toEqual(wanted.strings)
  } else {
    const { data, shape } = await file.read(name)
    expect(shape).toEqual(wanted.shape)
    expect(asListed(data)).toEqual(wanted.data)
  }
}

/** @param {string} name */
function sourcesOf(name) {
  const bytes = fixture(name)
  // At an odd address, where no typed array of wide numbers can begin.
  const shifted = new Uint8Array(bytes.length + 1)
  shifted.set(bytes, 1)
  return [new File([bytes], name), shifted.subarray(1), bytes.buffer]
}

describe('what NumPy and safetensors write is read exactly', () => {
  for (const [name, wanted] of Object.entries(expected)) {
    test(name, async () => {
      for (const source of sourcesOf(name)) {
        if (wanted.refused) {
          await expect(openTensorFile(source)).rejects.toThrow(wanted.refused)
          continue
        }
        const file = await openTensorFile(source)
        const arrays = wanted.arrays ?? { [file.arrays[0].name]: wanted }
        expect(file.arrays.map(({ name }) => name).sort()).toEqual(Object.keys(arrays).sort())
        for (const [array, content] of Object.entries(arrays)) {
          await expectArray(file, array, content)
        }
      }
    })
  }
})

describe('a part is what a slice of the whole is', () => {
  const files = ['f2-little.npy', 'f8-big.npy', 'fortran.npy', 'fortran-big.npy']
  /** @type {[string, string | undefined][]} */
  const arrays = [
    ...files.map((name) => /** @type {[string, undefined]} */ ([name, undefined])),
    ['stored.npz', 'attention'],
    ['deflated.npz', 'attention'],
    ['all.safetensors', 'BF16'],
  ]
  const parts = [
    { start: 1 },
    { start: [1, 2], end: [2, 3] },
    { start: [0, 1], end: [2, 2] },
    { start: [0, 1, 1], end: [2, 3, 3] },
    { start: [0, 0, 2, 1], end: [1, 3, 4, 4] },
    { start: 2, end: 2 },
    { end: 1 },
    {},
  ]
  test.each(arrays)('%s %s', async (fileName, name) => {
    const file = await openTensorFile(new Blob([fixture(fileName)]))
    const whole = await file.read(name)
    for (const part of parts) {
      const { data, shape } = await file.read(name, part)
      const wanted = sliceOf(whole, part)
      expect(shape).toEqual(wanted.shape)
      expect(Array.from(data)).toEqual(wanted.data)
    }
  })

  /**
   * @param {{ data: ArrayLike<number>, shape: number[] }} whole
   * @param {{ start?: number | number[], end?: number | number[] }} part
   */
  function sliceOf({ data, shape }, { start = [], end = [] }) {
    const starts = [start].flat()
    const ends = [end].flat()
    const from = shape.map((_, axis) => starts[axis] ?? 0)
    const to = shape.map((length, axis) => ends[axis] ?? length)
    const numbers = Array.from(data).filter((_, index) => {
      let rest = index
      return shape
        .map((length, axis) => [length, axis])
        .reverse()
        .every(([length, axis]) => {
          const at = rest % length
          rest = Math.floor(rest / length)
          return at >= from[axis] && at < to[axis]
        })
    })
    return { data: numbers, shape: from.map((first, axis) => to[axis] - first) }
  }
})

test('numbers come in the smallest array that holds them, booleans as bytes', async () => {
  const file = await openTensorFile(fixture('all.safetensors'))
  const kinds = await Promise.all(
    file.arrays
      .filter(({ dtype }) => dtype !== 'str')
      .map(async ({ name, dtype }) => [dtype, (await file.read(name)).data.constructor.name]),
  )
  expect(Object.fromEntries(kinds)).toEqual({
    bool: 'Uint8Array',
    ...Object.fromEntries(
      ['int8', 'uint8', 'int16', 'uint16', 'float16', 'bfloat16', 'float32'].map((dtype) => [
        dtype,
        'Float32Array',
      ]),
    ),
    ...Object.fromEntries(
      ['int32', 'uint32', 'int64', 'uint64', 'float64'].map((dtype) => [dtype, 'Float64Array']),
    ),
  })
})

test('arrays are listed with name, kind, shape and bytes, and what cannot be read with the reason', async () => {
  const file = await openTensorFile(new File([fixture('stored.npz')], 'weights.npz'))
  expect(file.kind).toBe('npz')
  expect(file.arrays).toEqual([
    { name: 'attention', dtype: 'float32', shape: [2, 3, 4, 5], bytes: 480 },
    { name: 'embeddings', dtype: 'float64', shape: [4, 8], bytes: 256 },
    { name: 'mask', dtype: 'bool', shape: [4, 5], bytes: 20 },
    {
      ...{ name: 'objects', dtype: 'unknown', shape: [], bytes: expect.any(Number) },
      problem: expect.stringContaining('weights.npz#objects: holds Python objects'),
    },
    { name: 'tokens', dtype: 'str', shape: [5], bytes: 100 },
  ])
})

test('arrays of which any part costs as much as all say so', async () => {
  for (const [name, isWhole] of [
    ['stored.npz', undefined],
    ['deflated.npz', true],
    ['fortran.npy', true],
    ['fortran-row.npy', undefined],
    ['f4-little.npy', undefined],
  ]) {
    const { arrays } = await openTensorFile(new File([fixture(`${name}`)], `${name}`))
    expect(arrays.find(({ dtype }) => dtype.startsWith('float'))?.isWhole, `${name}`).toBe(isWhole)
  }
})

test('the kind is told by the content, whatever the name says', async () => {
  for (const [name, kind] of [
    ['f4-little.npy', 'npy'],
    ['deflated.npz', 'npz'],
    ['all.safetensors', 'safetensors'],
    ['expected.json', 'json'],
  ]) {
    const file = await openTensorFile(new File([fixture(name)], 'wrong.txt'))
    expect(file.kind).toBe(kind)
  }
})

test('metadata of safetensors are given', async () => {
  const file = await openTensorFile(fixture('all.safetensors'))
  expect(file.metadata.model).toBe('none')
})

describe('JSON', () => {
  /** @param {unknown} value @param {string} [name] */
  const open = (value, name = 'cube.json') =>
    openTensorFile(new File([typeof value === 'string' ? value : JSON.stringify(value)], name))

  test('nested arrays are one array, under the name of the file', async () => {
    const file = await open('\ufeff [[1, 2.5], [null, -1e-3]]')
    expect(file.arrays).toEqual([{ name: 'cube', dtype: 'float64', shape: [2, 2], bytes: 32 }])
    expect(await file.read()).toEqual({
      data: Float64Array.of(1, 2.5, NaN, -0.001),
      shape: [2, 2],
    })
  })

  test('so are data with their shape, and lists of texts', async () => {
    const tensor = await open({ data: [1, 2, 3, 4, 5, 6], shape: [3, 2] })
    expect(await tensor.read('cube', { start: 1, end: 2 })).toEqual({
      data: Float64Array.of(3, 4),
      shape: [1, 2],
    })
    expect(await (await open(['The', 'cat'])).strings()).toEqual(['The', 'cat'])
  })

  test('so is an object whose ninth character would be that of a safetensors header', async () => {
    const text = '{"abc":{"data":[1],"shape":[1]}}'.replace(':', ': ')
    expect(text[8]).toBe('{')
    expect((await (await open(text)).read()).data).toEqual(Float64Array.of(1))
  })

  test('an object names several, and what is wrong with one leaves the others', async () => {
    const file = await open({
      attention: [[[0.5, 0.5]]],
      mask: [[true, false]],
      tokens: ['a', 'b'],
      ragged: [[1], [1, 2]],
      mixed: [1, 'a'],
      nested: { deep: [1] },
      model: 'none',
      layers: 12,
    })
    expect(file.arrays.map(({ name, dtype, shape }) => [name, dtype, shape])).toEqual([
      ['attention', 'float64', [1, 1, 2]],
      ['mask', 'bool', [1, 2]],
      ['tokens', 'str', [2]],
      ['ragged', 'unknown', []],
      ['mixed', 'unknown', []],
      ['nested', 'unknown', []],
    ])
    expect(file.metadata).toEqual({ model: 'none', layers: '12' })
    expect((await file.read('mask')).data).toEqual(Uint8Array.of(1, 0))
    await expect(file.read('ragged')).rejects.toThrow(/cube\.json#ragged was ragged: .*\[1\]/)
    await expect(file.read('mixed')).rejects.toThrow('cube.json#mixed[1]')
    await expect(file.read('nested')).rejects.toThrow('expected an array')
  })

  test('what is no JSON is told, with the way out where NaN is the reason', async () => {
    await expect(open('[[1, NaN]]')).rejects.toThrow('JSON knows no NaN')
    await expect(open('[[1, 2')).rejects.toThrow('cube.json: expected JSON')
    await expect(open({ data: [1, 2], shape: [3] })).rejects.toThrow('needed 3')
    await expect(open({ data: 'abc', shape: [3] })).rejects.toThrow('expected an array of numbers')
  })
})

describe('what is asked for in a wrong way', () => {
  test('a name that is not there is told with those that are', async () => {
    const file = await openTensorFile(fixture('stored.npz'), { name: 'w.npz' })
    await expect(file.read('atention')).rejects.toThrow(
      'w.npz: has no array "atention"; it holds "attention", "embeddings"',
    )
    await expect(file.read()).rejects.toThrow('name one of them')
    await expect(file.strings('attention')).rejects.toThrow(
      'w.npz#attention: expected texts, found numbers (float32)',
    )
    await expect(file.read('tokens')).rejects.toThrow('expected numbers, found texts')
  })

  test('a part that is not there is told with the bounds', async () => {
    const file = await openTensorFile(fixture('f4-little.npy'))
    for (const part of [
      { start: -1 },
      { end: 3 },
      { start: 2, end: 1 },
      { start: 0.5 },
      { start: [0, 0, 0, 0, 0] },
      { start: [0, 4] },
    ]) {
      await expect(file.read(undefined, part)).rejects.toThrow(RangeError)
    }
  })

  test('what is no file at all is refused', async () => {
    for (const source of [null, 7, {}, [1, 2]]) {
      const opening = openTensorFile(/** @type {any} */ (source))
      await expect(opening).rejects.toThrow(/^source was .*; it had to be a File or Blob/)
    }
  })

  test('a file that is closed reads no more, closing twice is harmless', async () => {
    const file = await openTensorFile(new Blob([fixture('f4-little.npy')]))
    const reading = file.read()
    file.close()
    file.close()
    await expect(reading).rejects.toThrow('closed')
    await expect(file.read()).rejects.toThrow('closed')
  })

  test('a signal ends opening and reading', async () => {
    const aborted = AbortSignal.abort()
    await expect(openTensorFile(fixture('f4-little.npy'), { signal: aborted })).rejects.toThrow()
    const file = await openTensorFile(fixture('deflated.npz'))
    await expect(file.read('attention', { signal: aborted })).rejects.toThrow(/abort/i)
  })
})

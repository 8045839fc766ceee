import { describe, expect, test } from 'vitest'
import { expectSame } from '../compare.js'
import { engine } from './loaded.js'

const { random } = engine

/** @type {((seed: number) => ReturnType<typeof random.numpyLegacy> | ReturnType<typeof random.torch>)[]} */
const STREAMS = [
  (seed) => random.numpyLegacy(seed),
  (seed) => random.numpyGenerator(seed),
  (seed) => random.torch(seed),
]

describe('a random stream', () => {
  test('does not know of other streams', () => {
    const [left, right] = [random.numpyLegacy(7), random.numpyLegacy(8)]
    const [first, other] = [left.randn(3), right.randn(3)]
    const alone = random.numpyLegacy(7)
    expectSame(alone.randn(3), first)
    expectSame(alone.randn(5), left.randn(5))
    expect(other.data).not.toEqual(first.data)
  })

  test('of NumPy gives the same in pieces and at once, in doubles', () => {
    for (const make of [random.numpyLegacy, random.numpyGenerator]) {
      const [pieces, whole] = [make.call(random, 3), make.call(random, 3)]
      const drawn = [...pieces.randn(3).data, ...pieces.randn([5]).data]
      expect(drawn).toEqual([...whole.randn(8).data])
      expect(whole.randn(1).data).toBeInstanceOf(Float64Array)
    }
  })

  test('of PyTorch gives float32', () => {
    const stream = random.torch(0)
    expect(stream.randn([2, 3])).toMatchObject({ shape: [2, 3], data: expect.any(Float32Array) })
    expect(stream.rand(4).data).toBeInstanceOf(Float32Array)
    expect(stream.linear(4, 2, { bias: false })).not.toHaveProperty('bias')
  })

  test('of PyTorch shifts and scales its normal numbers', () => {
    const plain = random.torch(1).randn(20)
    const moved = random.torch(1).normal(3, 2, 20)
    for (const [i, z] of plain.data.entries()) expect(moved.data[i]).toBeCloseTo(3 + 2 * z, 5)
  })

  test('fills a kept buffer', () => {
    const out = new Float64Array(4)
    expect(random.numpyLegacy(1).rand([2, 2], { out }).data).toBe(out)
    expectSame({ data: out, shape: [2, 2] }, random.numpyLegacy(1).rand([2, 2]))
  })

  test('draws nothing for an empty shape and stays where it was', () => {
    const stream = random.numpyGenerator(1)
    expect(stream.random([0, 3]).data).toHaveLength(0)
    expectSame(stream.random(3), random.numpyGenerator(1).random(3))
  })

  test('stays where it was when a draw is refused', () => {
    for (const make of STREAMS) {
      const [stream, other] = [make(4), make(4)]
      expectSame(stream.normal(0, 1, 3), other.normal(0, 1, 3))
      expect(() => stream.normal(0, 1, [2 ** 30, 4])).toThrow(RangeError)
      expect(() => stream.normal(0, 1, 3, { out: /** @type {any} */ ([]) })).toThrow(TypeError)
      expect(() => stream.normal(NaN, 1, 3)).toThrow(TypeError)
      expectSame(stream.normal(0, 1, 3), other.normal(0, 1, 3))
    }
  })

  test('has the same methods, whose numbers it is', () => {
    for (const make of STREAMS) {
      const shape = [2, 9]
      expect(make(5).random(shape)).toEqual(make(5).rand(shape))
      expect(make(5).normal(0, 1, shape)).toEqual(make(5).randn(shape))
      expect(make(5).rand(3).shape).toEqual([3])
    }
  })

  test.each([
    ['a negative seed', () => random.numpyLegacy(-1), RangeError, /^seed was -1/],
    ['a legacy seed of 2³²', () => random.numpyLegacy(2 ** 32), RangeError, /^seed was 4294967296/],
    ['half a seed', () => random.torch(0.5), RangeError, /^seed was 0.5/],
    ['a seed that is NaN', () => random.numpyGenerator(NaN), TypeError, /^seed was NaN/],
    [
      'a seed that is a string',
      () => random.torch(/** @type {any} */ ('1')),
      TypeError,
      /^seed was the string "1"/,
    ],
    [
      'a negative deviation',
      () => random.numpyLegacy(1).normal(0, -1, 3),
      RangeError,
      /^std was -1/,
    ],
    [
      'an infinite mean',
      () => random.numpyGenerator(1).normal(Infinity, 1, 3),
      TypeError,
      /^mean was Infinity/,
    ],
    ['a negative length', () => random.torch(1).randn([2, -1]), RangeError, /^shape\[1\] was -1/],
    [
      'more than there is memory',
      () => random.numpyLegacy(1).rand([2 ** 30, 2]),
      RangeError,
      /16\.0 GB/,
    ],
  ])('refuses %s', (_, draw, type, message) => {
    expect(draw).toThrow(type)
    expect(draw).toThrow(message)
  })
})

/**
 * An array whose bytes stand in a file.
 */
import { sizeOf } from '../engine/tensor.js'
import { arrayTypeOf, decodeNumbers, WIDTHS } from './dtypes.js'
import { rangesOf, runsOf } from './layout.js'
import { createPace } from './pace.js'

/**
 * @import { Dtype, NumberArray } from './dtypes.js'
 * @import { Part } from './layout.js'
 * @import { Source, Take } from './source.js'
 *
 * @typedef {object} StoredArray
 * @property {Source} source its bytes, and no others
 * @property {Dtype} dtype
 * @property {number[]} shape
 * @property {boolean} littleEndian
 * @property {boolean} fortranOrder whether the first axis varies fastest
 */

/**
 * Reads an array, or a part of it. Of a row-major array nothing but the part is read.
 *
 * @param {StoredArray} array
 * @param {Part} part
 * @param {{ where: string, maxBytes: number, signal?: AbortSignal }} options
 * @returns {Promise<{ data: NumberArray, shape: number[] }>} row-major
 * @throws {RangeError} if there is no such part, or it takes more than `maxBytes` of memory
 */
export async function readStored(array, part, { where, maxBytes, signal }) {
  const ranges = rangesOf(array.shape, part, where)
  const data = roomFor(array.dtype, ranges.shape, { where, maxBytes })
  const pace = createPace(signal)
  if (isColumnMajor(array)) await readColumns(array, ranges, data, pace, signal)
  else await readRuns(array, ranges, data, pace, signal)
  return { data, shape: ranges.shape }
}

/**
 * Whether the first axis varies fastest; along a single one both orders are the same.
 *
 * @param {{ fortranOrder: boolean, shape: readonly number[] }} array
 */
export function isColumnMajor({ fortranOrder, shape }) {
  return fortranOrder && shape.filter((length) => length > 1).length > 1
}

/**
 * @param {Dtype} dtype
 * @param {readonly number[]} shape
 * @param {{ where: string, maxBytes: number }} limit
 * @returns {NumberArray}
 */
function roomFor(dtype, shape, { where, maxBytes }) {
  const ArrayType = arrayTypeOf(dtype)
  const room = sizeOf(shape) * ArrayType.BYTES_PER_ELEMENT
  const advice = 'read a part of it with start and end'
  if (room > maxBytes) {
    throw new RangeError(`${where}: takes ${room} bytes, and at most ${maxBytes} may be; ${advice}`)
  }
  try {
    return new ArrayType(sizeOf(shape))
  } catch {
    throw new RangeError(`${where}: there is no memory for its ${room} bytes; ${advice}`)
  }
}

/**
 * @param {StoredArray} array
 * @param {ReturnType<typeof rangesOf>} ranges
 * @param {NumberArray} data
 * @param {() => Promise<void>} pace
 * @param {AbortSignal} [signal]
 */
async function readRuns(array, ranges, data, pace, signal) {
  const width = WIDTHS[array.dtype]
  let filled = 0
  /** @type {Take} */
  const take = async (piece) => {
    decodeNumbers(piece, array, data, filled)
    filled += piece.length / width
    await pace()
  }
  const runs = runsOf(array.shape, ranges)
  if (array.source.isSequential) {
    await feedInOnePass(array.source, [...runs], width, take, signal)
    return
  }
  for (const { start, end } of runs) {
    await array.source.feed(start * width, end * width, take, signal)
  }
}

/**
 * Runs of a stream that cannot go back.
 *
 * @param {Source} source
 * @param {{ start: number, end: number }[]} runs ascending, in entries
 * @param {number} width
 * @param {Take} take
 * @param {AbortSignal} [signal]
 */
async function feedInOnePass(source, runs, width, take, signal) {
  if (runs.length === 0) return
  const first = runs[0].start * width
  let at = first
  let next = 0
  await source.feed(
    first,
    runs[runs.length - 1].end * width,
    async (piece) => {
      const end = at + piece.length
      while (next < runs.length && runs[next].start * width < end) {
        const from = Math.max(runs[next].start * width, at)
        const to = Math.min(runs[next].end * width, end)
        await take(piece.subarray(from - at, to - at))
        if (to < runs[next].end * width) break
        next++
      }
      at = end
    },
    signal,
  )
}

/**
 * A part of a column-major array lies everywhere in it: all is read, and what is wanted put in its place.
 *
 * @param {StoredArray} array
 * @param {ReturnType<typeof rangesOf>} ranges
 * @param {NumberArray} data
 * @param {() => Promise<void>} pace
 * @param {AbortSignal} [signal]
 */
async function readColumns(array, ranges, data, pace, signal) {
  const { shape, dtype, source } = array
  if (data.length === 0) return
  const width = WIDTHS[dtype]
  const strides = ranges.shape.map((_, axis) => sizeOf(ranges.shape.slice(axis + 1)))
  const index = shape.map(() => 0)
  /** @param {number} axis */
  const isInside = (axis) => index[axis] >= ranges.starts[axis] && index[axis] < ranges.ends[axis]
  await source.feed(
    0,
    source.size,
    async (piece) => {
      const numbers = new (arrayTypeOf(dtype))(piece.length / width)
      decodeNumbers(piece, array, numbers, 0)
      for (let done = 0; done < numbers.length;) {
        // Along the first axis, as far as this piece goes.
        const count = Math.min(shape[0] - index[0], numbers.length - done)
        if (shape.every((_, axis) => axis === 0 || isInside(axis))) {
          const row = strides.reduce(
            (sum, stride, axis) =>
              axis === 0 ? sum : sum + stride * (index[axis] - ranges.starts[axis]),
            0,
          )
          const from = Math.max(index[0], ranges.starts[0])
          const to = Math.min(index[0] + count, ranges.ends[0])
          for (let i = from; i < to; i++) {
            data[row + strides[0] * (i - ranges.starts[0])] = numbers[done + i - index[0]]
          }
        }
        done += count
        index[0] += count
        for (let axis = 0; axis + 1 < shape.length && index[axis] === shape[axis]; axis++) {
          index[axis] = 0
          index[axis + 1]++
        }
      }
      await pace()
    },
    signal,
  )
}

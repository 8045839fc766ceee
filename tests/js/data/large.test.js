import { describe, expect, test } from 'vitest'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js'
import { npyBytes, openTensorFile, safetensorsBytes } from '../../../web/data/index.js'
import { PIECE } from '../../../web/data/source.js'
import { CountingBlob, littleEndian, npyFile, npyHeader, safetensorsFile } from './byte-layouts.js'

/** (layers, h, N, M) of float16: 500 MB. */
const SHAPE = [25, 10, 1000, 1000]
const NUMBERS = 250_000_000

const npyStart = npyFile(npyHeader("'<f2'", `(${SHAPE.join(', ')})`))

/** A stored member, after the description of the format. @param {Uint8Array} npy its start */
function npzOf(npy) {
  const name = Array.from('a.npy', (character) => character.charCodeAt(0))
  const size = littleEndian(npy.length + 2 * NUMBERS, 4)
  const fields = [20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...size, ...size, name.length, 0, 0, 0]
  const head = Uint8Array.from([0x50, 0x4b, 3, 4, ...fields, ...name, ...npy])
  const offset = head.length + 2 * NUMBERS
  const directory = [
    ...[0x50, 0x4b, 1, 2, 20, 0, ...fields],
    ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ...name],
  ]
  const end = [
    ...[0x50, 0x4b, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0],
    ...[...littleEndian(directory.length, 4), ...littleEndian(offset, 4), 0, 0],
  ]
  const tail = Uint8Array.from([...directory, ...end])
  return new CountingBlob(head, offset + tail.length, tail)
}

const header = { a: { dtype: 'F16', shape: SHAPE, data_offsets: [0, 2 * NUMBERS] } }
const safetensorsStart = safetensorsFile(header)

const files = /** @type {[string, () => CountingBlob][]} */ ([
  ['.npy', () => new CountingBlob(npyStart, npyStart.length + 2 * NUMBERS)],
  ['.npz', () => npzOf(npyStart)],
  ['.safetensors', () => new CountingBlob(safetensorsStart, safetensorsStart.length + 2 * NUMBERS)],
])

describe('a file of 500 MB', () => {
  test.each(files)(
    '%s: opening reads less than 1 MB, and a head only the head',
    async (_, make) => {
      const blob = make()
      const file = await openTensorFile(blob)
      expect(blob.size).toBeGreaterThan(500_000_000)
      expect(file.arrays).toMatchObject([{ dtype: 'float16', shape: SHAPE, bytes: 2 * NUMBERS }])
      expect(blob.read).toBeLessThan(1_000_000)
      Object.assign(blob, { read: 0, slices: 0 })
      const { data, shape } = await file.read(file.arrays[0].name, {
        start: [24, 9],
        end: [25, 10],
      })
      expect(shape).toEqual([1, 1, 1000, 1000])
      expect(data.length).toBe(1_000_000)
      expect(blob.read).toBe(2_000_000)
      expect(blob.largest).toBeLessThanOrEqual(PIECE)
      expect(blob.slices).toBe(Math.ceil(2_000_000 / PIECE))
    },
  )
})

test('heads of all layers are read without what lies between them', async () => {
  const [, make] = files[0]
  const blob = make()
  const file = await openTensorFile(blob)
  blob.read = 0
  const { shape } = await file.read(undefined, { start: [0, 3], end: [5, 4] })
  expect(shape).toEqual([5, 1, 1000, 1000])
  expect(blob.read).toBe(10_000_000)
})

test('of a deflated array no more is unpacked than its header takes', async () => {
  let state = 1
  const data = Float32Array.from(
    { length: 1_000_000 },
    () => (state = (state * 48271) % 2147483647),
  )
  const zip = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false })
  const npy = npyBytes({ data, shape: [1000, 1000] })
  for (const name of ['a.npy', 'b.npy']) await zip.add(name, new Uint8ArrayReader(npy))
  const bytes = await zip.close()
  const blob = new CountingBlob(bytes, bytes.length)
  const file = await openTensorFile(blob)
  expect(file.arrays.map(({ shape }) => shape)).toEqual([
    [1000, 1000],
    [1000, 1000],
  ])
  expect(blob.size).toBeGreaterThan(5_000_000)
  expect(blob.read).toBeLessThan(500_000)
  blob.read = 0
  const row = await file.read('b', { start: 1, end: 2 })
  expect(row.data).toEqual(data.slice(1000, 2000))
  expect(blob.read).toBeLessThan(500_000)
})

test('what takes more memory than is allowed is refused before anything is read', async () => {
  const [, make] = files[0]
  const blob = make()
  const file = await openTensorFile(blob, { maxBytes: 600_000_000 })
  blob.read = 0
  await expect(file.read()).rejects.toThrow(
    'takes 1000000000 bytes, and at most 600000000 may be; read a part of it with start and end',
  )
  expect(blob.read).toBe(0)
})

describe('a page goes on while an array is read', () => {
  const tensor = { data: new Float32Array(8_000_000).fill(0.25), shape: [8, 1000, 1000] }
  const kinds = /** @type {[string, () => Promise<Uint8Array> | Uint8Array][]} */ ([
    ['.npy', () => npyBytes(tensor)],
    ['.safetensors', () => safetensorsBytes({ a: tensor })],
    ['.npy in opposite byte order', () => bigEndian(npyBytes(tensor))],
  ])

  /** @param {Uint8Array} bytes */
  function bigEndian(bytes) {
    bytes[bytes.indexOf(0x3c)] = 0x3e
    return bytes
  }

  test.each(kinds)('%s', async (_, make) => {
    // In memory nothing else lets events have their turn.
    const file = await openTensorFile(await make())
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    try {
      const pieces = Array.from({ length: 4 }, () => file.read())
      await Promise.all(pieces)
    } finally {
      clearInterval(timer)
    }
    expect(turns).toBeGreaterThan(1)
  })
})

test('a reading that is given up stops at the next slice', async () => {
  const [, make] = files[0]
  const blob = make()
  const file = await openTensorFile(blob)
  blob.read = 0
  const stop = new AbortController()
  const reading = file.read(undefined, { start: 0, end: 5, signal: stop.signal })
  stop.abort()
  await expect(reading).rejects.toThrow(/abort/i)
  expect(blob.read).toBeLessThanOrEqual(PIECE)
})

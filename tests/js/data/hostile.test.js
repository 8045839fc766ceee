import { describe, expect, test } from 'vitest'
import { ZipWriter, BlobWriter, BlobReader } from '@zip.js/zip.js'
import { npyBytes, npzBlob, openTensorFile } from '../../../web/data/index.js'
import { littleEndian, npyFile, npyHeader, safetensorsFile } from './byte-layouts.js'
import { fixture } from './fixtures.js'

/** @import { TensorFile } from '../../../web/data/tensor-file.js' */

const FOUR = new Uint8Array(16)
const NUMBERS = new Uint8Array(64)

/**
 * Opening, or reading what was opened, fails with words of ours.
 *
 * @param {Uint8Array<ArrayBuffer> | Blob} bytes
 * @param {RegExp} message
 * @param {object} [options]
 */
async function expectRefused(bytes, message, options = {}) {
  /** @param {TensorFile} file */
  const readAll = async (file) => {
    for (const { name, dtype } of file.arrays) {
      if (dtype === 'str') await file.strings(name)
      else await file.read(name)
    }
  }
  const error = await openTensorFile(bytes, { name: 'it', ...options })
    .then(readAll)
    .then(
      () => null,
      (error) => error,
    )
  expect(error, 'nothing was refused').not.toBeNull()
  expect(error.message).toMatch(message)
  expect(error.message).toMatch(/^it\b/)
  expect([TypeError, RangeError]).toContain(error.constructor)
}

describe('damaged and hostile .npy files get a message', () => {
  const fine = npyHeader("'<f4'", '(4,)')

  test('without damage the file is read', async () => {
    const file = await openTensorFile(npyFile(fine, FOUR))
    expect((await file.read()).shape).toEqual([4])
  })

  test.each(
    /** @type {[string, Uint8Array<ArrayBuffer>, RegExp][]} */ ([
      ['nothing but the magic', npyFile('').subarray(0, 6), /got 6 bytes/],
      ['cut off before the header', npyFile(fine).subarray(0, 10), /ends within its header/],
      ['cut off within the header', npyFile(fine).subarray(0, 40), /ends within its header/],
      ['a header said to be longer', npyFile(fine, FOUR, { length: 500 }), /within its header/],
      ['a header of 2 GB', npyFile(fine, [], { version: 2, length: 2 ** 31 - 1 }), /is longer/],
      ['version 4', npyFile(fine, FOUR, { version: 4 }), /version 1, 2 or 3/],
      ['too few numbers', npyFile(fine, FOUR.subarray(1)), /needs 16 bytes, but .* ends after 15/],
      ['too many numbers', npyFile(fine, new Uint8Array(17)), /goes on for 1 more/],
      ['an absurd shape', npyFile(npyHeader("'<f4'", '(4294967296, 4294967296)'), FOUR), /no file/],
      ['a shape past numbers', npyFile(npyHeader("'<f4'", '(99999999999999999999,)')), /whole num/],
      [
        'a shape that hides behind 0',
        npyFile(npyHeader("'<f4'", '(0, 9007199254740991, 9007199254740991)')),
        /no file/,
      ],
      ['a negative length', npyFile(npyHeader("'<f4'", '(-4, -1)'), FOUR), /whole numbers from 0/],
      ['a length that is a text', npyFile(npyHeader("'<f4'", "('4',)"), FOUR), /whole numbers/],
      ['40 axes', npyFile(npyHeader("'<f4'", `(${'1, '.repeat(40)})`), FOUR), /at most 32 axes/],
      ['no shape', npyFile("{'descr': '<f4', 'fortran_order': False}", FOUR), /expected the keys/],
      ['a key more', npyFile(`${fine.trim().slice(0, -1)}'x': 1}`, FOUR), /expected the keys/],
      ['a key twice', npyFile(`${fine.trim().slice(0, -1)}'shape': (1,)}`, FOUR), /"shape"/],
      ['code in the header', npyFile(npyHeader("'<f4'", '__import__("os")'), FOUR), /a value/],
      ['an expression', npyFile(npyHeader("'<f4'", '(2 * 2,)'), FOUR), /a comma or \)/],
      ['more after the dictionary', npyFile(`${fine}; print(1)`, FOUR), /nothing more/],
      ['an open bracket', npyFile("{'descr': '<f4', 'shape': (4,", FOUR), /a value|the end/],
      ['deep nesting', npyFile(`{'descr': ${'['.repeat(9000)}`, FOUR), /nested so deep/],
      ['an escape', npyFile(npyHeader("'<f\\x34'", '(4,)'), FOUR), /a value/],
      ['fortran_order 1', npyFile(npyHeader("'<f4'", '(4,)', '1'), FOUR), /True or False/],
      ['pickled objects', npyFile(npyHeader("'|O'", '(4,)'), FOUR), /Python objects/],
      ['a long double', npyFile(npyHeader("'<f16'", '(1,)'), FOUR), /another width/],
      ['a kind that is none', npyFile(npyHeader("'<q4'", '(4,)'), FOUR), /the kind .*<q4/],
      ['a kind with more behind it', npyFile(npyHeader("'<f4;'", '(4,)'), FOUR), /<f4;|another w/],
      ['a kind that is a number', npyFile(npyHeader('4', '(4,)'), FOUR), /the kind 4/],
      ['texts wider than memory', npyFile(npyHeader("'<U999999999'", '(1,)'), FOUR), /the kind/],
      ['no characters, 10⁹ times', npyFile(npyHeader("'<U0'", '(1000000000,)')), /too many/],
      [
        'a character past Unicode',
        npyFile(npyHeader("'<U1'", '(1,)'), [255, 255, 255, 255]),
        /text 0 is damaged/,
      ],
    ]),
  )('%s', (_, bytes, message) => expectRefused(bytes, message))
})

describe('damaged and hostile .safetensors files get a message', () => {
  /** @param {object} [change] */
  const tensor = (change) => ({ dtype: 'F32', shape: [2, 2], data_offsets: [0, 16], ...change })

  test('without damage the file is read', async () => {
    const file = await openTensorFile(safetensorsFile({ a: tensor() }, FOUR))
    expect((await file.read('a')).shape).toEqual([2, 2])
  })

  const text = JSON.stringify(tensor())
  test.each(
    /** @type {[string, Uint8Array<ArrayBuffer>, RegExp][]} */ ([
      ['cut off', safetensorsFile({ a: tensor() }).subarray(0, 9), /ends within its header/],
      ['a header past the end', safetensorsFile({}, [], 1000), /take 1000 bytes, but the file/],
      ['a header of 101 MB', safetensorsFile({}, [], 101_000_000), /is longer than 100000000/],
      ['a header of 2⁴⁷ bytes', safetensorsFile({}, [], 2 ** 47), /is longer/],
      ['a header that is no JSON', safetensorsFile('{"a": nope}'), /damaged header/],
      ['a header in no UTF-8', safetensorsFile({ a: 1 }).fill(0xff, 11, 12), /damaged header/],
      ['one name twice', safetensorsFile(`{"a":${text},"a":${text}}`, FOUR), /one name/],
      [
        'one name twice, escaped',
        safetensorsFile(`{"a":${text},"\\u0061":${text}}`, FOUR),
        /one n/,
      ],
      ['no object', safetensorsFile({ a: [1] }, FOUR), /it#a: expected an object/],
      ['no dtype', safetensorsFile({ a: tensor({ dtype: 4 }) }, FOUR), /it#a: expected a dtype/],
      ['another dtype', safetensorsFile({ a: tensor({ dtype: 'F8_E4M3' }) }, FOUR), /F8_E4M3/],
      ['a dtype of objects', safetensorsFile({ a: tensor({ dtype: 'toString' }) }, FOUR), /toStr/],
      ['no shape', safetensorsFile({ a: tensor({ shape: 4 }) }, FOUR), /expected a shape/],
      ['a negative length', safetensorsFile({ a: tensor({ shape: [-2, -2] }) }, FOUR), /from 0/],
      ['half a length', safetensorsFile({ a: tensor({ shape: [0.5, 8] }) }, FOUR), /whole numbers/],
      [
        'an absurd shape',
        safetensorsFile({ a: tensor({ shape: [2 ** 40, 2 ** 40] }) }, FOUR),
        /no/,
      ],
      ['another size', safetensorsFile({ a: tensor({ shape: [3] }) }, FOUR), /needs 12 bytes/],
      [
        'offsets past the end',
        safetensorsFile({ a: tensor({ data_offsets: [0, 32] }) }, FOUR),
        /data_offsets within the 16 bytes/,
      ],
      ['offsets turned', safetensorsFile({ a: tensor({ data_offsets: [16, 0] }) }, FOUR), /within/],
      ['negative ones', safetensorsFile({ a: tensor({ data_offsets: [-16, 0] }) }, FOUR), /within/],
      ['one offset', safetensorsFile({ a: tensor({ data_offsets: [0] }) }, FOUR), /within/],
      ['texts', safetensorsFile({ a: tensor({ data_offsets: ['0', '16'] }) }, FOUR), /within/],
      [
        'an overlap',
        safetensorsFile({ a: tensor(), b: tensor({ data_offsets: [8, 24] }) }, new Uint8Array(24)),
        /it#b: overlaps/,
      ],
      [
        'a hole',
        safetensorsFile({ a: tensor({ data_offsets: [4, 20] }) }, new Uint8Array(20)),
        /4 bytes before #a/,
      ],
      ['trailing data', safetensorsFile({ a: tensor() }, NUMBERS), /goes on for 48 bytes/],
      ['metadata of numbers', safetensorsFile({ __metadata__: { a: 1 } }), /of texts/],
    ]),
  )('%s', (_, bytes, message) => expectRefused(bytes, message))
})

describe('damaged and hostile .npz files get a message', () => {
  /** @param {Record<string, Uint8Array<ArrayBuffer>>} members @param {object} [options] */
  async function zipOf(members, options = {}) {
    const zip = new ZipWriter(new BlobWriter(), { useWebWorkers: false, ...options })
    for (const [name, bytes] of Object.entries(members)) {
      await zip.add(name, new BlobReader(new Blob([bytes])))
    }
    return new Uint8Array(await (await zip.close()).arrayBuffer())
  }

  /** Where a mark begins, from the end. @param {Uint8Array} bytes @param {number[]} mark */
  function lastIndexOf(bytes, mark) {
    for (let at = bytes.length - mark.length; at >= 0; at--) {
      if (mark.every((byte, i) => bytes[at + i] === byte)) return at
    }
    throw new Error('no such mark')
  }

  const CENTRAL = [0x50, 0x4b, 1, 2]
  const matrix = npyBytes({ data: new Float32Array(10_000), shape: [100, 100] })

  test('deflated, stored and zip64 are read where nothing is wrong', async () => {
    for (const options of [{}, { level: 0 }, { zip64: true }, { zip64: true, level: 0 }]) {
      const file = await openTensorFile(await zipOf({ 'a.npy': matrix }, options))
      expect((await file.read('a')).shape).toEqual([100, 100])
    }
  })

  test('cut off anywhere', async () => {
    const bytes = await zipOf({ 'a.npy': matrix })
    for (const share of [0.1, 0.5, 0.9, 0.99]) {
      const cut = bytes.slice(0, Math.floor(bytes.length * share))
      await expectRefused(cut, /damaged or cut-off archive/)
    }
  })

  test('a bomb: more than is allowed', async () => {
    const bomb = npyBytes({ data: new Float32Array(2_000_000), shape: [2_000_000] })
    const bytes = await zipOf({ 'a.npy': bomb })
    expect(bytes.length).toBeLessThan(20_000)
    await expectRefused(bytes, /it#a: unpacks to 8000128 bytes, and at most 1000000 may be/, {
      maxBytes: 1_000_000,
    })
  })

  test('a bomb that says it is small', async () => {
    const bomb = npyFile(npyHeader("'<f4'", '(4,)'), new Uint8Array(2_000_000))
    const bytes = await zipOf({ 'a.npy': bomb })
    const at = lastIndexOf(bytes, CENTRAL)
    bytes.set(littleEndian(bomb.length - 2_000_000 + 16, 4), at + 24)
    await expectRefused(bytes, /it#a/)
  })

  test('more data than the header of the array says', async () => {
    const long = npyFile(npyHeader("'<f4'", '(4,)'), new Uint8Array(2_000_000))
    await expectRefused(await zipOf({ 'a.npy': long }), /needs 16 bytes, but .* 1999984 more/)
  })

  test('less data than the archive says', async () => {
    const bytes = await zipOf({ 'a.npy': matrix })
    bytes.set(littleEndian(matrix.length + 4, 4), lastIndexOf(bytes, CENTRAL) + 24)
    await expectRefused(bytes, /it#a/)
  })

  test('a damaged byte of what is deflated', async () => {
    const random = Float64Array.from({ length: 1000 }, (_, i) => Math.sin(i))
    const bytes = await zipOf({ 'a.npy': npyBytes({ data: random, shape: [1000] }) })
    bytes[4000] ^= 0x55
    await expectRefused(bytes, /it#a: damaged/)
  })

  test('a wrong check sum', async () => {
    const bytes = await zipOf({ 'a.npy': matrix })
    bytes[14] ^= 1
    bytes[lastIndexOf(bytes, CENTRAL) + 16] ^= 1
    await expectRefused(bytes, /it#a: damaged/)
  })

  test('one name twice', async () => {
    const bytes = await zipOf({ 'a.npy': matrix, 'b.npy': matrix })
    const b = 'b'.charCodeAt(0)
    const ends = [...bytes.keys()].filter((at) => bytes[at] === b && bytes[at + 1] === 0x2e)
    for (const at of ends) bytes[at]--
    await expectRefused(bytes, /two arrays have one name|damaged/)
  })

  test('a member that is said to lie outside', async () => {
    for (const level of [0, 6]) {
      const bytes = await zipOf({ 'a.npy': matrix }, { level })
      bytes.set(littleEndian(2 ** 31, 4), lastIndexOf(bytes, CENTRAL) + 42)
      await expectRefused(bytes, /^it/)
    }
  })

  test('encrypted', async () => {
    const options = { password: 'secret', encryptionStrength: /** @type {3} */ (3) }
    await expectRefused(await zipOf({ 'a.npy': matrix }, options), /it#a: is encrypted/)
  })

  test('another method', async () => {
    const bytes = await zipOf({ 'a.npy': matrix })
    bytes.set([12, 0], lastIndexOf(bytes, CENTRAL) + 10)
    await expectRefused(bytes, /stored or deflated, got method 12/)
  })

  test('no arrays, and a file of torch.save', async () => {
    await expectRefused(await zipOf({ 'a.txt': matrix }), /expected \.npy files .* got a\.txt/)
    await expectRefused(await zipOf({}), /got nothing/)
    await expectRefused(await zipOf({ 'archive/data.pkl': matrix }), /torch\.save/)
  })

  test('one damaged array loses nothing of the others', async () => {
    const bytes = await zipOf({ 'good.npy': matrix, 'bad.npy': matrix.slice(0, 50) })
    const file = await openTensorFile(bytes, { name: 'it' })
    expect((await file.read('good')).shape).toEqual([100, 100])
    await expect(file.read('bad')).rejects.toThrow('it#bad: ends within its header')
  })
})

describe('files of other kinds get a message', () => {
  /** @param {string} text */
  const encode = (text) => new TextEncoder().encode(text)

  test.each(
    /** @type {[string, Uint8Array<ArrayBuffer>, RegExp][]} */ ([
      ['nothing', new Uint8Array(), /it is empty/],
      ['one byte', Uint8Array.of(7), /got other bytes/],
      ['a page', encode('<!doctype html><title>404'), /got an HTML page instead/],
      ['a text', encode('0.5,0.5\n1,0\n'), /got the text "0.5,0.5/],
      ['gzip', Uint8Array.of(0x1f, 0x8b, 8, 0), /unpack it first/],
      ['a pickle', Uint8Array.of(0x80, 4, 0x95, 0), /pickle, which can run code/],
      ['HDF5', Uint8Array.of(0x89, 0x48, 0x44, 0x46, 13, 10), /HDF5/],
      ['JSON that is cut off', encode('{"attention": [[0.5'), /expected JSON/],
      ['JSON in no UTF-8', Uint8Array.of(0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d), /UTF-8/],
      ['deep JSON', encode('['.repeat(100_000) + ']'.repeat(100_000)), /dimensions|stack/],
    ]),
  )('%s', (_, bytes, message) => expectRefused(bytes, message))

  test('JSON that is too long to be read at once', async () => {
    const blob = new Blob(['[', new Uint8Array(2 ** 26).fill(0x20), '1]'])
    await expectRefused(blob, /is longer than 67108864; save it as \.npy/)
  })

  test('whatever is cut off or bent, nothing but words comes of it', async () => {
    const names = ['stored.npz', 'deflated.npz', 'all.safetensors', 'f4-little.npy', 'tokens.npy']
    let seed = 1
    const random = (/** @type {number} */ below) => {
      seed = (seed * 48271) % 2147483647
      return seed % below
    }
    for (const name of names) {
      const bytes = fixture(name)
      for (let run = 0; run < 150; run++) {
        const bent = bytes.slice(0, run % 3 === 0 ? random(bytes.length) : bytes.length)
        for (let i = 0; i < 4 && bent.length > 0; i++) bent[random(bent.length)] = random(256)
        try {
          const file = await openTensorFile(bent)
          for (const { name, dtype } of file.arrays) {
            await (dtype === 'str' ? file.strings(name) : file.read(name)).catch(requireWords)
          }
        } catch (error) {
          requireWords(error)
        }
      }
    }
    /** @param {unknown} error */
    function requireWords(error) {
      expect([TypeError, RangeError]).toContain(/** @type {Error} */ (error).constructor)
      expect(/** @type {Error} */ (error).message).toMatch(/^(the file|array)/)
    }
  })

  test('the archive that is bent is not ours alone: npzBlob makes one that is read', async () => {
    const file = await openTensorFile(await npzBlob({ a: [[1, 2]] }))
    expect((await file.read('a')).data).toEqual(Float64Array.of(1, 2))
  })
})

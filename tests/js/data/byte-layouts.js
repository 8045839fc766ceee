/**
 * Files byte by byte, as their formats are described, so that any byte of them can be wrong.
 */

/**
 * @param {string} header the dictionary
 * @param {ArrayLike<number>} [bytes] that follow it
 * @param {{ version?: number, length?: number }} [options] `length`: what the header says of its own length
 */
export function npyFile(header, bytes = [], { version = 1, length = header.length } = {}) {
  const lengthBytes = version === 1 ? [length & 255, length >> 8] : littleEndian(length, 4)
  const text = Array.from(header, (character) => character.charCodeAt(0))
  const magic = [0x93, ...Array.from('NUMPY', (character) => character.charCodeAt(0))]
  return Uint8Array.from([...magic, version, 0, ...lengthBytes, ...text, ...Array.from(bytes)])
}

/** @param {string} descr @param {string} shape @param {string} [order] */
export function npyHeader(descr, shape, order = 'False') {
  return `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }\n`
}

/**
 * @param {unknown} header an object, or its text
 * @param {ArrayLike<number>} [bytes]
 * @param {number | bigint} [length] what the file says of the header's length
 */
export function safetensorsFile(header, bytes = [], length) {
  const text = typeof header === 'string' ? header : JSON.stringify(header)
  const encoded = new TextEncoder().encode(text)
  const lengthBytes = littleEndian(length ?? encoded.length, 8)
  return Uint8Array.from([...lengthBytes, ...encoded, ...Array.from(bytes)])
}

/** @param {number | bigint} value @param {number} count of bytes */
export function littleEndian(value, count) {
  return Array.from({ length: count }, (_, i) => Number((BigInt(value) >> BigInt(8 * i)) & 255n))
}

/**
 * A Blob that counts what is read of it, and of which whole parts may be zeros that take no memory.
 */
export class CountingBlob extends Blob {
  read = 0
  slices = 0
  largest = 0

  /** @param {Uint8Array} head @param {number} size @param {Uint8Array} [tail] */
  constructor(head, size, tail = new Uint8Array()) {
    super([])
    this.head = head
    this.tail = tail
    this.length = size
  }

  /** @override */
  get size() {
    return this.length
  }

  /** @override @param {number} [start] @param {number} [end] */
  slice(start = 0, end = this.length) {
    this.read += end - start
    this.slices++
    this.largest = Math.max(this.largest, end - start)
    const bytes = new Uint8Array(end - start)
    bytes.set(this.head.subarray(start, end))
    const tailStart = this.length - this.tail.length
    if (end > tailStart) {
      const from = Math.max(start, tailStart)
      bytes.set(this.tail.subarray(from - tailStart, end - tailStart), from - start)
    }
    return new Blob([bytes])
  }

  /** @override @returns {never} */
  arrayBuffer() {
    throw new Error('the whole file was read')
  }

  /** @override @returns {never} */
  stream() {
    throw new Error('the whole file was read')
  }

  /** @override @returns {never} */
  text() {
    throw new Error('the whole file was read')
  }
}

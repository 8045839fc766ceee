/**
 * One call's buffers: they are declared first, then laid out in the engine's block, and the call
 * runs only if they fit. Inputs are copied in, results copied out; nothing returned points into
 * WebAssembly memory.
 */
import { keptBuffer, overlaps } from './kept-buffer.js'
import { formatBytes, MOST_BYTES } from './memory.js'
import { sizeOf } from './tensor.js'

/** @import { KeptBuffer } from './kept-buffer.js' */
/** @import { ArrayType, Memory } from './memory.js' */
/** @import { Handle } from './module.js' */
/** @import { Tensor, TensorData } from './tensor.js' */

/**
 * A place in the block. `offset` is known once the call runs.
 * @typedef {object} Slot
 * @property {ArrayType} Type
 * @property {number} length entries
 * @property {number} offset bytes from the block's start
 * @property {ArrayLike<number>} [data] copied in
 * @property {string} [name] of a result
 * @property {number[]} [shape] of a result
 * @property {KeptBuffer} [out] the caller's own buffer for a result
 */
/** @typedef {(slot: Slot | undefined) => number} AddressOf 0 for a slot that is not there */

const ALIGNMENT = 16

/** Results below this size share one ArrayBuffer: a copy costs about 1 µs whatever its size. */
const SHARED_RESULT_BYTES = 2 ** 20

export class CallBuffers {
  #memory
  #operation
  #advice
  /** @type {Slot[]} */
  #slots = []
  /** @type {Slot[]} */
  #results = []
  /** @type {{ name: string, data: TensorData }[]} the caller's buffers so far */
  #kept = []

  /**
   * @param {Memory} memory
   * @param {string} operation for the message when memory is too small
   * @param {string} [advice] what the caller may do then
   */
  constructor(memory, operation, advice = 'cut the input into smaller parts') {
    this.#memory = memory
    this.#operation = operation
    this.#advice = advice
  }

  /**
   * @param {ArrayLike<number> | undefined} data copied in when the call runs; undefined = no slot
   * @param {ArrayType} [Type] float32 as kernels want it, whatever `data` is
   * @returns {Slot | undefined}
   */
  input(data, Type = Float32Array) {
    if (!data) return undefined
    return this.#add({ Type, length: data.length, offset: 0, data })
  }

  /**
   * Room that the call writes and nobody reads afterwards.
   * @param {number} length
   * @param {ArrayType} [Type]
   */
  scratch(length, Type = Float32Array) {
    return this.#add({ Type, length, offset: 0 })
  }

  /**
   * Room for a result of this name.
   * @param {string} name
   * @param {number[]} shape
   * @param {ArrayType} [Type]
   * @param {unknown} [out] the caller's buffer to fill: a tensor of this shape, or its data alone
   * @param {string} [outName] for messages
   */
  result(name, shape, Type = Float32Array, out = undefined, outName = `out.${name}`) {
    const kept = this.keep(shape, Type, out, outName)
    const slot = { Type, length: sizeOf(shape), offset: 0, name, shape, out: kept }
    this.#results.push(slot)
    return slot
  }

  /**
   * The caller's buffer for a result, checked; undefined if there is none.
   * @param {number[]} shape
   * @param {ArrayType} Type
   * @param {unknown} out
   * @param {string} outName for messages
   * @throws {RangeError} if another result is to go to the same memory: one would overwrite the other
   */
  keep(shape, Type, out, outName) {
    const kept = keptBuffer(out, shape, Type, outName)
    if (!kept) return undefined
    for (const { name, data } of this.#kept) {
      if (overlaps(data, kept.data)) {
        throw new RangeError(`${outName} shared memory with ${name}; it had to have its own`)
      }
    }
    this.#kept.push({ name: outName, data: kept.data })
    return kept
  }

  /**
   * Lays out, checks, copies in, computes, copies out.
   * @param {object} work
   * @param {(at: AddressOf) => void} [work.fill] writes addresses where the kernel looks for them
   * @param {() => number} [work.workspaceBytes] what the kernel will allocate besides, asked after `fill`
   * @param {(at: AddressOf) => number | void} work.compute returns 0, or another number when memory ran out
   * @returns {Record<string, Tensor<any>>} the results by name
   * @throws {RangeError} if memory is too small; nothing was computed then
   */
  run({ fill, workspaceBytes, compute }) {
    const { bytes, resultStart } = this.#layOut()
    let base = bytes <= MOST_BYTES ? this.#memory.kept(bytes) : 0
    /** @type {AddressOf} */
    const at = (slot) => (slot ? base + slot.offset : 0)

    const isKept = base !== 0
    // Any address will do to ask for the workspace, which depends on what is there, not on where.
    if (!isKept) base = ALIGNMENT
    fill?.(at)
    const needed = bytes + (workspaceBytes?.() ?? 0)
    if (needed > MOST_BYTES) throw this.#tooLarge(needed)
    if (!isKept) {
      base = this.#memory.open(bytes)
      if (base === 0) throw this.#tooLarge(needed)
      fill?.(at)
    }
    try {
      for (const slot of this.#slots) {
        if (slot.data)
          this.#memory.view(slot.Type).set(slot.data, at(slot) / slot.Type.BYTES_PER_ELEMENT)
      }
      if (compute(at)) throw this.#tooLarge(needed, 'more than ')
      return this.#copyOut(base, resultStart, bytes)
    } finally {
      this.#memory.close()
    }
  }

  /**
   * Like `run`, for calls that make an object in WebAssembly memory.
   * @template {Handle} H
   * @param {object} work
   * @param {(at: AddressOf) => void} [work.fill]
   * @param {() => number} work.bytes what the object will occupy, asked after `fill`
   * @param {(at: AddressOf) => H | null} work.make returns null when memory ran out
   * @returns {H} the caller deletes it
   * @throws {RangeError} if memory is too small
   */
  make({ fill, bytes, make }) {
    /** @type {H | null} */
    let made = null
    this.run({
      fill,
      workspaceBytes: bytes,
      compute: (at) => {
        made = make(at)
        return made ? 0 : 1
      },
    })
    return /** @type {H} */ (/** @type {unknown} */ (made))
  }

  /** @param {Slot} slot */
  #add(slot) {
    this.#slots.push(slot)
    return slot
  }

  /** Inputs and scratch first, results with a buffer of their own, then the others side by side. */
  #layOut() {
    let bytes = 0
    /** @param {Slot} slot */
    const place = (slot) => {
      slot.offset = bytes
      bytes += Math.ceil((slot.length * slot.Type.BYTES_PER_ELEMENT) / ALIGNMENT) * ALIGNMENT
    }
    for (const slot of this.#slots) place(slot)
    for (const slot of this.#results) if (slot.out) place(slot)
    const resultStart = bytes
    for (const slot of this.#results) if (!slot.out) place(slot)
    // Never empty, so that the address of an empty array is not 0, which would mean 'absent'.
    return { bytes: Math.max(bytes, ALIGNMENT), resultStart }
  }

  /**
   * @param {number} base
   * @param {number} resultStart
   * @param {number} bytes
   */
  #copyOut(base, resultStart, bytes) {
    const { buffer } = this.#memory
    /** @type {Record<string, Tensor<any>>} */
    const results = {}
    const shared =
      bytes - resultStart <= SHARED_RESULT_BYTES
        ? this.#copy(buffer, base + resultStart, base + bytes)
        : undefined
    for (const { Type, length, offset, name = '', shape = [], out } of this.#results) {
      if (out) {
        out.data.set(new Type(/** @type {any} */ (buffer), base + offset, length))
        results[name] = out.tensor
      } else {
        const from = base + offset
        const end = from + length * Type.BYTES_PER_ELEMENT
        const data = shared
          ? new Type(shared, offset - resultStart, length)
          : new Type(this.#copy(buffer, from, end))
        results[name] = { data, shape }
      }
    }
    return results
  }

  /**
   * @param {ArrayBufferLike} buffer
   * @param {number} from
   * @param {number} to
   * @returns {ArrayBuffer}
   */
  #copy(buffer, from, to) {
    try {
      return /** @type {ArrayBuffer} */ (buffer.slice(from, to))
    } catch (cause) {
      throw new RangeError(
        `${this.#operation} could not get ${formatBytes(to - from)} for its result; ${this.#advice}`,
        { cause },
      )
    }
  }

  /**
   * @param {number} bytes
   * @param {'' | 'more than '} [least] 'more than' where so much was to be had, and more asked for
   */
  #tooLarge(bytes, least = '') {
    const size = `${least}${formatBytes(bytes)} of WebAssembly memory`
    const most = `at most ${formatBytes(MOST_BYTES)}`
    const reason =
      bytes > MOST_BYTES
        ? `more than there is (${most}); `
        : `of which less is free (of ${most}); dispose of layers and caches that are done with, or `
    return new RangeError(`${this.#operation} would need ${size}, ${reason}${this.#advice}`)
  }
}

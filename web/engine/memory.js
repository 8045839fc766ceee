/**
 * The engine's share of WebAssembly memory: one block, reused by every call.
 *
 * Growing the memory detaches every view of it (a stale view silently reads as empty), so views are
 * asked for anew after anything that may allocate.
 */

/** @import { WasmModule } from './module.js' */

/** Above this size a block is given back when its call ends; below, it is kept for the next call. */
const KEPT_BYTES = 2 ** 25
const LEAST_BYTES = 2 ** 16

/** What 32-bit addresses reach. */
export const MOST_BYTES = 2 ** 32

/** @typedef {Float32ArrayConstructor | Float64ArrayConstructor | Int32ArrayConstructor | Uint8ArrayConstructor} ArrayType */

export class Memory {
  #module
  #block = 0
  #capacity = 0
  /** @type {Map<ArrayType, InstanceType<ArrayType>>} */
  #views = new Map()
  /** @type {ArrayBufferLike | undefined} what the views are views of */
  #buffer

  /** @param {WasmModule} module */
  constructor(module) {
    this.#module = module
  }

  /** Size of the whole WebAssembly memory in bytes. It grows and never shrinks. */
  get bytes() {
    return this.#module.wasmMemory.buffer.byteLength
  }

  get buffer() {
    return this.#module.wasmMemory.buffer
  }

  /**
   * The whole memory as numbers of one type.
   * @template {ArrayType} T
   * @param {T} Type
   * @returns {InstanceType<T>}
   */
  view(Type) {
    const { buffer } = this.#module.wasmMemory
    if (buffer !== this.#buffer) {
      this.#views.clear()
      this.#buffer = buffer
    }
    let view = this.#views.get(Type)
    if (!view) this.#views.set(Type, (view = new Type(/** @type {any} */ (buffer))))
    return /** @type {InstanceType<T>} */ (view)
  }

  /**
   * The kept block's address if it is large enough, else 0. Nothing is allocated.
   * @param {number} bytes
   */
  kept(bytes) {
    return bytes <= this.#capacity ? this.#block : 0
  }

  /**
   * A block of at least so many bytes, valid until `close`.
   * @param {number} bytes
   * @returns {number} its address, or 0 if there is not so much memory
   */
  open(bytes) {
    if (bytes > this.#capacity) {
      this.#giveBack()
      const capacity = roomFor(bytes)
      this.#block = this.#module.allocate(capacity)
      this.#capacity = this.#block === 0 ? 0 : capacity
    }
    return this.#block
  }

  /** Ends the use of the block. */
  close() {
    if (this.#capacity > KEPT_BYTES) this.#giveBack()
  }

  #giveBack() {
    if (this.#block !== 0) this.#module.release(this.#block)
    this.#block = 0
    this.#capacity = 0
  }
}

/**
 * Powers of two, so that calls of slowly growing size do not allocate each time.
 * @param {number} bytes
 */
function roomFor(bytes) {
  if (bytes > KEPT_BYTES) return bytes
  return Math.max(LEAST_BYTES, 2 ** Math.ceil(Math.log2(bytes)))
}

/**
 * A size for people.
 * @param {number} bytes
 */
export function formatBytes(bytes) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB']
  let unit = 0
  while (bytes >= 1024 && unit < units.length - 1) {
    bytes /= 1024
    unit++
  }
  return `${bytes.toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`
}

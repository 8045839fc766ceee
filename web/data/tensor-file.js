/**
 * @import { FileEntry, FileTensor, ListedArray } from './entry.js'
 * @import { FileContent } from './entry.js'
 * @import { Part } from './layout.js'
 * @import { FileKind } from './open.js'
 */

/** A file of tensors that is open: what is in it, and how to read it. */
export class TensorFile {
  /** @type {Map<string, FileEntry>} */
  #entries
  #maxBytes
  #closing = new AbortController()

  /**
   * Made by `openTensorFile`.
   *
   * @param {FileKind} kind
   * @param {string} name
   * @param {FileContent} content
   * @param {number} maxBytes
   */
  constructor(kind, name, { entries, metadata }, maxBytes) {
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]))
    this.#maxBytes = maxBytes
    /** What the content is: 'npy', 'npz', 'safetensors' or 'json'. */
    this.kind = kind
    /** The file's, for messages. */
    this.name = name
    /**
     * The arrays, in the file's order. Of one with a `problem` nothing can be read; the others can.
     * @type {readonly ListedArray[]}
     */
    this.arrays = entries.map(({ name, dtype, shape, bytes, isWhole, problem }) => ({
      ...{ name, dtype, shape: [...shape], bytes },
      ...(isWhole ? { isWhole } : {}),
      ...(problem === undefined ? {} : { problem }),
    }))
    /** Texts beside the arrays: `__metadata__` of .safetensors. @type {Readonly<Record<string, string>>} */
    this.metadata = { ...metadata }
  }

  /**
   * Reads an array of numbers, or a part of it: of attention (layers, h, N, M), `{ start: [2, 3], end: [3, 4] }`
   * is head 3 of layer 2, with shape (1, 1, N, M).
   *
   * @param {string} [name] may be left out where the file holds one array
   * @param {Part & { signal?: AbortSignal }} [part] along the first axis, or along as many of the first axes as
   *   numbers are given
   * @returns {Promise<FileTensor>} row-major. Float32Array for float16, bfloat16, float32 and whole numbers of up to 16 bits;
   *   Float64Array for float64 and wider whole numbers, those above 2⁵³ rounded; Uint8Array for booleans
   * @throws {TypeError} if there is no such array, it is none of numbers, or damaged
   * @throws {RangeError} if there is no such part, or it is larger than `maxBytes`
   */
  async read(name, { signal, ...part } = {}) {
    const entry = this.#entryOf(name)
    if (!entry.readTensor) {
      throw new TypeError(
        `${this.#whereIs(entry)}: expected numbers, found texts; read them with strings`,
      )
    }
    return entry.readTensor(part, this.#optionsFor(entry, signal))
  }

  /**
   * Reads an array of texts, such as tokens.
   *
   * @param {string} [name] may be left out where the file holds one array
   * @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<string[]>} of all axes, row by row
   * @throws {TypeError} if there is no such array, it is none of texts, or damaged
   */
  async strings(name, { signal } = {}) {
    const entry = this.#entryOf(name)
    if (!entry.readStrings) {
      throw new TypeError(`${this.#whereIs(entry)}: expected texts, found numbers (${entry.dtype})`)
    }
    return entry.readStrings(this.#optionsFor(entry, signal))
  }

  /** Lets go of the file, and ends what is being read. Closing twice is harmless. */
  close() {
    this.#entries.clear()
    this.#closing.abort(new TypeError(`${this.name}: was closed`))
  }

  /** @param {string | undefined} name @returns {FileEntry} */
  #entryOf(name) {
    this.#closing.signal.throwIfAborted()
    const names = [...this.#entries.keys()]
    if (name === undefined && names.length !== 1) {
      throw new TypeError(`${this.name}: holds ${list(names)}; name one of them`)
    }
    const entry = this.#entries.get(name ?? names[0])
    if (!entry) throw new TypeError(`${this.name}: has no array "${name}"; it holds ${list(names)}`)
    if (entry.problem !== undefined) throw new TypeError(entry.problem)
    return entry
  }

  /** @param {FileEntry} entry */
  #whereIs({ name }) {
    return this.#entries.size > 1 ? `${this.name}#${name}` : this.name
  }

  /** @param {FileEntry} entry @param {AbortSignal} [signal] */
  #optionsFor(entry, signal) {
    const closing = this.#closing.signal
    return {
      where: this.#whereIs(entry),
      maxBytes: this.#maxBytes,
      signal: signal ? AbortSignal.any([signal, closing]) : closing,
    }
  }
}

/** @param {string[]} names */
function list(names) {
  if (names.length === 0) return 'no array'
  const shown = names.slice(0, 20).map((name) => `"${name}"`)
  return names.length > 20 ? `${shown.join(', ')} and ${names.length - 20} more` : shown.join(', ')
}

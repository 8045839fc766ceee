/**
 * The attention of an opened file, head by head: only the rows that are asked for are read, unless the file is
 * small, or packed, so that every read would unpack it from its start.
 *
 * @import { AttentionArray } from '../../data/attention-arrays.js'
 * @import { TensorFile } from '../../data/tensor-file.js'
 * @typedef {object} AttentionChoice  what of a file can be shown as attention
 * @property {string} name
 * @property {AttentionArray[]} members one array, or several of one shape that are stacked
 * @property {[number, number, number, number]} shape (layers, h, N, M)
 */
import { attentionArrays } from '../../data/attention-arrays.js'
import { sizeOf } from '../../engine/tensor.js'

/** What is kept in memory as a whole: small enough for any machine, bytes. */
const SMALL = 2 ** 26
/** What is kept because reading it in parts would take for ever, bytes. */
const MOST_KEPT = 2 ** 30

/**
 * The arrays of a file that can be attention. Those with numbered names and one shape, as `layer.0`, `layer.1`, …,
 * are layers of one model, and can be had stacked. First comes what is named `attention`, then what is stacked.
 *
 * @param {{ arrays: TensorFile['arrays'] }} file
 * @returns {AttentionChoice[]}
 */
export function attentionChoices(file) {
  const single = attentionArrays(file).map((array) => choiceOf(array.name, [array]))
  const isNamedSo = (/** @type {AttentionChoice} */ { name }) => /^attentions?$/.test(name)
  return [
    ...single.filter(isNamedSo),
    ...stacks(attentionArrays(file)),
    ...single.filter((choice) => !isNamedSo(choice)),
  ]
}

/** @param {AttentionArray[]} arrays @returns {AttentionChoice[]} */
function stacks(arrays) {
  /** @type {Map<string, { name: string, members: { number: number, array: AttentionArray }[] }>} */
  const groups = new Map()
  for (const array of arrays) {
    const parts = /^(.*?)(\d+)(\D*)$/s.exec(array.name)
    if (!parts || array.attentionShape.length > 3) continue
    const [, before, digits, after] = parts
    const key = JSON.stringify([before, after, array.dtype, array.shape])
    const group = groups.get(key) ?? { name: `${before}…${after}`, members: [] }
    group.members.push({ number: Number(digits), array })
    groups.set(key, group)
  }
  return [...groups.values()]
    .filter(({ members }) => members.length > 1)
    .map(({ members }) => {
      const inOrder = members.sort((a, b) => a.number - b.number).map(({ array }) => array)
      return choiceOf(`${inOrder[0].name} … ${inOrder[inOrder.length - 1].name}`, inOrder)
    })
}

/** @param {string} name @param {AttentionArray[]} members @returns {AttentionChoice} */
function choiceOf(name, members) {
  const [layers, heads, queries, keys] = [1, 1, ...members[0].attentionShape].slice(-4)
  const count = members.length
  if (count === 1) return { name, members, shape: [layers, heads, queries, keys] }
  // Matrices without an axis of heads are the heads of one layer.
  const isHeads = members[0].attentionShape.length === 2
  return {
    name,
    members,
    shape: isHeads ? [1, count, queries, keys] : [count, heads, queries, keys],
  }
}

export class AttentionSource {
  #file
  #isKept
  /** Arrays that were read as a whole, by name. @type {Map<string, Promise<ArrayLike<number>>>} */
  #whole = new Map()

  /**
   * @param {TensorFile} file
   * @param {AttentionChoice} choice
   * @throws {RangeError} in words, if it can only be read as a whole and is too large for that
   */
  constructor(file, { name, members, shape }) {
    const bytes = members.reduce((sum, array) => sum + array.bytes, 0)
    const isWhole = members.some((array) => array.isWhole)
    if (isWhole && bytes > MOST_KEPT) {
      throw new RangeError(
        `${file.name}: is packed or column-major, and all of its ${bytes} bytes would have to be read for any part; save it with numpy.savez, in C order, or as .safetensors`,
      )
    }
    this.#file = file
    this.#isKept = isWhole || bytes <= SMALL
    this.name = name
    this.members = members
    this.shape = shape
    this.dtype = members[0].dtype
    this.bytes = bytes
  }

  /** Heads of all layers. */
  get planes() {
    return this.shape[0] * this.shape[1]
  }

  /**
   * Rows of one head.
   *
   * @param {number} plane heads of all layers are counted through, layer by layer
   * @param {number} start the first row
   * @param {number} end exclusive
   * @param {AbortSignal} signal
   * @returns {Promise<Float32Array | Float64Array>} row by row; not to be written to
   */
  async rows(plane, start, end, signal) {
    const [, , queries, keys] = this.shape
    const perMember = this.planes / this.members.length
    const { name, shape } = this.members[Math.floor(plane / perMember)]
    const inner = plane % perMember
    if (this.#isKept) {
      const whole = await this.#read(name)
      signal.throwIfAborted()
      return whole.subarray((inner * queries + start) * keys, (inner * queries + end) * keys)
    }
    const place = placeIn(shape.slice(0, -2), inner)
    const part = { start: [...place, start], end: [...place.map((at) => at + 1), end], signal }
    return /** @type {Float32Array} */ ((await this.#file.read(name, part)).data)
  }

  /** @param {string} name @returns {Promise<Float32Array | Float64Array>} */
  async #read(name) {
    let reading = this.#whole.get(name)
    if (!reading) {
      reading = this.#file.read(name).then(({ data }) => data)
      this.#whole.set(name, reading)
      // What could not be read is tried again when it is asked for again.
      reading.catch(() => this.#whole.delete(name))
    }
    return /** @type {Promise<Float32Array>} */ (reading)
  }
}

/** @param {readonly number[]} lengths of axes @param {number} index row-major @returns {number[]} */
function placeIn(lengths, index) {
  return lengths.map((length, axis) => Math.floor(index / sizeOf(lengths.slice(axis + 1))) % length)
}

/**
 * What every format makes of an array in its file.
 *
 * @import { Dtype, NumberArray } from './dtypes.js'
 * @import { Part } from './layout.js'
 *
 * @typedef {{ data: NumberArray, shape: number[] }} FileTensor
 * @typedef {{ where: string, maxBytes: number, signal?: AbortSignal }} ReadOptions
 *
 * @typedef {object} ListedArray
 * @property {string} name
 * @property {Dtype | 'str' | 'unknown'} dtype
 * @property {number[]} shape
 * @property {number} bytes that it takes in the file, once unpacked
 * @property {true} [isWhole] reading a part of it takes as long as reading all: it is packed, or column-major
 * @property {string} [problem] why it cannot be read, in words
 *
 * @typedef {object} EntryReaders
 * @property {(part: Part, options: ReadOptions) => Promise<FileTensor>} [readTensor] of numbers
 * @property {(options: ReadOptions) => Promise<string[]>} [readStrings] of texts
 *
 * @typedef {ListedArray & EntryReaders} FileEntry
 *
 * @typedef {object} FileContent
 * @property {FileEntry[]} entries
 * @property {Record<string, string>} metadata
 */

/**
 * An array that cannot be read: the others of its file can.
 *
 * @param {string} name
 * @param {unknown} problem
 * @param {number} bytes
 * @returns {FileEntry}
 */
export function brokenEntry(name, problem, bytes) {
  const message = problem instanceof Error ? problem.message : String(problem)
  return { name, dtype: 'unknown', shape: [], bytes, problem: message }
}

/**
 * Files that NumPy and safetensors wrote (fixtures/make.py), and what must be read from them.
 */
import { readFileSync } from 'node:fs'

/**
 * @typedef {{ shape: number[], data?: (number | string)[], strings?: string[], refused?: string,
 *   arrays?: Record<string, Expected> }} Expected
 */

/** @param {string} name @returns {Uint8Array<ArrayBuffer>} */
export function fixture(name) {
  return new Uint8Array(readFileSync(new URL(`fixtures/${name}`, import.meta.url)))
}

/** @type {Record<string, Expected>} */
export const expected = JSON.parse(new TextDecoder().decode(fixture('expected.json')))

/** Numbers as `expected` has them. @param {ArrayLike<number>} data */
export function asListed(data) {
  return Array.from(data, (value) => (Number.isFinite(value) ? value : NAMES[String(value)]))
}

/** @type {Record<string, string>} Python's names */
const NAMES = { NaN: 'nan', Infinity: 'inf', '-Infinity': '-inf' }

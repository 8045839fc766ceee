/**
 * Comparing tensors: by the norm of their difference, with a failure that names the worst element.
 */
import { expect } from 'vitest'

/** @typedef {{ data: ArrayLike<number | null>, shape: readonly number[] }} Numbers */

/** Float32's distance from 1 to the next number. */
export const EPSILON = 2 ** -23

/**
 * What rounding may do to a float32 result, relative to its norm: inputs are rounded once, and a sum
 * of k terms errs like √k. Never more than the 1e-5 that the engine promises.
 * @param {...number} contractions the lengths of the sums on the way to the result
 */
export function float32Tolerance(...contractions) {
  const sums = contractions.reduce((total, length) => total + Math.sqrt(length), 0)
  return Math.min(1e-5, EPSILON * (4 + 2 * sums))
}

/**
 * Demands equal shapes and ‖actual − expected‖ ≤ tolerance · (‖expected‖ + ‖beside‖). Where `expected`
 * is NaN or infinite, `actual` has to be the same; null stands for −∞, as in the golden files.
 * @param {Numbers} actual
 * @param {Numbers} expected
 * @param {{ tolerance?: number, name?: string, beside?: Numbers }} [options] `beside`: what the result
 *   was made of, for one that may vanish, as gradients do: rounding is then all there is of it
 */
export function expectClose(
  actual,
  expected,
  { tolerance = 1e-5, name = 'the result', beside } = {},
) {
  expect(actual.shape, `shape of ${name}`).toEqual(expected.shape)
  let [differences, norm, worst, worstAt] = [0, 0, -1, 0]
  for (let i = 0; i < expected.data.length; i++) {
    const wanted = expected.data[i] ?? Number.NEGATIVE_INFINITY
    const found = actual.data[i] ?? Number.NEGATIVE_INFINITY
    if (!Number.isFinite(wanted)) {
      if (!Object.is(found, wanted)) fail(name, expected.shape, i, found, wanted, 'had to be')
      continue
    }
    const difference = Math.abs(found - wanted)
    if (Number.isNaN(difference)) fail(name, expected.shape, i, found, wanted, 'had to be near')
    differences += difference ** 2
    norm += wanted ** 2
    if (!(difference <= worst)) [worst, worstAt] = [difference, i]
  }
  const error = Math.sqrt(differences)
  const allowed =
    tolerance * (Math.sqrt(norm) + Math.hypot(...Array.from(beside?.data ?? [], Number)))
  if (!(error <= allowed)) {
    const [found, wanted] = [actual.data[worstAt], expected.data[worstAt]]
    const how = `(error of the whole ${error.toExponential(2)}, allowed ${allowed.toExponential(2)}) had to be near`
    fail(name, expected.shape, worstAt, found, wanted, how)
  }
}

/**
 * Demands equality bit for bit; −0 equals 0.
 * @param {Numbers} actual
 * @param {Numbers} expected
 * @param {string} [name]
 */
export function expectSame(actual, expected, name = 'the result') {
  expect(actual.shape, `shape of ${name}`).toEqual(expected.shape)
  for (let i = 0; i < expected.data.length; i++) {
    const [found, wanted] = [actual.data[i], expected.data[i]]
    if (found !== wanted && !Object.is(found, wanted)) {
      fail(name, expected.shape, i, found, wanted, 'had to be exactly')
    }
  }
}

/**
 * @param {string} name
 * @param {readonly number[]} shape
 * @param {number} at
 * @param {number | null} found
 * @param {number | null} wanted
 * @param {string} how
 */
function fail(name, shape, at, found, wanted, how) {
  expect.fail(`${name}[${indexAt(shape, at).join(', ')}] is ${found}, ${how} ${wanted}`)
}

/**
 * @param {readonly number[]} shape
 * @param {number} flat
 */
function indexAt(shape, flat) {
  return shape.map((length, axis) => {
    const stride = shape.slice(axis + 1).reduce((product, next) => product * next, 1)
    return Math.floor(flat / stride) % length
  })
}

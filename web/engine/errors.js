/**
 * How a wrong argument is reported: every message names the argument, what it was and what it had
 * to be. TypeError says 'not that kind of thing', RangeError 'that kind of thing, but not this one'.
 */

/**
 * What a value is, in a few words, for 'it was …'.
 * @param {unknown} value
 * @returns {string}
 */
export function describe(value) {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'string') return `the string ${JSON.stringify(shorten(value, 40))}`
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'bigint') return `the bigint ${value}n`
  if (typeof value === 'symbol') return 'a symbol'
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return `an array of ${value.length}`
  const name = value.constructor?.name
  if (!name || name === 'Object') return `an object with keys ${keysOf(value)}`
  const article = /^[AEIO]/.test(name) ? 'an' : 'a'
  return ArrayBuffer.isView(value) && 'length' in value
    ? `${article} ${name} of ${value.length}`
    : `${article} ${name}`
}

/** @param {object} value */
function keysOf(value) {
  return shorten(`{ ${Object.keys(value).join(', ')} }`, 60)
}

/** @param {string} text @param {number} length */
function shorten(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}

/**
 * A shape as it is read: (2, 6, 32).
 * @param {readonly (number | string)[]} shape
 */
export function formatShape(shape) {
  return `(${shape.join(', ')})`
}

/**
 * @param {string} name the argument
 * @param {unknown} value what it was
 * @param {string} wanted what it had to be
 */
export function typeError(name, value, wanted) {
  return new TypeError(`${name} was ${describe(value)}; it had to be ${wanted}`)
}

/**
 * @param {string} name the argument
 * @param {readonly number[]} shape what its shape was
 * @param {string} wanted what had to hold
 */
export function shapeError(name, shape, wanted) {
  return new RangeError(`${name} had shape ${formatShape(shape)}; ${wanted}`)
}

/**
 * A number that is finite: a scalar that is NaN or infinite would spread over a whole result.
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
export function finiteNumber(value, name) {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw typeError(name, value, 'a finite number')
}

/**
 * A whole number within bounds.
 * @param {unknown} value
 * @param {string} name
 * @param {number} [least] inclusive
 * @param {number} [most] inclusive; by default what an int32 holds
 * @returns {number}
 */
export function wholeNumber(value, name, least = 0, most = 2 ** 31 - 1) {
  const number = finiteNumber(value, name)
  if (Number.isInteger(number) && number >= least && number <= most) return number
  throw new RangeError(
    `${name} was ${number}; it had to be a whole number from ${least} to ${most}`,
  )
}

/**
 * A flag: only true and false, so that a misplaced argument does not pass for true.
 * @param {unknown} value
 * @param {string} name
 * @param {boolean} fallback when it was left out
 * @returns {boolean}
 */
export function flag(value, name, fallback) {
  if (value === undefined || value === null) return fallback
  if (typeof value === 'boolean') return value
  throw typeError(name, value, 'true or false')
}

/**
 * An object of options; left out, it is empty.
 * @template {object} T
 * @param {T | null | undefined} value
 * @param {string} [name]
 * @param {string} [wanted] what it had to be
 * @returns {Partial<T>}
 */
export function optionsObject(value, name = 'options', wanted = 'an object of options') {
  if (value === undefined || value === null) return {}
  if (typeof value === 'object' && !Array.isArray(value) && !ArrayBuffer.isView(value)) return value
  throw typeError(name, value, wanted)
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
export function nonNegativeNumber(value, name) {
  const number = finiteNumber(value, name)
  if (number >= 0) return number
  throw new RangeError(`${name} was ${number}; it had to be at least 0`)
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
export function positiveNumber(value, name) {
  const number = finiteNumber(value, name)
  if (number > 0) return number
  throw new RangeError(`${name} was ${number}; it had to be above 0`)
}

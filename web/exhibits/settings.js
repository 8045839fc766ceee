/**
 * What a reader can change in an exhibit, as one small plain object that can be read, set, compared and
 * written into an address or an attribute.
 *
 * @typedef {Record<string, any>} State  values that JSON can hold
 * @typedef {object} Setting
 * @property {any} initial the notebook's value
 * @property {(value: any) => boolean} allows
 * @property {string} wanted what is allowed, in words, for error messages
 */

/**
 * @param {readonly (string | number)[]} values
 * @param {string | number} initial
 * @returns {Setting & { values: readonly (string | number)[] }}
 */
export function choice(values, initial) {
  return {
    values,
    initial,
    allows: (value) => values.includes(value),
    wanted: `one of ${values.join(', ')}`,
  }
}

/**
 * @param {number} low
 * @param {number} high inclusive
 * @param {number} initial
 * @returns {Setting & { low: number, high: number }}
 */
export function integer(low, high, initial) {
  return {
    low,
    high,
    initial,
    allows: (value) => Number.isInteger(value) && value >= low && value <= high,
    wanted: `a whole number from ${low} to ${high}`,
  }
}

/**
 * @param {number} low
 * @param {number} high inclusive
 * @param {number} initial
 * @returns {Setting & { low: number, high: number }}
 */
export function real(low, high, initial) {
  return {
    low,
    high,
    initial,
    allows: (value) => typeof value === 'number' && value >= low && value <= high,
    wanted: `a number from ${low} to ${high}`,
  }
}

/** @param {boolean} initial @returns {Setting} */
export function flag(initial) {
  return { initial, allows: (value) => typeof value === 'boolean', wanted: 'true or false' }
}

/**
 * A fixed number of numbers, such as the components of a vector.
 * @param {number} low
 * @param {number} high inclusive
 * @param {readonly number[]} initial
 * @returns {Setting}
 */
export function vector(low, high, initial) {
  const component = real(low, high, 0)
  return {
    initial,
    allows: (value) =>
      Array.isArray(value) && value.length === initial.length && value.every(component.allows),
    wanted: `${initial.length} numbers from ${low} to ${high}`,
  }
}

/**
 * An order of `initial.length` things: `order[place]` is the thing that stands at that place.
 * @param {readonly number[]} initial
 * @returns {Setting}
 */
export function permutation(initial) {
  const count = initial.length
  return {
    initial,
    allows: (value) =>
      Array.isArray(value) &&
      value.length === count &&
      [...value].sort((a, b) => a - b).every((item, index) => item === index),
    wanted: `the numbers 0 to ${count - 1} in any order`,
  }
}

/**
 * @param {Record<string, Setting>} settings
 * @returns {State}
 */
export function initialState(settings) {
  return Object.fromEntries(Object.entries(settings).map(([name, { initial }]) => [name, initial]))
}

/**
 * A whole state from a part of one: what is left out has its initial value.
 * @param {Record<string, Setting>} settings
 * @param {State} part
 * @returns {State}
 * @throws {TypeError | RangeError} naming the setting, what it was and what it had to be
 */
export function readState(settings, part) {
  if (part === null || typeof part !== 'object') {
    throw new TypeError(`state must be an object of settings, not ${String(part)}`)
  }
  for (const [name, value] of Object.entries(part)) {
    if (!Object.hasOwn(settings, name)) {
      throw new RangeError(
        `state has no setting '${name}'; there are ${Object.keys(settings).join(', ')}`,
      )
    }
    if (!settings[name].allows(value)) {
      throw new RangeError(`${name} must be ${settings[name].wanted}, not ${JSON.stringify(value)}`)
    }
  }
  return { ...initialState(settings), ...part }
}

/**
 * @param {State} a
 * @param {State} b
 * @returns {boolean} whether they hold the same values
 */
export function sameState(a, b) {
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]))
  )
}

/**
 * @param {State} state
 * @param {Record<string, Setting>} settings
 * @returns {State} what is not as it was at first
 */
export function changedState(state, settings) {
  const initial = initialState(settings)
  return Object.fromEntries(
    Object.entries(state).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(initial[name]),
    ),
  )
}

/** `numHeads` → `num-heads` @param {string} name */
export function attributeName(name) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/**
 * @param {Setting} setting
 * @param {string | null} text an attribute's value
 * @returns {any} the setting's value; what cannot be read stays text, and is then refused by name
 */
export function fromAttribute(setting, text) {
  if (text === null) return setting.initial
  if (typeof setting.initial === 'string') return text
  // As HTML has it: an attribute that is there, without a value, says yes.
  if (typeof setting.initial === 'boolean' && text === '') return true
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

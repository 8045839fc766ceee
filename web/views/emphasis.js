/**
 * Which one of several stands out.
 *
 * @param {unknown} choice −1, or nothing, for all alike
 * @param {number} count how many there are; one that does not exist (any more) counts as −1
 * @param {string} [name] for messages
 * @returns {number}
 * @throws {TypeError} when it is not a whole number
 */
export function readEmphasis(choice, count, name = 'emphasizedHead') {
  const index = choice ?? -1
  if (typeof index !== 'number' || !Number.isInteger(index)) {
    throw new TypeError(`${name}: expected a whole number, −1 for all, got ${String(choice)}`)
  }
  return index >= 0 && index < count ? index : -1
}

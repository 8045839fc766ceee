/**
 * Which head stands out.
 *
 * @param {unknown} head −1, or nothing, for all alike
 * @param {number} heads how many there are; one that does not exist (any more) counts as −1
 * @returns {number}
 * @throws {TypeError} when it is not a whole number
 */
export function readEmphasis(head, heads) {
  const index = head ?? -1
  if (typeof index !== 'number' || !Number.isInteger(index)) {
    throw new TypeError(`emphasizedHead: expected a whole number, −1 for all, got ${String(head)}`)
  }
  return index >= 0 && index < heads ? index : -1
}

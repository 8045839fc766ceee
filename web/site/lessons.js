/**
 * @typedef {object} Lesson  what Eleventy knows of a page
 * @property {string} inputPath
 * @property {{ order?: unknown, title?: string }} data its front matter, and what it inherits
 */

/**
 * Lessons in the order in which they are read.
 * @template {Lesson} L
 * @param {readonly L[]} lessons
 * @returns {L[]} sorted by the `order` of their front matter
 * @throws {Error} when a lesson has none, or two have the same: the site is then not built
 */
export function inOrder(lessons) {
  /** @type {Map<unknown, string>} */
  const taken = new Map()
  for (const { inputPath, data } of lessons) {
    const { order } = data
    if (!Number.isInteger(order)) {
      throw new Error(`${inputPath}: order was ${String(order)}; it had to be a whole number`)
    }
    if (taken.has(order)) {
      throw new Error(`${inputPath} has the same order, ${String(order)}, as ${taken.get(order)}`)
    }
    taken.set(order, inputPath)
  }
  return [...lessons].sort((a, b) => Number(a.data.order) - Number(b.data.order))
}

/**
 * What went wrong, in words that may be shown.
 *
 * @param {unknown} error whatever was thrown
 * @returns {string}
 */
export function problemOf(error) {
  return error instanceof Error ? error.message : String(error)
}

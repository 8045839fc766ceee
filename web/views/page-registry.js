/**
 * What there may be only one of on a page, however many copies of this module it has: a notebook loads
 * one for each widget. This is the one exception to 'no global state'; whoever puts something here counts
 * its users and takes it out with the last.
 */

/** The package's version: copies of different versions do not share. A test holds it to package.json. */
export const VERSION = '0.1.0'

/**
 * @template T
 * @param {string} name
 * @param {() => T} create called when nobody has put it there yet
 * @returns {T}
 */
export function shared(name, create) {
  const registry = pageRegistry()
  registry[name] ??= create()
  return /** @type {T} */ (registry[name])
}

/** @returns {Record<string, unknown>} */
export function pageRegistry() {
  const page = /** @type {Record<symbol, Record<string, unknown> | undefined>} */ (
    /** @type {unknown} */ (globalThis)
  )
  return (page[Symbol.for(`attention-lab@${VERSION}`)] ??= {})
}

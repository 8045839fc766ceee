/**
 * What a page has one of, however often the package's modules were loaded: notebooks import a
 * widget's module anew for each widget, and twenty figures must not mean twenty engines or twenty
 * WebGL contexts.
 */
import { version } from './version.js'

/**
 * The page's registry for this version of the package, made on first use.
 * @returns {Record<string, any>}
 */
export function pageRegistry() {
  const key = Symbol.for(`attention-lab@${version}`)
  const page = /** @type {Record<symbol, Record<string, any>>} */ (
    /** @type {unknown} */ (globalThis)
  )
  return (page[key] ??= {})
}

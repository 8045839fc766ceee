/**
 * Modules that come as text, each imported once for a page.
 */
import { pageRegistry } from '../page-registry.js'

/**
 * @param {string} key
 * @param {string} text self-contained
 * @returns {Promise<any>} its default export
 */
export function importText(key, text) {
  /** @type {Map<string, Promise<any>>} */
  const modules = (pageRegistry().notebookModules ??= new Map())
  let module = modules.get(key)
  if (!module) {
    module = importBlob(text)
    modules.set(key, module)
    module.catch(() => modules.delete(key))
  }
  return module
}

/** @param {string} text */
async function importBlob(text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  try {
    const module = await import(/* @vite-ignore */ url)
    return module.default
  } finally {
    URL.revokeObjectURL(url)
  }
}

/**
 * Makes what Vite writes for a page fit for a package, which other bundlers read again.
 */

/** @import { Plugin } from 'vite' */

const PRELOAD_HELPER = '\0vite/preload-helper.js'

/**
 * - Dynamic imports stay plain: Vite's helper preloads styles and scripts, of which there are none,
 *   and builds addresses at run time, which other bundlers warn about.
 * - Addresses of files become `new URL("file", import.meta.url)`, the form that all bundlers know;
 *   Vite wraps it in another one, and the minifier turns its string into a template.
 * - An import of what is known at run time only, of which a dependency has one that is never reached, keeps the
 *   comments that tell bundlers to leave it, which the minifier takes away.
 * @returns {Plugin}
 */
export function plainOutput() {
  return {
    name: 'plain-output',
    enforce: 'pre',
    load: {
      order: 'pre',
      handler(id) {
        return id === PRELOAD_HELPER ? 'export const __vitePreload = (load) => load()' : undefined
      },
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk') file.code = plainUrls(file.code)
        }
      },
    },
  }
}

const STRING = '(?:`([^`$]*)`|"([^"]*)"|\'([^\']*)\')'
const URL_OF_FILE = `new URL\\(${STRING},import\\.meta\\.url\\)`
const WRAPPED_URL = `new URL\\((?:(?:\`\`|"")\\+)?${URL_OF_FILE}\\.href,(?:(?:\`\`|"")\\+)?import\\.meta\\.url\\)`

/** @param {string} code minified */
function plainUrls(code) {
  /** @param {string[]} match */
  const fileOf = (match) => JSON.stringify(match.find((part) => part !== undefined))
  return code
    .replace(
      new RegExp(WRAPPED_URL, 'g'),
      (_, ...match) => `new URL(${fileOf(match)},import.meta.url)`,
    )
    .replace(
      new RegExp(URL_OF_FILE, 'g'),
      (_, ...match) => `new URL(${fileOf(match)},import.meta.url)`,
    )
    .replace(new RegExp(`import\\(${STRING}\\)`, 'g'), (_, ...match) => `import(${fileOf(match)})`)
    .replace(/\bimport\(([\w$]+)\)/g, 'import(/* webpackIgnore: true */ /* @vite-ignore */ $1)')
}

/**
 * A figure's whole state as the part of an address behind `#`:
 *
 *     #multi-head-example?v=1&numHeads=8&emphasizedHead=2&scale=common&fix=numHeads
 *
 * Before the question mark stands the key of the figure: its element's id or name. `v` is the version of the
 * figure's settings when the link was made, so that old links can be read for ever; all settings are written,
 * so that a link does not change with their initial values. `hide` and `fix` say which controls readers get,
 * `theme` whether the figure is light or dark.
 *
 * @import { Setting, State } from '../exhibits/settings.js'
 * @typedef {'light' | 'dark'} Scheme
 * @typedef {object} Link
 * @property {string} key
 * @property {number} version
 * @property {Record<string, string>} values settings and options as text, by name
 * @property {string[]} hide
 * @property {string[]} fix
 * @property {Scheme | null} theme null = as the page or the system has it
 */
import { namesIn } from '../exhibits/control-rules.js'
import { fromAttribute } from '../exhibits/settings.js'

/** Parameters that are not settings. */
const reserved = ['v', 'hide', 'fix', 'theme']

/**
 * @param {object} link
 * @param {string} link.key
 * @param {number} [link.version]
 * @param {State} link.state settings, and options if there are any
 * @param {readonly string[]} [link.hide]
 * @param {readonly string[]} [link.fix]
 * @param {Scheme | null} [link.theme]
 * @returns {string} begins with `#`
 */
export function writeFragment({ key, version = 1, state, hide = [], fix = [], theme = null }) {
  const parameters = new URLSearchParams({ v: String(version) })
  for (const [name, value] of Object.entries(state)) {
    parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  if (hide.length > 0) parameters.set('hide', hide.join(' '))
  if (fix.length > 0) parameters.set('fix', fix.join(' '))
  if (theme) parameters.set('theme', theme)
  return `#${encodeURIComponent(key)}?${readable(parameters)}`
}

/** What may stand in a fragment as it is makes a link that people can read and change. @param {URLSearchParams} parameters */
function readable(parameters) {
  return String(parameters).replace(/%(5B|5D|2C|3A)/g, (code) => decodeURIComponent(code))
}

/**
 * @param {string} fragment as in `location.hash`
 * @returns {Link | null} null if it is something else's
 */
export function readFragment(fragment) {
  const parts = /^#([^?]+)(?:\?(.*))?$/s.exec(fragment)
  if (!parts) return null
  const parameters = new URLSearchParams(parts[2] ?? '')
  const theme = parameters.get('theme')
  return {
    key: decoded(parts[1]),
    version: Number(parameters.get('v') ?? 1),
    values: Object.fromEntries([...parameters].filter(([name]) => !reserved.includes(name))),
    hide: namesIn(parameters.get('hide')),
    fix: namesIn(parameters.get('fix')),
    theme: theme === 'light' || theme === 'dark' ? theme : null,
  }
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The state that a link asks for.
 *
 * @param {Link} link
 * @param {{ name: string, version: number, settings: Record<string, Setting>, options: Record<string, Setting>,
 *   upgrade(values: Record<string, string>, version: number): Record<string, string> }} exhibit its class
 * @returns {State}
 * @throws {RangeError} in words, if the link was made by a version that is not here yet
 */
export function stateOf(link, { version, settings, options, upgrade }) {
  if (!Number.isInteger(link.version) || link.version < 1 || link.version > version) {
    throw new RangeError(
      `the link has settings of version ${link.version}, and this figure knows versions 1 to ${version}`,
    )
  }
  const values = link.version < version ? upgrade(link.values, link.version) : link.values
  return Object.fromEntries(
    Object.entries(values)
      // Options are chosen by the page that the figure stands in.
      .filter(([name]) => !Object.hasOwn(options, name))
      .map(([name, text]) => [
        name,
        Object.hasOwn(settings, name) ? fromAttribute(settings[name], text) : text,
      ]),
  )
}

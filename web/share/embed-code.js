/**
 * What a teacher pastes into a page of his: an element and the script that defines it, or a frame.
 *
 * @import { State } from '../exhibits/settings.js'
 */
import { attributeName } from '../exhibits/settings.js'

/** What stands for the place of the files where it is not known, as in an application that bundles them. */
export const UNKNOWN_HOME = 'attention-lab/'

/**
 * @param {object} figure
 * @param {string} figure.home address of the folder with `attention-lab.js`
 * @param {string} figure.element name
 * @param {State} figure.state only what differs from the initial values needs an attribute
 * @param {readonly string[]} [figure.hide]
 * @param {readonly string[]} [figure.fix]
 * @returns {string}
 */
export function elementCode({ home, ...figure }) {
  return `<script type="module" src="${escaped(home)}attention-lab.js"></script>
${elementTag(figure)}`
}

/**
 * @param {object} figure
 * @param {string} figure.element name
 * @param {State} figure.state
 * @param {readonly string[]} [figure.hide]
 * @param {readonly string[]} [figure.fix]
 * @returns {string}
 */
export function elementTag({ element, state, hide = [], fix = [] }) {
  const attributes = [
    ...Object.entries(state).map(([name, value]) => [
      attributeName(name),
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
    ...(hide.length > 0 ? [['hide', hide.map(attributeName).join(' ')]] : []),
    ...(fix.length > 0 ? [['fix', fix.map(attributeName).join(' ')]] : []),
  ]
  const written = attributes.map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')
  return `<${element}${written}></${element}>`
}

/**
 * @param {object} figure
 * @param {string} figure.home address of the folder with `embed.html`
 * @param {string} figure.fragment as `writeFragment` makes it, its key the element's name
 * @param {string} figure.title
 * @param {number} figure.height CSS pixels
 * @returns {string}
 */
export function frameCode({ home, fragment, title, height }) {
  return `<iframe src="${escaped(`${home}embed.html${fragment}`)}" title="${escaped(title)}" width="100%" height="${Math.ceil(height)}" loading="lazy" style="border: 0" allow="clipboard-write"></iframe>`
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')
}

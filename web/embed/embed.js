/**
 * The page `embed.html#<element>?…`: one figure and nothing else, for the frames of other pages. Behind the question
 * mark stand the figure's settings, as its menu writes them; for `<attention-cube>` and its like their attributes
 * (`#attention-cube?attention=weights.npy&tokens=the cat sat`, addresses relative to this page).
 * `theme=light` or `theme=dark` fixes the colours, which are else those of the system.
 *
 * It tells the page around it how high it is, whenever that changes:
 *
 *     window.addEventListener('message', ({ data, source }) => {
 *       if (data?.type !== 'attention-lab:height') return
 *       for (const frame of document.querySelectorAll('iframe'))
 *         if (frame.contentWindow === source) frame.height = data.height
 *     })
 */
import { elementNames } from '../elements/define.js'
import { attributeName } from '../exhibits/settings.js'
import { pageRegistry } from '../page-registry.js'
import { readFragment } from '../share/link.js'
import { h } from '../views/dom.js'
import { setPageStyles } from './embed-styles.js'

/** @import { Link } from '../share/link.js' */

const frame = h('main')
/** The name of the figure that stands here. */
let shown = ''

/** Shows what the address names. */
async function follow() {
  const link = readFragment(location.hash)
  document.documentElement.style.colorScheme = link?.theme ?? 'light dark'
  if (link && elementNames.includes(link.key)) {
    // The same figure reads the address by itself, and stays.
    if (link.key !== shown || !('exhibit' in figure()))
      frame.replaceChildren(...(await figureOf(link)))
    shown = link.key
  } else {
    shown = ''
    frame.replaceChildren(...refusal(link))
  }
}

/** @returns {Element} */
function figure() {
  return frame.lastElementChild ?? frame
}

/** @param {Link} link what an exhibit is set to it reads from the address by itself */
async function figureOf({ key, values }) {
  const element = document.createElement(key)
  const allowed = await attributesOf(key)
  for (const [name, value] of Object.entries(values)) {
    const attribute = attributeName(name)
    if (allowed.includes(attribute)) element.setAttribute(attribute, value)
  }
  const title = key.replaceAll('-', ' ')
  document.title = title
  return [h('h1', { text: title }), element]
}

/**
 * What of an element the page that it stands in chooses. Nothing else is taken from an address: it may come from
 * anyone.
 *
 * @param {string} name
 * @returns {Promise<string[]>}
 */
async function attributesOf(name) {
  const Element = /** @type {any} */ (customElements.get(name))
  if (!Element.load) return Element.observedAttributes
  const { options } = await Element.load()
  return Object.keys(options).map(attributeName)
}

/** @param {Link | null} link */
function refusal(link) {
  const words = link
    ? `There is no figure '${link.key}'.`
    : 'The address of this page names no figure: it should end in # and the name of one.'
  const items = elementNames.map((name) => h('li', {}, [h('a', { href: `#${name}`, text: name })]))
  return [
    h('p', { role: 'alert', text: words }),
    h('p', { text: 'There are:' }),
    h('ul', {}, items),
  ]
}

/** Tells the page around this one how high the figure is. */
function reportHeight() {
  const height = Math.ceil(frame.getBoundingClientRect().height)
  if (parent !== window)
    parent.postMessage({ type: 'attention-lab:height', height, figure: shown }, '*')
}

// Each entry says it for itself: the code that entries share lies in another folder.
pageRegistry().home ??= import.meta.url.replace(/[^/]*$/, '')
setPageStyles(document)
document.body.append(frame)
new ResizeObserver(reportHeight).observe(frame)
addEventListener('hashchange', follow)
await follow()

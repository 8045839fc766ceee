/** What settings are called where a reader sees them. */
import { attributeName } from '../exhibits/settings.js'

/** `numHeads` → `num heads` @param {string} name */
export function words(name) {
  return attributeName(name).replaceAll('-', ' ')
}

/** What a control is called where it stands. @param {ShadowRoot} root @param {string} name of its setting */
export function labelOf(root, name) {
  const control = root.querySelector(`[data-setting='${name}']`)
  const title = control?.querySelector('legend, .name')?.cloneNode(true)
  if (title instanceof Element) title.querySelector('output')?.remove()
  const text = title?.textContent ?? control?.getAttribute('aria-label') ?? ''
  return text.replace(/\s+/g, ' ').trim() || words(name)
}

/** Writing XML: names are ours, values may be anybody's. */

/** What no XML document may hold, not even escaped: control characters, lone surrogates, two non-characters. */
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

/** @type {Record<string, string>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** @param {string} text @returns {string} as the content of an element or an attribute in double quotes */
export function escapeXml(text) {
  return text.replace(FORBIDDEN, '').replace(/[&<>"]/g, (sign) => ENTITIES[sign])
}

/** @param {number} value @returns {string} to a thousandth, which is finer than any screen */
export function written(value) {
  return String(Math.round(value * 1000) / 1000 || 0)
}

/**
 * @param {string} name
 * @param {Record<string, string | number | null | undefined>} attributes null and undefined are left out
 * @returns {string} a start tag, without its end: `<rect x="1"`
 */
function opened(name, attributes) {
  let tag = `<${name}`
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue
    tag += ` ${key}="${typeof value === 'number' ? written(value) : escapeXml(value)}"`
  }
  return tag
}

/** @param {string} name @param {Record<string, string | number | null | undefined>} attributes */
export function startTag(name, attributes) {
  return `${opened(name, attributes)}>`
}

/**
 * @param {string} name
 * @param {Record<string, string | number | null | undefined>} attributes
 * @param {string} [text] not escaped yet
 */
export function element(name, attributes, text) {
  const tag = opened(name, attributes)
  return text === undefined ? `${tag}/>` : `${tag}>${escapeXml(text)}</${name}>`
}

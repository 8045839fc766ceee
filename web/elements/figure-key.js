/**
 * What finds a figure in its page: its id, or its element's name. A second one of the same name, without an id,
 * is `name~2`.
 *
 * @param {HTMLElement} element
 * @returns {string}
 */
export function keyOf(element) {
  if (element.id !== '') return element.id
  const root = /** @type {Document | ShadowRoot} */ (element.getRootNode())
  const place = [...root.querySelectorAll(`${element.localName}:not([id])`)].indexOf(element)
  return place > 0 ? `${element.localName}~${place + 1}` : element.localName
}

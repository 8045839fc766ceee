/**
 * Building the few nodes a view has. Text is always set as text, styles always through the CSSOM, so
 * that a strict content security policy has nothing to refuse.
 */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {{ class?: string, text?: string, part?: string, [attribute: string]: string | undefined }} [attributes]
 * @param {readonly (Node | null)[]} [children]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, children = []) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    if (name === 'text') node.textContent = value
    else node.setAttribute(name, value)
  }
  for (const child of children) if (child) node.append(child)
  return node
}

/** @type {WeakMap<Document, Map<string, CSSStyleSheet>>} */
const sheets = new WeakMap()

/**
 * Gives a shadow root its rules, as a constructed style sheet that all roots of a document share.
 *
 * @param {ShadowRoot} root
 * @param {string} css
 */
export function adoptStyles(root, css) {
  const owner = root.ownerDocument
  const known = sheets.get(owner) ?? new Map()
  sheets.set(owner, known)
  let sheet = known.get(css)
  if (!sheet) {
    const Sheet = owner.defaultView?.CSSStyleSheet ?? CSSStyleSheet
    sheet = new Sheet()
    sheet.replaceSync(css)
    known.set(css, sheet)
  }
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
}

/**
 * Whether a node has the focus of its document or shadow root. It may while the window has none: there Firefox has no
 * node that `:focus` names, and one that is then taken out would take the reader's place with it.
 *
 * @param {Element} node
 */
export function isActive(node) {
  const root = /** @type {Document | ShadowRoot} */ (node.getRootNode())
  return root.activeElement === node
}

/**
 * The node with the focus in a part of a document or shadow root, as `isActive` has it.
 *
 * @param {Node} part
 * @returns {HTMLElement | null}
 */
export function activeIn(part) {
  const root = /** @type {Document | ShadowRoot} */ (part.getRootNode())
  const active = /** @type {HTMLElement | null} */ (root.activeElement)
  return active && part.contains(active) ? active : null
}

/**
 * Tells the page what the reader did. The event crosses shadow roots on its way up.
 *
 * @param {EventTarget} target
 * @param {string} type
 * @param {unknown} detail
 */
export function emit(target, type, detail) {
  target.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
}

/**
 * @typedef {{ left: number, top: number, width: number, height: number }} Box  CSS pixels
 *
 * @param {HTMLElement} node positioned absolutely
 * @param {Box} box
 */
export function place(node, { left, top, width, height }) {
  node.style.left = `${left}px`
  node.style.top = `${top}px`
  node.style.width = `${width}px`
  node.style.height = `${height}px`
}

/**
 * Puts a node where `place` would, in shares of its parent: on paper a parent may get narrower than it was drawn.
 *
 * @param {HTMLElement} node positioned absolutely
 * @param {Box} box
 * @param {{ width: number, height: number }} parent CSS pixels
 */
export function placeIn(node, { left, top, width, height }, parent) {
  node.style.left = `${(100 * left) / parent.width}%`
  node.style.top = `${(100 * top) / parent.height}%`
  node.style.width = `${(100 * width) / parent.width}%`
  node.style.height = `${(100 * height) / parent.height}%`
}

/**
 * Where a pointer is, in a node's own CSS pixels: a page may have scaled, turned, tilted or zoomed it.
 *
 * @param {MouseEvent} event whose target the node is
 * @param {HTMLElement} node without border or padding
 * @returns {{ x: number, y: number }}
 */
export function pointOn({ offsetX, offsetY }, node) {
  // Offsets know of transforms, but count in pixels outside of CSS zoom.
  const zoom = node.currentCSSZoom ?? 1
  return { x: offsetX / zoom, y: offsetY / zoom }
}

/**
 * Sizes a canvas for a screen and scales its context, so that drawing is in CSS pixels.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {number} width CSS pixels
 * @param {number} height
 * @param {number} ratio device pixels per CSS pixel
 * @returns {CanvasRenderingContext2D} cleared
 */
export function fitCanvas(canvas, width, height, ratio) {
  const columns = Math.max(1, Math.round(width * ratio))
  const rows = Math.max(1, Math.round(height * ratio))
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
  // Setting a size, even the same one, throws the canvas's buffer away.
  if (canvas.width !== columns || canvas.height !== rows) {
    canvas.width = columns
    canvas.height = rows
    canvas.style.width = `${columns / ratio}px`
    canvas.style.height = `${rows / ratio}px`
  }
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, columns, rows)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  return context
}

/** What of a page is seen. */

/** Controls, and what is there for the ear. An element with `data-picture="shown"` stays nevertheless. */
export const LEFT_OUT = [
  ...['button', 'select', 'textarea', 'fieldset', 'output', 'menu', 'dialog', '[popover]'],
  // Numbers that can be typed into are a figure's own.
  'input:not([type="number"], [type="text"])',
  ...['.controls', '.stepper', '.run', '.hint', '[aria-live]', '[role="status"]', '[role="menu"]'],
  ...['[role="grid"].cells', '[data-picture="none"]', 'script', 'style', 'template', 'noscript'],
].join(', ')

/**
 * The nodes that stand in an element: those of its shadow root, or what was put into a slot.
 *
 * @param {Element} element
 * @returns {Iterable<Node>}
 */
export function childrenOf(element) {
  if (element.shadowRoot) return element.shadowRoot.childNodes
  if (element instanceof HTMLSlotElement) {
    const assigned = element.assignedNodes({ flatten: true })
    if (assigned.length > 0) return assigned
  }
  return element.childNodes
}

/** @param {CSSStyleDeclaration} style of an element that itself is not painted, though its children may be */
export function isHidden(style) {
  return style.visibility !== 'visible'
}

/**
 * Whether nothing of an element is painted: it has no box, or is for the ear only.
 *
 * @param {Element} element
 * @param {CSSStyleDeclaration} style
 */
export function isAbsent(element, style) {
  if (style.display === 'none' || Number(style.opacity) === 0) return true
  if (style.display === 'contents') return false
  if (!element.checkVisibility()) return true
  if (style.clipPath === 'inset(50%)' || style.clipPath === 'inset(100%)') return true
  const { width, height } = element.getBoundingClientRect()
  return style.overflow !== 'visible' && width <= 1 && height <= 1
}

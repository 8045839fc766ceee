/**
 * Hands the reader a file.
 *
 * @param {Blob} content
 * @param {string} name
 * @param {Node} node of the page that saves
 */
export function saveFile(content, name, node) {
  const page = node.ownerDocument ?? document
  const address = URL.createObjectURL(content)
  const anchor = page.createElement('a')
  anchor.href = address
  anchor.download = name
  anchor.click()
  // The browser has taken hold of the content by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/**
 * @param {string} figure
 * @param {string} part of the figure
 * @param {string} kind
 */
export function fileName(figure, part, kind) {
  const words = part
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
  return `${[figure, words].filter(Boolean).join('-')}.${kind}`
}

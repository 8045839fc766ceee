/** Letters as `text-transform` has them, on which the text of a node tells nothing. */

/** First letters of Unicode's mathematical italics. */
const ITALIC = { A: 0x1d434, a: 0x1d44e, Α: 0x1d6e2, α: 0x1d6fc }

/**
 * @param {string} text
 * @param {string} transform of a computed style
 * @returns {string}
 */
export function transformed(text, transform) {
  if (transform.includes('uppercase')) return text.toLocaleUpperCase()
  if (transform.includes('lowercase')) return text.toLocaleLowerCase()
  if (transform.includes('capitalize')) {
    return text.replace(/(?<![\p{L}\p{N}])\p{L}/gu, (letter) => letter.toLocaleUpperCase())
  }
  // MathML sets an identifier of one letter in italics.
  if (transform.includes('math-auto') && [...text].length === 1) return mathItalic(text)
  return text
}

/** @param {string} letter */
function mathItalic(letter) {
  if (letter === 'h') return 'ℎ'
  for (const [first, start] of Object.entries(ITALIC).reverse()) {
    const place = letter.charCodeAt(0) - first.charCodeAt(0)
    if (place >= 0 && place < (first < 'Α' ? 26 : 25)) return String.fromCodePoint(start + place)
  }
  return letter
}

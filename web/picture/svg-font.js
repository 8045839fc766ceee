/** Fonts of a canvas as attributes of SVG, and where a canvas puts its text. */

/** Of a canvas's `font`: what stands before the size, the size in px, the families. */
const FONT = /^(.*?)([\d.]+)px(?:\s*\/\s*\S+)?\s+(.+)$/
const GENERIC = /^(?:serif|sans-serif|monospace)$/
const SERIF = /serif|times|georgia|roman|stix|math/i
const MONOSPACE = /mono|courier|consol|code/i

/** @typedef {{ 'font-family': string, 'font-size': number, 'font-style': string | null, 'font-weight': string | null }} FontAttributes */

/**
 * @param {string} font as a canvas takes it
 * @returns {FontAttributes}
 */
export function fontAttributes(font) {
  const [, before = '', size = '10', families = 'sans-serif'] = FONT.exec(font) ?? []
  return {
    'font-family': withGeneric(families),
    'font-size': Number(size),
    'font-style': /italic|oblique/.exec(before)?.[0] ?? null,
    'font-weight': /\bbold\b|\b\d{2,4}\b/.exec(before)?.[0] ?? null,
  }
}

/**
 * Families that end in one that every viewer of SVG has: `system-ui` is one of browsers only.
 *
 * @param {string} families
 */
function withGeneric(families) {
  const last = families.slice(families.lastIndexOf(',') + 1).trim()
  if (GENERIC.test(last)) return families
  const generic = MONOSPACE.test(families)
    ? 'monospace'
    : SERIF.test(families.replace(/sans[- ]serif/gi, ''))
      ? 'serif'
      : 'sans-serif'
  return `${families}, ${generic}`
}

/** @type {CanvasRenderingContext2D | null} */
let ruler = null

/**
 * A canvas's context to measure with. Its state is whatever the last one left: set what matters.
 *
 * @returns {CanvasRenderingContext2D}
 * @throws {Error} where the browser gives no canvas
 */
export function textRuler() {
  ruler ??= document.createElement('canvas').getContext('2d')
  if (!ruler) throw new Error('this browser gives no canvas to measure text with')
  return ruler
}

/**
 * How far below a canvas's `y` the letters' baseline lies.
 *
 * @param {CanvasTextBaseline} textBaseline
 * @param {string} font
 * @returns {number} CSS pixels
 */
export function baselineBelow(textBaseline, font) {
  if (textBaseline === 'alphabetic') return 0
  const ruler = textRuler()
  ruler.font = font
  ruler.textBaseline = 'alphabetic'
  const above = ruler.measureText('x').fontBoundingBoxAscent
  ruler.textBaseline = textBaseline
  const { fontBoundingBoxAscent } = ruler.measureText('x')
  ruler.textBaseline = 'alphabetic'
  return above - fontBoundingBoxAscent
}

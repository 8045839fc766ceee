import { paintItems } from './paint-items.js'
import { SvgContext } from './svg-context.js'
import { element, startTag } from './xml.js'

/**
 * @import { Drawing } from './index.js'
 * @import { Slices } from './slices.js'
 */

/**
 * @param {Drawing} drawing
 * @param {{ ground: string | null, slices: Slices, title: string, description: string }} options
 * @returns {Promise<Blob>} a document that stands by itself: no scripts, no styles, no addresses
 */
export async function toSvg(drawing, { ground, slices, title, description }) {
  const place = drawing.placed(1)
  const { width, height } = place
  const svg = new SvgContext()
  const context = /** @type {CanvasRenderingContext2D} */ (/** @type {unknown} */ (svg))
  if (ground !== null) {
    context.fillStyle = ground
    context.fillRect(0, 0, width, height)
  }
  await paintItems(context, drawing.items, place, slices)
  const [name, words] = [svg.newId(), svg.newId()]
  const root = {
    xmlns: 'http://www.w3.org/2000/svg',
    ...{ width, height, viewBox: `0 0 ${width} ${height}` },
    ...{ role: 'img', 'aria-labelledby': description ? `${name} ${words}` : name },
  }
  const parts = [
    startTag('svg', root),
    element('title', { id: name }, title),
    description ? element('desc', { id: words }, description) : '',
    svg.markup,
    '</svg>\n',
  ]
  return new Blob([parts.filter(Boolean).join('\n')], { type: 'image/svg+xml' })
}

/**
 * How a canvas of a view is painted, for whoever wants its drawing elsewhere, larger or as vectors.
 */

/**
 * @typedef {{ width: number, height: number }} Size  CSS pixels
 * @typedef {(context: CanvasRenderingContext2D, size: Size) => unknown} Paint  draws what the canvas shows now, in
 *   CSS pixels from its left top corner; `size` is the canvas's own on the page. It returns false where it cannot.
 */

/** @type {WeakMap<HTMLCanvasElement, Paint>} */
const paints = new WeakMap()

/** @param {HTMLCanvasElement} canvas @param {Paint} paint */
export function setPaint(canvas, paint) {
  paints.set(canvas, paint)
}

/** @param {HTMLCanvasElement} canvas @returns {Paint | undefined} */
export function paintOf(canvas) {
  return paints.get(canvas)
}

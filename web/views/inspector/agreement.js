/**
 * Whether what was computed is what the reference says.
 *
 * @import { ExplainedFigure, ExplainedProduct, Explanation } from './explanation.js'
 * @typedef {object} Disagreement
 * @property {string} name  of the figure
 * @property {number} computed
 * @property {number} reference
 * @property {number} tolerance
 */

/**
 * @param {number | null | undefined} computed
 * @param {number | null | undefined} reference
 * @param {number | undefined} tolerance
 * @returns {boolean | null} null: there is nothing to compare
 */
export function agrees(computed, reference, tolerance) {
  if (!isThere(computed) || !isThere(reference)) return null
  if (tolerance === undefined) return null
  if (computed === reference || (Number.isNaN(computed) && Number.isNaN(reference))) return true
  if (!Number.isFinite(computed) || !Number.isFinite(reference)) return false
  // A bound that was made of infinities is none.
  if (Number.isNaN(tolerance)) return null
  return Math.abs(computed - reference) <= tolerance
}

/** @param {number | null | undefined} value @returns {value is number} */
function isThere(value) {
  return value !== null && value !== undefined
}

/**
 * The explanation with what the map draws held against it: where that is another number than the one that
 * was computed, it gets a line of its own.
 *
 * @param {Explanation} explanation
 * @param {number} drawn
 * @returns {Explanation}
 */
export function withDrawn(explanation, drawn) {
  const parts = explanation.parts.map((part) => {
    const place = part.figures.findIndex(({ id }) => id === explanation.shows)
    const shown = part.figures[place]
    if (!shown || !isThere(shown.computed) || shown.computed === drawn) return part
    if (Number.isNaN(shown.computed) && Number.isNaN(drawn)) return part
    const figures = [...part.figures]
    figures.splice(place + 1, 0, {
      ...shown,
      id: 'drawn',
      name: `${shown.name} on the map`,
      formula: undefined,
      computed: drawn,
      reference: shown.reference ?? shown.computed,
    })
    return { ...part, figures }
  })
  return { ...explanation, parts }
}

/**
 * @param {Explanation} explanation
 * @returns {{ compared: number, wrong: Disagreement[] }} how many numbers could be compared, and which differ
 *   by more than rounding; of a product's components the worst one stands for all
 */
export function compare({ parts }) {
  let compared = 0
  /** @type {Disagreement[]} */
  const wrong = []
  for (const { figures, product } of parts) {
    if (product) {
      const found = compareProduct(product)
      compared += found.compared
      if (found.worst) wrong.push(found.worst)
    }
    for (const { name, computed, reference, tolerance } of figures) {
      const agreed = agrees(computed, reference, tolerance)
      if (agreed === null) continue
      compared++
      if (!agreed) {
        wrong.push({
          name,
          computed: Number(computed),
          reference: Number(reference),
          tolerance: Number(tolerance),
        })
      }
    }
  }
  return { compared, wrong }
}

/** @param {ExplainedProduct} product */
function compareProduct({ name, computed, reference, tolerance }) {
  let compared = 0
  let most = -1
  /** @type {Disagreement | null} */
  let worst = null
  for (let index = 0; index < computed.length; index++) {
    const agreed = agrees(computed[index], reference[index], tolerance[index])
    if (agreed === null) continue
    compared++
    const off = Math.abs(computed[index] - reference[index])
    if (agreed || off <= most) continue
    most = off
    worst = {
      name: `component ${index + 1} of ${name}`,
      computed: computed[index],
      reference: reference[index],
      tolerance: tolerance[index],
    }
  }
  return { compared, worst }
}

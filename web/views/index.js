/**
 * The views: figures that draw whatever numbers they are handed. All of them work alike:
 *
 * - `new Heatmap(container, options)` appends a figure to an element of the page and fills its width;
 * - `.update(options)`, or `.update(weights)`, changes it in place; options left out stay as they were;
 * - `.dispose()` gives everything back;
 * - `cellhover`, `cellselect`, `cellleave`, `headchange` and `querychange` bubble up from the container as CustomEvents.
 *
 * A tensor that is changed in place is drawn anew by the next `update`.
 */
export { Heatmap } from './heatmap.js'
export { HeadGrid } from './head-grid.js'
export { AttentionCube } from './cube/attention-cube.js'
export { AttentionLines } from './attention-lines.js'
export { colorMap, colorMapNames, colorOf } from './color-map.js'

/** @typedef {import('./options.js').CellDetail} CellDetail */
/** @typedef {import('./inspector/explanation.js').Explain} Explain */
/** @typedef {import('./inspector/explanation.js').Explanation} Explanation */

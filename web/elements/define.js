/**
 * Importing this file makes the elements known to the page: the package's only side effect. A name that
 * is taken, as by another copy of the package, is left alone.
 */
import { AttentionCubeElement } from './attention-cube.js'
import { AttentionHeads } from './attention-heads.js'
import { AttentionHeatmap } from './attention-heatmap.js'

const elements = {
  'attention-heatmap': AttentionHeatmap,
  'attention-heads': AttentionHeads,
  'attention-cube': AttentionCubeElement,
}

if (typeof customElements !== 'undefined') {
  for (const [name, element] of Object.entries(elements)) {
    if (!customElements.get(name)) customElements.define(name, element)
  }
}

export { AttentionCubeElement, AttentionHeads, AttentionHeatmap }

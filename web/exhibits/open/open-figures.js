/**
 * The views that opened attention is drawn by.
 *
 * @typedef {AttentionLines | AttentionCube | HeadOverview | Heatmap} AnyView
 */
import { AttentionLines } from '../../views/attention-lines.js'
import { AttentionCube } from '../../views/cube/attention-cube.js'
import { HeadOverview } from '../../views/head-overview.js'
import { Heatmap } from '../../views/heatmap.js'

/** @param {string} name @param {HTMLElement} container @param {any} options @returns {AnyView} */
export function createFigure(name, container, options) {
  if (name === 'lines') return new AttentionLines(container, options)
  if (name === 'cube') return new AttentionCube(container, options)
  if (name === 'map') return new Heatmap(container, options)
  if (name === 'overview') return new HeadOverview(container, options)
  if (name === 'rolled') {
    const words = { label: 'Attention rollout', valueLabel: 'rollout' }
    return new Heatmap(container, { ...options, ...words, inspector: false })
  }
  const axes = { query: 'layer', key: 'head' }
  const words = { label: 'Entropy of each head', valueLabel: 'mean entropy of rows, nats' }
  return new Heatmap(container, { ...options, ...words, axes, inspector: false })
}

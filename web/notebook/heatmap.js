/** The heatmap as an anywidget. */
import { AttentionHeatmap } from '../elements/attention-heatmap.js'
import { viewWidget } from './view-widget.js'

export default viewWidget('attention-heatmap', AttentionHeatmap, {
  traits: { head: 'head', show_values: 'showValues' },
})

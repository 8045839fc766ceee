/** The head grid as an anywidget. */
import { AttentionHeads } from '../elements/attention-heads.js'
import { viewWidget } from './view-widget.js'

export default viewWidget('attention-heads', AttentionHeads, {
  traits: { emphasized_head: 'emphasizedHead', show_values: 'showValues' },
  reports: [['headchange', 'emphasized_head', 'emphasizedHead']],
})

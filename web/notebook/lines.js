/** The lines as an anywidget. */
import { AttentionLinesElement } from '../elements/attention-lines.js'
import { viewWidget } from './view-widget.js'

export default viewWidget('attention-lines', AttentionLinesElement, {
  traits: {
    emphasized_head: 'emphasizedHead',
    selected_query: 'selectedQuery',
    threshold: 'threshold',
  },
  reports: [
    ['headchange', 'emphasized_head', 'emphasizedHead'],
    ['querychange', 'selected_query', 'selectedQuery'],
  ],
})

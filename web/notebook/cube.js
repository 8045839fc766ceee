/** The cube as an anywidget. */
import { AttentionCubeElement } from '../elements/attention-cube.js'
import { viewWidget } from './view-widget.js'

export default viewWidget('attention-cube', AttentionCubeElement, {
  traits: { emphasized_head: 'emphasizedHead' },
  reports: [['headchange', 'emphasized_head', 'emphasizedHead']],
})

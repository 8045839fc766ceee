/**
 * All exhibits as an anywidget, with the engine in it. The trait `exhibit` names the element, `options` are
 * what its author chooses once, and `state` is what its reader can change.
 */
import '../elements/define.js'
import { attributeName, sameState } from '../exhibits/settings.js'
import { lifetime, listen, save } from './host-model.js'

/** @import { State } from '../exhibits/settings.js' */
/** @import { Widget } from './host-model.js' */

/** @type {Widget} */
const widget = {
  initialize() {},
  render({ model, el, signal: hostSignal }) {
    const { signal, end } = lifetime(hostSignal)
    if (signal.aborted) return end
    const element = /** @type {HTMLElement & { state: State }} */ (
      document.createElement(model.get('exhibit'))
    )
    for (const [option, value] of Object.entries(model.get('options') ?? {})) {
      element.setAttribute(attributeName(option), String(value))
    }
    const follow = () => {
      element.state = { ...model.get('state') }
    }
    follow()
    listen(model, 'state', follow, signal)
    element.addEventListener(
      'statechange',
      () => {
        const { state } = element
        if (!sameState(state, model.get('state') ?? {})) save(model, 'state', state)
      },
      { signal },
    )
    el.append(element)
    signal.addEventListener('abort', () => element.remove(), { once: true })
    return end
  },
}

export default widget

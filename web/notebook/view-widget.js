import { lifetime, listen, save } from './host-model.js'
import { tensorOf } from './tensor-trait.js'

/**
 * @import { HostModel, Widget } from './host-model.js'
 *
 * @typedef {HTMLElement & Record<string, any>} ViewElement
 * @typedef {(value: any) => unknown} FromTrait
 * @typedef {[event: string, trait: string, property: string]} Report  the trait that tells Python of an event
 */

/** Traits that all views have, and the properties of the element that they set. */
const COMMON = {
  attention_tensor: 'attention',
  mask: 'mask',
  tokens: 'tokens',
  query_tokens: 'queryTokens',
  key_tokens: 'keyTokens',
  causal: 'causal',
  colormap: 'colormap',
  domain: 'domain',
  height: 'height',
  label: 'label',
  value_label: 'valueLabel',
  inspector: 'inspector',
}

/** What Python calls None is no value here. @type {FromTrait} */
const plain = (value) => value ?? undefined

/** @type {Record<string, FromTrait>} */
const READERS = { attention_tensor: tensorOf, mask: tensorOf }

/**
 * The widget of a view: its element, whose properties follow the model's traits.
 *
 * @param {string} name of the element
 * @param {CustomElementConstructor} Element
 * @param {{ traits?: Record<string, string>, reports?: Report[] }} [own] what this view has beside the others' traits
 * @returns {Widget}
 */
export function viewWidget(name, Element, { traits = {}, reports = [] } = {}) {
  // Each widget of a notebook imports this module anew; an element can be defined once.
  if (!customElements.get(name)) customElements.define(name, Element)
  const properties = Object.entries({ ...COMMON, ...traits })
  return {
    initialize() {},
    render({ model, el, signal: hostSignal }) {
      const { signal, end } = lifetime(hostSignal)
      if (signal.aborted) return end
      const element = /** @type {ViewElement} */ (document.createElement(name))
      for (const [trait, property] of properties) {
        const follow = () => {
          element[property] = (READERS[trait] ?? plain)(model.get(trait))
        }
        follow()
        listen(model, trait, follow, signal)
      }
      for (const report of reports) tell(model, element, report, signal)
      el.append(element)
      signal.addEventListener('abort', () => element.remove(), { once: true })
      return end
    },
  }
}

/**
 * @param {HostModel} model
 * @param {ViewElement} element
 * @param {Report} report
 * @param {AbortSignal} signal
 */
function tell(model, element, [event, trait, property], signal) {
  const onEvent = () => save(model, trait, element[property])
  element.addEventListener(event, onEvent, { signal })
}

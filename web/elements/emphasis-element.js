import { numberAttribute } from './attributes.js'
import { FigureElement } from './figure-element.js'

/**
 * An element with several heads, one of which may stand out: `emphasizedHead`, attribute `emphasized-head`,
 * −1 for none. It changes with the reader's choice, before `headchange` reaches the page.
 */
export class EmphasisElement extends FigureElement {
  /** @override @type {import('lit').PropertyDeclarations} */
  static properties = {
    emphasizedHead: { converter: numberAttribute, attribute: 'emphasized-head', reflect: true },
  }

  constructor() {
    super()
    this.emphasizedHead = -1
  }

  /** @override */
  firstUpdated() {
    // Inside of the shadow root, so before any listener of the page.
    this.renderRoot.addEventListener('headchange', (event) => {
      this.emphasizedHead = this.headOf(/** @type {CustomEvent} */ (event).detail)
    })
  }

  /**
   * @protected
   * @param {{ head: number, plane?: number }} detail
   * @returns {number}
   */
  headOf({ head }) {
    return head
  }

  /** @protected @override */
  viewOptions() {
    return { ...super.viewOptions(), emphasizedHead: this.emphasizedHead }
  }
}

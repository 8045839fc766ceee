import { numberAttribute } from './attributes.js'
import { EmphasisElement } from './emphasis-element.js'

/**
 * `<attention-lines>`: lines from queries to keys between two columns of tokens.
 *
 * Properties, and attributes in JSON for small data: `attention` (N, M) or (h, N, M), `tokens` or
 * `queryTokens` and `keyTokens`, `mask`, `domain`; the function `explain`, which tells what stands behind a
 * weight that is opened. Attributes: `emphasized-head` and `selected-query` (−1 = all), `threshold`,
 * `causal`, `colormap`, `height`, `label`, `value-label`, `inspector` (`off`: a weight that is selected
 * does not open). `attention` and `mask` may be the address of a file as well; `tokens-src`,
 * `query-tokens-src` and `key-tokens-src` are those of files with tokens. Events: `headchange`,
 * `querychange`, `cellhover`, `cellselect`, `cellleave`.
 */
export class AttentionLinesElement extends EmphasisElement {
  /** @override @type {import('lit').PropertyDeclarations} */
  static properties = {
    selectedQuery: { converter: numberAttribute, attribute: 'selected-query', reflect: true },
    threshold: { converter: numberAttribute },
  }

  constructor() {
    super()
    /** The only query whose lines are shown, −1 for all. */
    this.selectedQuery = -1
    /** Weights below it have no line @type {number | undefined} */
    this.threshold = undefined
  }

  /** @override */
  firstUpdated() {
    super.firstUpdated()
    this.renderRoot.addEventListener('querychange', (event) => {
      this.selectedQuery = /** @type {CustomEvent} */ (event).detail.query
    })
  }

  /** @protected @override */
  async loadView() {
    return (await import('../views/attention-lines.js')).AttentionLines
  }

  /** @protected @override */
  viewOptions() {
    const { selectedQuery, threshold } = this
    return { ...super.viewOptions(), selectedQuery, threshold }
  }
}

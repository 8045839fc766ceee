import { numberAttribute } from './attributes.js'
import { FigureElement } from './figure-element.js'

/**
 * `<attention-heatmap>`: one matrix of attention weights.
 *
 * Properties, and attributes in JSON for small data: `attention` (N, M) or (h, N, M), `tokens` or
 * `queryTokens` and `keyTokens`, `mask`, `domain`; the function `explain`, which tells what stands behind a
 * cell that is opened. Attributes: `head`, `show-values`, `causal`, `colormap`, `height`, `label`,
 * `value-label`, `inspector` (`off`: a cell that is selected does not open). `attention` and `mask` may be
 * the address of a file as well; `tokens-src`, `query-tokens-src` and `key-tokens-src` are those of files
 * with tokens. Events: `cellhover`, `cellselect`, `cellleave`.
 */
export class AttentionHeatmap extends FigureElement {
  /** @override @type {import('lit').PropertyDeclarations} */
  static properties = {
    head: { converter: numberAttribute },
    showValues: { type: Boolean, attribute: 'show-values' },
    selected: { attribute: false },
  }

  constructor() {
    super()
    /** Which head of (h, N, M) is drawn @type {number | undefined} */
    this.head = undefined
    this.showValues = false
    /** A framed cell @type {{ query: number, key: number } | null} */
    this.selected = null
    this.addEventListener('cellselect', (event) => {
      const { query, key } = /** @type {CustomEvent} */ (event).detail
      this.selected = { query, key }
    })
  }

  /** @protected @override */
  async loadView() {
    return (await import('../views/heatmap.js')).Heatmap
  }

  /** @protected @override */
  viewOptions() {
    const { head, showValues, selected } = this
    return { ...super.viewOptions(), head, showValues, selected }
  }
}

import { EmphasisElement } from './emphasis-element.js'

/**
 * `<attention-heads>`: the heads side by side, or layers × heads, on one colour scale.
 *
 * Properties, and attributes in JSON for small data: `attention` (h, N, M) or (layers, h, N, M), `tokens`
 * or `queryTokens` and `keyTokens`, `mask`, `domain`; the function `explain`, which tells what stands
 * behind a cell that is opened. Attributes: `emphasized-head` (heads of all layers are counted through),
 * `show-values`, `causal`, `colormap`, `label`, `value-label`, `inspector` (`off`: a cell that is selected
 * does not open). `attention` and `mask` may be the address of a file as well; `tokens-src`,
 * `query-tokens-src` and `key-tokens-src` are those of files with tokens. Events: `headchange`,
 * `cellhover`, `cellselect`, `cellleave`.
 */
export class AttentionHeads extends EmphasisElement {
  /** @override @type {import('lit').PropertyDeclarations} */
  static properties = {
    showValues: { type: Boolean, attribute: 'show-values' },
  }

  constructor() {
    super()
    this.showValues = false
  }

  /** @protected @override */
  async loadView() {
    return (await import('../views/head-grid.js')).HeadGrid
  }

  /**
   * @protected
   * @override
   * @param {{ head: number, plane?: number }} detail
   */
  headOf({ head, plane }) {
    return plane ?? head
  }

  /** @protected @override */
  viewOptions() {
    return { ...super.viewOptions(), showValues: this.showValues }
  }
}

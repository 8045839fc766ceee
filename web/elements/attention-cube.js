import { EmphasisElement } from './emphasis-element.js'

/**
 * `<attention-cube>`: the heads as a stack of translucent planes in space.
 *
 * Properties, and attributes in JSON for small data: `attention` (h, N, M), `tokens` or `queryTokens` and
 * `keyTokens`, `mask`, `domain`; the function `explain`, which tells what stands behind a cell that is
 * opened. Attributes: `emphasized-head` (−1 = all), `causal`, `colormap`, `height`, `label`, `value-label`,
 * `inspector` (`off`: a cell that is selected does not open). `attention` and `mask` may be the address of
 * a file as well; `tokens-src`, `query-tokens-src` and `key-tokens-src` are those of files with tokens.
 * Events: `headchange`, `cellhover`, `cellselect`, `cellleave`.
 */
export class AttentionCubeElement extends EmphasisElement {
  /** @protected @override */
  async loadView() {
    return (await import('../views/cube/attention-cube.js')).AttentionCube
  }
}

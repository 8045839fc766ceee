/**
 * The teaching figures, as classes: importing them registers nothing. `attention-lab/elements` does.
 * `explainCells` makes what a view's inspector shows of a cell (the view's option `explain`).
 */
export { AttentionProperties } from './attention-properties.js'
export { AttentionRow } from './attention-row.js'
export { AttentionSteps } from './attention-steps.js'
export { BilinearForm } from './bilinear-form.js'
export { CausalAxioms } from './causal-axioms.js'
export { ColumnBlocks } from './column-blocks.js'
export { CoreferenceExample } from './coreference-example.js'
export { Exhibit } from './exhibit.js'
export { FeatureMixing } from './feature-mixing.js'
export { FutureLeakage } from './future-leakage.js'
export { explainCells } from './inspection.js'
export { KvCacheDecoding } from './kv-cache.js'
export { MaskEditor } from './mask-editor.js'
export { MultiHeadExample } from './multi-head-example.js'
export { PermutationEquivariance } from './permutation-equivariance.js'
export { PolysemyExample } from './polysemy-example.js'
export { TokenProjections } from './token-projections.js'
export { TwoMasks } from './two-masks.js'

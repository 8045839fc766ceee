/**
 * The teaching figures, as classes: importing them registers nothing. `attention-lab/elements` does.
 */
export { AttentionRow } from './attention-row.js'
export { BilinearForm } from './bilinear-form.js'
export { ColumnBlocks } from './column-blocks.js'
export { Exhibit } from './exhibit.js'
export { FeatureMixing } from './feature-mixing.js'
export { MultiHeadExample } from './multi-head-example.js'
export { PermutationEquivariance } from './permutation-equivariance.js'

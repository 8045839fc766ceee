/**
 * Importing this file makes the elements known to the page: the package's only side effect. A name that
 * is taken, as by another copy of the package, is left alone.
 */
import { AttentionCubeElement } from './attention-cube.js'
import { AttentionHeads } from './attention-heads.js'
import { AttentionHeatmap } from './attention-heatmap.js'
import { AttentionLinesElement } from './attention-lines.js'
import { exhibitElement } from './exhibit-element.js'

const elements = {
  'attention-heatmap': AttentionHeatmap,
  'attention-heads': AttentionHeads,
  'attention-cube': AttentionCubeElement,
  'attention-lines': AttentionLinesElement,
  'attention-row': exhibitElement(
    async () => (await import('../exhibits/attention-row.js')).AttentionRow,
  ),
  'column-blocks': exhibitElement(
    async () => (await import('../exhibits/column-blocks.js')).ColumnBlocks,
  ),
  'two-masks': exhibitElement(async () => (await import('../exhibits/two-masks.js')).TwoMasks),
  'future-leakage': exhibitElement(
    async () => (await import('../exhibits/future-leakage.js')).FutureLeakage,
  ),
  'causal-axioms': exhibitElement(
    async () => (await import('../exhibits/causal-axioms.js')).CausalAxioms,
  ),
  'teacher-forcing': exhibitElement(
    async () => (await import('../exhibits/teacher-forcing.js')).TeacherForcing,
  ),
  'kv-cache': exhibitElement(async () => (await import('../exhibits/kv-cache.js')).KvCacheDecoding),
  'mask-editor': exhibitElement(
    async () => (await import('../exhibits/mask-editor.js')).MaskEditor,
  ),
  'open-attention': exhibitElement(
    async () => (await import('../exhibits/open-attention.js')).OpenAttention,
  ),
  'bilinear-form': exhibitElement(
    async () => (await import('../exhibits/bilinear-form.js')).BilinearForm,
  ),
  'multi-head-example': exhibitElement(
    async () => (await import('../exhibits/multi-head-example.js')).MultiHeadExample,
  ),
  'feature-mixing': exhibitElement(
    async () => (await import('../exhibits/feature-mixing.js')).FeatureMixing,
  ),
  'permutation-equivariance': exhibitElement(
    async () => (await import('../exhibits/permutation-equivariance.js')).PermutationEquivariance,
  ),
  'attention-steps': exhibitElement(
    async () => (await import('../exhibits/attention-steps.js')).AttentionSteps,
  ),
  'attention-properties': exhibitElement(
    async () => (await import('../exhibits/attention-properties.js')).AttentionProperties,
  ),
  'polysemy-example': exhibitElement(
    async () => (await import('../exhibits/polysemy-example.js')).PolysemyExample,
  ),
  'coreference-example': exhibitElement(
    async () => (await import('../exhibits/coreference-example.js')).CoreferenceExample,
  ),
  'attention-gradients': exhibitElement(
    async () => (await import('../exhibits/attention-gradients.js')).AttentionGradients,
  ),
  'dot-product-variance': exhibitElement(
    async () => (await import('../exhibits/dot-product-variance.js')).DotProductVariance,
  ),
  'softmax-saturation': exhibitElement(
    async () => (await import('../exhibits/softmax-saturation.js')).SoftmaxSaturation,
  ),
  'token-projections': exhibitElement(
    async () => (await import('../exhibits/token-projections.js')).TokenProjections,
  ),
  'attention-cost': exhibitElement(
    async () => (await import('../exhibits/attention-cost.js')).AttentionCost,
  ),
  'fused-projection': exhibitElement(
    async () => (await import('../exhibits/fused-projection.js')).FusedProjection,
  ),
  'head-ranks': exhibitElement(async () => (await import('../exhibits/head-ranks.js')).HeadRanks),
  'head-subspaces': exhibitElement(
    async () => (await import('../exhibits/head-subspaces.js')).HeadSubspaces,
  ),
  'residual-norm': exhibitElement(
    async () => (await import('../exhibits/residual-norm.js')).ResidualNorm,
  ),
  'specialised-heads': exhibitElement(
    async () => (await import('../exhibits/specialised-heads.js')).SpecialisedHeads,
  ),
}

if (typeof customElements !== 'undefined') {
  for (const [name, element] of Object.entries(elements)) {
    if (!customElements.get(name)) customElements.define(name, element)
  }
}

/** The names of all elements. @type {readonly string[]} */
export const elementNames = Object.keys(elements)

export { AttentionCubeElement, AttentionHeads, AttentionHeatmap, AttentionLinesElement }

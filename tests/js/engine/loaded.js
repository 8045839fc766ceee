import { hasRelaxedSimd } from '../../../web/engine/features.js'
import { loadEngine } from '../../../web/index.js'

/** The variant that this run of the tests is about. */
export const variant = /** @type {'simd' | 'relaxed-simd'} */ (
  process.env.ATTENTION_LAB_VARIANT ?? (hasRelaxedSimd() ? 'relaxed-simd' : 'simd')
)

/** The engine under test. */
export const engine = await loadEngine({ variant })

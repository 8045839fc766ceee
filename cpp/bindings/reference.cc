// The float64 reference for JavaScript. It takes the same AttentionCall and MultiHeadCall as the
// kernels (calls.h), but every address of floats, an additive mask among them, means float64.
// Offsets stay int32 and a boolean mask bytes. A status is 0 = done, 1 = out of memory (what the
// reference needs beyond the caller's buffers was not to be had; nothing was written).
//
//   referenceScaledDotProduct(call) → status
//     fills every result that is not 0: output, weights, logits, scores, exp, rowMax, rowSum.
//   referenceScaledDotProductBackward(call) → status
//     reads gradOutput, and weights when given (else they are recomputed); fills gradQuery, gradKey,
//     gradValue, gradScores, gradWeights where not 0, one slice per batch entry.
//   referenceMultiHead(call) → status
//     fills output, weights, the stages and query, key, value, heads where not 0.
//   referenceMultiHeadBackward(call) → status
//     recomputes the forward pass; reads gradOutput; fills gradX, gradContext, gradWq … gradBo,
//     gradScores, gradWeights where not 0.
//   referenceScaledDotProductWorkspaceBytes(call), referenceScaledDotProductBackwardWorkspaceBytes(call),
//   referenceMultiHeadWorkspaceBytes(call), referenceMultiHeadBackwardWorkspaceBytes(call) → number
//     the most memory that the call takes beyond the caller's buffers.
//   referenceExplain(call, slice, row, column, out) → status
//     how one query comes to its output: slice < call.batch, row < call.n, column < call.m.
//     Reads query, key, value, the mask, scale and isCausal of the call, no result of it.
//     out float64[2 + dK + 8·m + dV], one after another:
//       rowMax, rowSum        1 each
//       terms              (dK)  q_k·k_k for the key at `column`; they add up to raw[column]
//       raw                 (m)  q·kⱼ
//       scaled              (m)  scale·q·kⱼ
//       masked              (m)  mask added, −∞ where the query may not attend
//       exp                 (m)  exp(masked − rowMax)
//       weights             (m)  exp / rowSum
//       rankInRow           (m)  1 = the largest weight; equal weights in the order of their keys
//       contributionNorms   (m)  ‖weightⱼ·vⱼ‖
//       shareAlongOutput    (m)  weightⱼ·(vⱼ·y)/‖y‖²; the shares add up to 1 (all 0 when y = 0)
//       output             (dV)  y

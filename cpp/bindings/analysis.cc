// Measures of attention for JavaScript. Every array is float64, row-major, given by its address.
// A status is 0 = done, 1 = out of memory (nothing was written); the others cannot fail.
//
//   auditWeights(weights, matrices, rows, columns, out)      weights (matrices, rows, columns)
//     out float64[9]:
//       0  worst |row sum − 1| of the rows that are neither empty nor hold a NaN; 0 if there is none
//       1  that row, counted through all matrices (matrix · rows + row); −1 if there is none
//       2  smallest and
//       3  largest weight, NaN left out; both NaN if there is no number
//       4  how many weights are negative
//       5  how many are NaN
//       6  how many rows are empty: all their weights are exactly 0
//       7  how many weights above the diagonal (column > row) are not exactly 0, NaN included
//       8  largest |weight| above the diagonal, NaN left out; 0 if there is none
//   auditOutput(output, n, value, m, dV, out)                output (n, dV), value (m, dV)
//     out float64[7]: norms are Euclidean, of rows; ‖y‖ ≤ max ‖v‖ is what a convex combination obeys
//       0  largest ‖y‖    1  its row    2  smallest ‖y‖
//       3  largest ‖v‖    4  its row    5  smallest ‖v‖
//       6  how many numbers of the output are NaN (rows with NaN are left out above;
//          a norm nobody has is NaN and its row −1)
//   rowNorms(x, rows, columns, out)                          out float64[rows], Euclidean
//   entropy(weights, rows, columns, out)                     out float64[rows]
//     −Σⱼ pⱼ ln pⱼ in nats, with 0 ln 0 = 0; an empty row has 0, a row with NaN has NaN.
//   rollout(weights, layers, heads, n, residual, out) → status
//     weights (layers, heads, n, n), layer 0 nearest the input; out (n, n).
//     Aₗ = residual·I + (1 − residual)·(mean over heads of layer l); out = A_last ⋯ A₁·A₀.
//   frobeniusCosine(a, b, count) → number
//     Σ aᵢbᵢ / (‖a‖‖b‖) over `count` elements; NaN when either is all zero.
//   singularValues(a, rows, columns, out) → status           out float64[min(rows, columns)]
//     largest first; all NaN when a holds a NaN or an infinity.
//   numericalRank(a, rows, columns) → rank, −1 = out of memory, NaN = a holds a NaN or an infinity
//     how many σ > max(rows, columns)·2⁻²³·σ₁ (float32's ε: the matrices come from float32 kernels).
//   principalAngles(a, aColumns, b, bColumns, rows, out) → count, −1 = out of memory
//     a (rows, aColumns), b (rows, bColumns); out float64[min(aColumns, bColumns)]: the angles
//     between their column spaces in radians, smallest first. count = the smaller of the two numerical
//     ranks; what follows in out is NaN. Input with a NaN or an infinity gives count 0.
//   attentionCost(batch, n, m, dModel, dContext, numHeads, numKvHeads, dK, dV, dOut, isCausal,
//                 maskKind, hasBias, out)
//     exact counts for one forward pass of multi-head attention; sizes as in MultiHeadCall, except:
//     dOut = 0 means no output projection; dModel = dContext = 0 leaves the projections out, which
//     is scaled dot-product attention alone (numKvHeads = numHeads = 1, batch = slices).
//     isCausal counts only the pairs with key ≤ query, as kernels that stop at the diagonal do.
//     maskKind as in MultiHeadCall; hasBias: bq, bk, bv (and bo, if dOut > 0) are added.
//     out float64[21]: operations 0–14 (a multiply-add is 2), bytes 15–20 (float32)
//       0 query, 1 key, 2 value, 3 output projection   4 additions of biases
//       5 scores Q·Kᵀ   6 scale   7 mask (one addition or selection a score)
//       8 max, 9 subtract, 10 exp, 11 add, 12 divide of the softmax   13 weights·V   14 all of these
//       15 x and context   16 parameters   17 Q, K and V   18 weights (batch, heads, n, m)
//       19 output   20 a cache of K and V
//   kvStepCost(length, dModel, numHeads, numKvHeads, dK, dV, dOut, out)
//     the step that makes a cached sequence `length` tokens long; dOut = 0: no output projection.
//     out float64[5], operations of projections, scores and values (softmax apart):
//       0 with a cache   1 without one, only the last row's output: keys and values of all tokens anew
//       2 without one, the full square pass over all tokens   3 bytes of the cache (float32)
//       4 operations of the softmax of the step (max, subtract, exp, add, divide)

// Experiments for JavaScript, each run in slices: between two slices a worker reports how far it
// is, or stops. The slices' sizes do not change the result. Arrays are float64 unless said otherwise.
//
//   createVarianceExperiment(seed, dK, trials, correlation, bins, rawLimit, scaledLimit)
//       → VarianceExperiment | null (out of memory)
//     Each trial draws q (dK) and then g (dK) from NumPy's legacy normals, seed < 2³²;
//     k = ρ·q + √(1 − ρ²)·g with ρ = correlation, −1 ≤ ρ ≤ 1; 0 makes q and k independent.
//     Measured are raw = q·k and scaled = q·k/√dK. Theory: mean ρ·dK, variance (1 + ρ²)·dK, and
//     ρ·√dK and 1 + ρ² when scaled.
//     Histograms have `bins` equal bins over [−limit, limit); what lies outside is counted apart.
//   createSaturationExperiment(seed, skip, dK, count, trials, keys) → SaturationExperiment | null
//     dK is the address of int32[count]. For each of these sizes, in order: `trials` queries and
//     then `trials` × `keys` keys from NumPy's legacy normals, seed < 2³²; softmax of a query's
//     products with its own keys, without and with the division by √dK. `skip` normals are drawn and
//     thrown away first: seed 1337 and skip 384 stand where the first lesson's stream does after its
//     embeddings (11 × 32, then 32).
//
//   both:
//     .run(count) → trials done so far, over all sizes; does at most `count` more
//     .done, .total       trials
//     .delete()
//   VarianceExperiment, of the trials done so far:
//     .results(out)   out float64[10]: measured mean, variance of raw; of scaled; theoretical mean,
//                     variance of raw; of scaled; share of |raw| > 25; trials done.
//                     The variance is Σ(x − mean)²/trials; NaN before the first trial.
//     .histogram(raw, scaled)   float64[bins + 2] each: below, the bins, above (not below limit)
//   SaturationExperiment:
//     .results(out)   out float64[count · 16], a row for each size, of the trials done so far:
//       0 dK   1 trials done   2 variance and 3 mean of q·k   4 variance of q·k/√dK
//       5 share of |q·k| > 25
//       6–10 without the division, 11–15 with it:
//         mean of p(1−p)   the same divided by (1/keys)(1 − 1/keys), its value for uniform attention
//         mean Frobenius norm of the Jacobian diag(p) − ppᵀ   mean largest p   mean entropy in nats
//       NaN from 2 on where no trial is done; 7 and 12 are NaN when keys = 1.

import { describe, expect, test } from 'vitest'
import { expectClose, expectSame, float32Tolerance } from '../compare.js'
import { figures, golden } from '../golden.js'
import { slice, transpose } from '../inputs.js'
import { engine } from './loaded.js'

const { numpy_layer: layer, subspaces, specialised_heads: specialised } = golden('multi_head')
const extra = golden('extra').multi_head
const { analysis } = engine
const parameters = { wq: layer.W_q, wk: layer.W_k, wv: layer.W_v, wo: layer.W_o }
const tolerance = float32Tolerance(32, 8, 6, 32)
const found = engine.multiHeadAttention(layer.X, parameters, {
  numHeads: layer.n_heads,
  needStages: true,
})

/** @param {{ data: ArrayLike<number>, shape: number[] }} a @param {{ data: ArrayLike<number> }} b */
function add(a, b) {
  return { data: Float64Array.from(a.data, (x, i) => x + b.data[i]), shape: a.shape }
}

describe('the layer of four heads', () => {
  test('has the golden output and weights', () => {
    expectClose(found.output, layer.out, { tolerance })
    expectClose(found.weights, layer.weights, { tolerance })
  })

  test('has the golden norms before and after layer norm', () => {
    const { eps, ...wanted } = extra.post_norm
    const residual = add(layer.X, found.output)
    const output = engine.layerNorm(residual, { eps })
    expectSame(
      engine.layerNorm(residual),
      output,
      'with the eps that is used unless another is given',
    )
    expectClose(residual, wanted.residual, { tolerance })
    expectClose(output, wanted.output, { tolerance: 1e-5 })
    expectClose(analysis.rowNorms(layer.X), wanted.norm_x)
    expectClose(analysis.rowNorms(found.output), wanted.norm_attention)
    expectClose(analysis.rowNorms(residual), wanted.norm_residual)
    expectClose(analysis.rowNorms(output), wanted.norm_output)
  })

  test('has the golden output with layer norm first', () => {
    const normed = engine.layerNorm(layer.X)
    const attended = engine.multiHeadAttention(normed, parameters, { numHeads: 4 })
    const output = add(layer.X, attended.output)
    expectClose(output, extra.pre_norm.output)
    expectClose(analysis.rowNorms(output), extra.pre_norm.norm_output)
  })

  test('has the golden singular values and ranks', () => {
    const wanted = extra.ranks_batch_0
    const heads = slice(found.heads, 0)
    const flat = wanted.singular_values_heads.flat()
    expectClose(analysis.singularValues(heads), { data: flat, shape: [4, 6] })
    for (let head = 0; head < 4; head++) {
      expect(analysis.numericalRank(slice(heads, head))).toBe(wanted.rank_heads[head])
    }
    // No rank exceeds the smaller of the tokens' number and the width.
    expect(wanted.bounds).toEqual({
      head: Math.min(6, 32 / layer.n_heads),
      concat: Math.min(6, 32),
    })
    const { wq, wk, wv } = parameters
    const concatenated = engine.multiHeadAttention(layer.X, { wq, wk, wv }, { numHeads: 4 }).output
    const first = slice(concatenated, 0)
    expectClose(analysis.singularValues(first), figures(wanted.singular_values_concat))
    expect(analysis.numericalRank(first)).toBe(wanted.rank_concat)
  })
})

test.each(/** @type {any[]} */ (extra.cost))('the counts of %j are golden', (...[wanted]) => {
  const { operations, bytes } = analysis.flops({
    batch: wanted.batch,
    n: wanted.N,
    dModel: wanted.d_model,
    numHeads: wanted.heads,
  })
  const { query, key, value, output, scores, values, scale, softmax } = operations
  expect(query + key + value + output).toBe(wanted.projections)
  expect({ scores, values, scale, softmax }).toEqual({
    scores: wanted.scores,
    values: wanted.values,
    scale: wanted.scale,
    softmax: wanted.softmax,
  })
  expect(bytes.weights).toBe(wanted.weights_bytes)
  const multiplyAdds = (query + key + value + output + scores + values) / 2
  expect(multiplyAdds).toBe(wanted.batch * wanted.notebook_formula_multiply_adds)
})

describe('the query blocks of the PyTorch layer', () => {
  const blocks = [0, 1, 2, 3].map((head) => slice(subspaces.W_q_heads, head))

  test('have the golden Frobenius cosines', () => {
    const cosines = blocks.flatMap((a) => blocks.map((b) => analysis.frobeniusCosine(a, b)))
    expectClose(figures(cosines, [4, 4]), subspaces.frobenius_cosine, { tolerance: 1e-6 })
  })

  test('have the golden principal angles', () => {
    for (const [i, a] of blocks.entries()) {
      for (const [j, b] of blocks.entries()) {
        const angles = analysis.principalAngles(transpose(a), transpose(b))
        const wanted = slice(slice(subspaces.principal_angles_rad, i), j)
        // An angle near 0 is an arccosine near 1: half of the digits are lost there.
        for (const [k, angle] of angles.data.entries()) {
          expect(Math.abs(angle - wanted.data[k])).toBeLessThan(i === j ? 1e-6 : 1e-9)
        }
        if (i < j) {
          const degrees = extra.subspace_facts.smallest_principal_angle_deg[`${i + 1}-${j + 1}`]
          expect((angles.data[0] * 180) / Math.PI).toBeCloseTo(degrees, 6)
        }
      }
    }
  })
})

describe('the Frobenius cosine of weight blocks', () => {
  const facts = extra.subspace_facts
  const stream = engine.random.numpyGenerator(52)

  test('spreads over random blocks as theory and golden sample say, far below 0.25', () => {
    const cosines = Array.from({ length: 500 }, () =>
      analysis.frobeniusCosine(stream.normal(0, 1, [8, 32]), stream.normal(0, 1, [8, 32])),
    )
    const deviation = Math.hypot(...cosines) / Math.sqrt(cosines.length)
    // A deviation from 500 samples is itself uncertain by 1/√1000 = 3 %.
    for (const wanted of [
      facts.theory_1_over_16,
      facts.frobenius_cosine_sd_of_random_8x32_blocks,
    ]) {
      expect(Math.abs(deviation / wanted - 1)).toBeLessThan(0.1)
    }
    const share = cosines.filter((cosine) => Math.abs(cosine) > 0.25).length / cosines.length
    expect(share).toBe(facts.share_over_0_25)
  })

  test('says nothing of subspaces: one subspace in another basis has angles of 0', () => {
    const basis = stream.normal(0, 1, [32, 8])
    const other = engine.matmul(basis, stream.normal(0, 1, [8, 8]))
    expect(Math.abs(analysis.frobeniusCosine(basis, other))).toBeLessThan(0.5)
    // `other` is float32, so the space it spans is off by as much.
    for (const angle of analysis.principalAngles(basis, other).data) {
      expect(angle).toBeLessThan(1e-5)
    }
  })
})

test.each(['local', 'syntactic', 'global', 'modifier'])(
  'the %s head has the golden entropy',
  (name) => {
    const wanted = extra.specialised[name]
    expectClose(analysis.entropy(specialised[name]), figures(wanted.entropy_nats), {
      tolerance: 1e-12,
    })
    const rows = Array.from({ length: 7 }, (_, i) => specialised[name].data.slice(i * 7, i * 7 + 7))
    const sums = rows.map((row) =>
      row.reduce((/** @type {number} */ sum, /** @type {number} */ x) => sum + x, 0),
    )
    expectClose(figures(sums), figures(wanted.row_sums), { tolerance: 1e-12 })
    const found = analysis.audit(specialised[name])
    expect(found.rowSumError).toBeLessThan(1e-12)
    expect(found.largest).toBe(wanted.max)
    const clipped = rows.flat().filter((weight) => weight > 0.8)
    expect(clipped).toHaveLength(wanted.cells_over_colour_limit_0_8)
    expect(found.aboveDiagonalCount === 0).toBe(wanted.causal)
  },
)

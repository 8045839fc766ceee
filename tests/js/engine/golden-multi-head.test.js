import { describe, expect, test } from 'vitest'
import { expectClose, float32Tolerance } from '../compare.js'
import { figures, golden } from '../golden.js'
import { slice, transpose } from '../inputs.js'
import { engine } from './loaded.js'

const { numpy_layer: layer, subspaces, specialised_heads: specialised } = golden('multi_head')
const extra = golden('extra').multi_head
const { analysis } = engine
const parameters = { wq: layer.W_q, wk: layer.W_k, wv: layer.W_v, wo: layer.W_o }
const tolerance = float32Tolerance(32, 8, 6, 32)
const found = engine.multiHeadAttention(layer.X, parameters, { numHeads: 4, needStages: true })

/** @param {{ data: ArrayLike<number>, shape: number[] }} a @param {{ data: ArrayLike<number> }} b */
function add(a, b) {
  return { data: Float64Array.from(a.data, (x, i) => x + b.data[i]), shape: a.shape }
}

describe('the layer of four heads', () => {
  test('has the golden output and weights', () => {
    expectClose(found.output, layer.out, { tolerance })
    expectClose(found.weights, layer.weights, { tolerance })
  })

  test('can be drawn again from its seed', () => {
    const stream = engine.random.numpyLegacy(42)
    expectClose(stream.randn([2, 6, 32]), layer.X, { tolerance: 1e-12 })
    for (const weight of [layer.W_q, layer.W_k, layer.W_v, layer.W_o]) {
      const { data, shape } = stream.randn([32, 32])
      expectClose({ data: data.map((z) => z / Math.sqrt(32)), shape }, weight, { tolerance: 1e-12 })
    }
  })

  test('has the golden norms before and after layer norm', () => {
    const { eps, ...wanted } = extra.post_norm
    const residual = add(layer.X, found.output)
    const output = engine.layerNorm(residual, { eps })
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
})

describe('the query blocks of the PyTorch layer', () => {
  const blocks = [0, 1, 2, 3].map((head) => slice(subspaces.W_q_heads, head))

  test('can be drawn again from their seed', () => {
    const { weight } = engine.random.torch(42).linear(32, 32)
    expect([...weight.data]).toEqual([...Float32Array.from(subspaces.W_q_heads.data)])
  })

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

test.each(['local', 'syntactic', 'global', 'modifier'])(
  'the %s head has the golden entropy',
  (name) => {
    const wanted = extra.specialised[name]
    expectClose(analysis.entropy(specialised[name]), figures(wanted.entropy_nats), {
      tolerance: 1e-12,
    })
    const found = analysis.audit(specialised[name])
    expect(found.largest).toBe(wanted.max)
    expect(found.aboveDiagonalCount === 0).toBe(wanted.causal)
  },
)

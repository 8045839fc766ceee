import { describe, expect, test } from 'vitest'
import { compareWithSeparate, timeProducts } from '../../../web/exhibits/fused-products.js'
import { measureRanks } from '../../../web/exhibits/rank-cases.js'
import {
  layerExample,
  layerSizes,
  sentence,
  specialisedHeads,
} from '../../../web/exhibits/subspace-examples.js'
import { compareRandom, compareSubspaces, turnBasis } from '../../../web/exhibits/subspaces.js'
import { expectClose } from '../compare.js'
import { figures, golden } from '../golden.js'
import { slice } from '../inputs.js'
import { engine } from './loaded.js'

const { specialised_heads: heads, numpy_layer: layer, subspaces } = golden('multi_head')
const { multi_head: extra, attention_cube: cube } = golden('extra')

/** A float64 computation in another order: a few roundings of numbers up to 1. */
const DOUBLE = 1e-14

test("The specialised heads are the notebook's", () => {
  expect(sentence).toEqual(heads.tokens)
  const weights = specialisedHeads()
  for (const [head, name] of ['local', 'syntactic', 'global', 'modifier'].entries()) {
    expectClose(slice(weights, head), heads[name], { tolerance: DOUBLE, name })
  }
})

test("The layer and its input are the notebook's", () => {
  const { x, parameters } = layerExample(engine)
  expectClose(x, layer.X, { tolerance: DOUBLE })
  for (const [name, weight] of Object.entries(parameters)) {
    expectClose(weight, layer[`W_${name[1]}`], { tolerance: DOUBLE, name })
  }
})

describe('Separate products', () => {
  /** @param {{ batch: number, tokens: number, features: number, numHeads: number }} sizes */
  const compare = ({ numHeads, ...sizes }) => {
    const { x, parameters } = layerExample(engine, sizes)
    const stages = engine.multiHeadAttention(x, parameters, { numHeads, needStages: true })
    return compareWithSeparate(engine, { x, parameters, numHeads }, stages)
  }

  test('have the same bits as the fused ones, at every size that the figure offers', () => {
    for (const features of [8, 16, 32, 64]) {
      for (const numHeads of [1, 2, 4, 8]) {
        for (const batch of [1, 2, 3, 4]) {
          for (let tokens = 1; tokens <= 12; tokens++) {
            expect(compare({ batch, tokens, features, numHeads })).toEqual({
              products: 3 * numHeads,
              numbers: 3 * batch * tokens * features,
              different: 0,
              largest: 0,
            })
          }
        }
      }
    }
  })

  test('would be told apart where they differ', () => {
    const { x, parameters } = layerExample(engine)
    const numHeads = layerSizes.heads
    const stages = engine.multiHeadAttention(x, parameters, { numHeads, needStages: true })
    stages.key.data[100] += 0.5
    const { different, largest } = compareWithSeparate(engine, { x, parameters, numHeads }, stages)
    expect(different).toBe(1)
    expect(largest).toBeCloseTo(0.5, 5)
  })

  test('are timed in a moment', () => {
    const { x, parameters } = layerExample(engine, { batch: 4, tokens: 12, features: 64 })
    const { fused, separate, rounds } = timeProducts(engine, { x, parameters, numHeads: 8 })
    expect(rounds).toBeGreaterThan(0)
    expect(fused).toBeGreaterThan(0)
    expect(separate).toBeGreaterThan(0)
  })
})

describe('Ranks', () => {
  test.each([1, 2, 4, 8])("of the cube's example with %i heads are the golden ones", (numHeads) => {
    const wanted = cube.by_heads[numHeads]
    const ranks = measureRanks(engine, { which: 'cube', numHeads })
    expect(ranks.heads.map(({ output }) => output.rank)).toEqual(wanted.rank_heads)
    expect(ranks.heads.map(({ rankOfLogits }) => rankOfLogits)).toEqual(wanted.rank_logits)
    expect(ranks.heads.map(({ rankOfWeights }) => rankOfWeights)).toEqual(wanted.rank_weights)
    expect(ranks.concatenation.rank).toBe(wanted.rank_concat)
    for (const { output } of ranks.heads) expect(output.bound).toBe(8 / numHeads)
    expect(ranks.concatenation.bound).toBe(8)
  })

  test("of the notebook's layer are six, all that six tokens allow", () => {
    const wanted = extra.ranks_batch_0
    const { heads, concatenation } = measureRanks(engine, { which: 'layer', numHeads: 4 })
    for (const [head, { output }] of heads.entries()) {
      expectClose(figures(output.values), figures(wanted.singular_values_heads[head]))
      expect([output.rank, output.bound]).toEqual([wanted.rank_heads[head], wanted.bounds.head])
    }
    expectClose(figures(concatenation.values), figures(wanted.singular_values_concat))
    expect([concatenation.rank, concatenation.bound]).toEqual([
      wanted.rank_concat,
      wanted.bounds.concat,
    ])
  })
})

describe('Subspaces', () => {
  test("have the notebook's cosines, and the golden angles", () => {
    const { cosines, angles } = compareSubspaces(engine, 'wq')
    expectClose(cosines, subspaces.frobenius_cosine, { tolerance: 1e-6 })
    for (const [pair, degrees] of Object.entries(
      extra.subspace_facts.smallest_principal_angle_deg,
    )) {
      const [a, b] = pair.split('-').map((head) => Number(head) - 1)
      expect(angles[a][b][0]).toBeCloseTo(Number(degrees), 3)
      expect(angles[b][a][0]).toBeCloseTo(Number(degrees), 3)
    }
  })

  test('stay where they are in a turned basis, whatever the cosine says', () => {
    const cosines = [0, 1, 2, 3, 4, 5].map((seed) => {
      const { cosine, angles } = turnBasis(engine, 'wk', seed)
      expect(Math.max(...angles)).toBeLessThan(0.01)
      return cosine
    })
    expect(new Set(cosines).size).toBe(6)
    for (const cosine of cosines) expect(Math.abs(cosine)).toBeLessThan(0.9)
  })

  test('that are random have cosines of the size that theory expects', () => {
    const { count, deviation, expected, beyond } = compareRandom(engine)
    expect(expected).toBe(extra.subspace_facts.theory_1_over_16)
    // The deviation of `count` numbers has itself a standard deviation of 1/√(2 · count) of it.
    expect(Math.abs(deviation / expected - 1)).toBeLessThan(4 / Math.sqrt(2 * count))
    expect(beyond / count).toBe(extra.subspace_facts.share_over_0_25)
  })
})

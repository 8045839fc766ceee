import { describe, expect, test } from 'vitest'
import { expectSame } from '../compare.js'
import { figures, golden } from '../golden.js'
import { engine } from './loaded.js'

const rng = golden('rng')
const extra = golden('extra').rng
const { random } = engine

/**
 * @param {{ data: ArrayLike<number> }} drawn
 * @param {number[]} wanted
 * @param {number} [tolerance] of each number, times max(1, |x|)
 */
function expectEach({ data }, wanted, tolerance = 1e-12) {
  expect(data.length).toBe(wanted.length)
  for (const [i, number] of wanted.entries()) {
    const distance = Math.abs(data[i] - number)
    expect(distance, `number ${i}: ${data[i]} for ${number}`).toBeLessThanOrEqual(
      tolerance * Math.max(1, Math.abs(number)),
    )
  }
}

describe("NumPy's legacy stream", () => {
  test('gives normal numbers to rounding', () => {
    expectEach(random.numpyLegacy(42).randn(64), rng.legacy_42_randn)
    expectEach(random.numpyLegacy(1337).normal(0, 0.5, [8, 8]), rng['legacy_1337_normal_0.5'])
  })

  test('gives uniform numbers exactly', () => {
    expectSame(random.numpyLegacy(42).rand(16), figures(extra.legacy_42_rand))
    expectSame(random.numpyLegacy(42).random([16]), figures(extra.legacy_42_rand))
  })

  test('keeps its spare normal number while uniform ones are drawn', () => {
    const key = Object.keys(extra).find((name) => name.startsWith('legacy_42_randn3')) ?? ''
    const stream = random.numpyLegacy(42)
    expectEach(stream.randn(3), extra[key].randn3)
    expectSame(stream.rand(2), figures(extra[key].rand2))
    expectEach(stream.normal(1, 2, 4), extra[key].normal_1_2_4)
    expectSame(stream.rand(1), figures(extra[key].rand1))
  })

  test("stands where the first notebook's does after its first cell", () => {
    const stream = random.numpyLegacy(1337)
    stream.normal(0, 0.5, [11, 32])
    stream.randn(32)
    for (const dK of [4, 8, 16, 32, 64, 128, 256, 512]) {
      stream.normal(0, 1, [200, dK])
      stream.normal(0, 1, [200, 10, dK])
    }
    expectEach(stream.randn(4), extra.legacy_1337_next_randn_after_all_of_notebook_50_first_cell)
  })
})

describe("NumPy's generator", () => {
  test('gives normal numbers to rounding, the tails too', () => {
    const stream = random.numpyGenerator(0)
    expectEach(stream.normal(0, 1, 256), rng.default_rng_0_normal)
    const further = [...stream.normal(0, 1, 244).data]
    const from300 = Object.keys(extra).find((name) => name.includes('normal_300')) ?? ''
    const from475 = Object.keys(extra).find((name) => name.includes('normal_475')) ?? ''
    expectEach(figures(further.slice(44, 54)), extra[from300])
    expectEach(figures(further.slice(219, 229)), extra[from475])
  })

  test('gives uniform numbers exactly', () => {
    expectSame(random.numpyGenerator(123).random(64), figures(rng.default_rng_123_random))
  })

  test('goes from one kind to the other', () => {
    const [before, normal, after] = extra.default_rng_5_random3_normal3_random3
    const stream = random.numpyGenerator(5)
    expectSame(stream.random(3), figures(before))
    expectEach(stream.normal(0, 1, 3), normal)
    expectSame(stream.random(3), figures(after))
  })
})

describe("PyTorch's stream", () => {
  test('gives uniform numbers exactly', () => {
    expectSame(random.torch(42).rand(32), figures(rng.torch_42_rand_32))
  })

  test.each([
    [7, rng.torch_42_randn_7],
    [15, extra.torch_42_randn_15],
    [16, extra.torch_42_randn_16],
    [17, extra.torch_42_randn_17],
    [32, rng.torch_42_randn_32],
    [40, extra.torch_42_randn_40],
    [100, extra.torch_42_randn_100],
  ])('gives %i normal numbers as PyTorch approximates them', (count, wanted) => {
    expectEach(random.torch(42).randn(count), wanted, 5e-7)
  })

  test('initialises a linear layer exactly and goes on', () => {
    const wanted = extra.torch_42_linear_5_3_then_randn_4
    const stream = random.torch(42)
    const { weight, bias } = stream.linear(5, 3)
    expectSame(weight, wanted.weight_out_in)
    expectSame(bias, wanted.bias)
    expectEach(stream.randn(4), wanted.randn, 5e-7)
  })
})

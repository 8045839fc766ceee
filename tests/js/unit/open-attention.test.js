/**
 * What the exhibit that opens attention does with rows, tokens and names, without a page.
 */
import { expect, test } from 'vitest'
import { attentionChoices, AttentionSource } from '../../../web/exhibits/open/attention-source.js'
import { changeWords, limitWords, sumWords } from '../../../web/exhibits/open/open-words.js'
import { changeRows, keepLargest, specialTokens } from '../../../web/exhibits/open/row-changes.js'
import { readable, spellingOf, tokensFromText } from '../../../web/exhibits/open/token-texts.js'

/** @param {number[]} row @param {number} mass */
function kept(row, mass) {
  const changed = Float64Array.from(row)
  keepLargest(changed, mass)
  return [...changed]
}

test('The largest weights that reach a share stay, equal ones together', () => {
  expect(kept([0.1, 0.6, 0.3], 0.6)).toEqual([0, 0.6, 0])
  expect(kept([0.1, 0.6, 0.3], 0.61)).toEqual([0, 0.6, 0.3])
  expect(kept([0.25, 0.25, 0.5, 0], 0.6)).toEqual([0.25, 0.25, 0.5, 0])
  // A share of the row's own sum, which need not be 1.
  expect(kept([0.3, 0.1], 0.75)).toEqual([0.3, 0])
})

test('Rows that are no weights are not cut', () => {
  for (const row of [
    [0, 0],
    [-1, 3],
    [Number.NaN, 1],
    [Infinity, 1],
  ]) {
    expect(kept(row, 0.5)).toEqual(row)
  }
})

test('Rows are divided by what is left, unless nothing was taken or nothing is left', () => {
  const rows = Float32Array.of(0.5, 0.25, 0.25, 1, 0, 0)
  const all = { keys: [0, 1, 2], mass: 1, renormalize: true }
  expect(changeRows(rows, 3, all)).toBe(rows)
  expect([...changeRows(rows, 3, { ...all, keys: [1, 2] })]).toEqual([0.5, 0.5, 0, 0])
  expect([...rows]).toEqual([0.5, 0.25, 0.25, 1, 0, 0])
})

test('Special tokens are those of the known models, and those that a tokenizer names', () => {
  const names = (/** @type {string[]} */ tokens) => specialTokens([tokens]).map(({ text }) => text)
  const special = [
    '[CLS]',
    '[SEP]',
    '<s>',
    '</s>',
    '<|im_start|>',
    '<pad>',
    '<｜begin▁of▁sentence｜>',
  ]
  expect(names(special)).toEqual(special)
  expect(names(['s', '[x]', '<b>', '<0x0A>', '[cls', '|', '<||'])).toEqual([])
  expect(
    specialTokens(
      [
        ['a', 'b', 'a'],
        ['a', 'c'],
      ],
      new Set(['a', 'c']),
    ),
  ).toEqual([
    { text: 'a', count: 2 },
    { text: 'c', count: 1 },
  ])
})

test('Typed tokens: a bracket alone is a word', () => {
  expect(tokensFromText('  ')).toBe(null)
  expect(tokensFromText('[CLS] the [SEP]')).toEqual(['[CLS]', 'the', '[SEP]'])
  expect(tokensFromText('[]')).toEqual([])
  expect(tokensFromText('a\r\nb c\r\n')).toEqual(['a', 'b c'])
  expect(() => tokensFromText('["a",')).toThrow(/^tokens: expected a JSON list of texts: /)
})

test('Letters of bytes become text, also emoji and parts of letters', () => {
  expect(spellingOf(['Hello', 'Ġworld'])).toBe('bytes')
  expect(readable('Ġworld', 'bytes')).toBe(' world')
  expect(readable('ðŁĺĢ', 'bytes')).toBe('😀')
  expect(readable('ðŁ', 'bytes')).toBe('<0xF0><0x9F>')
  expect(readable('日', 'bytes')).toBe('日')
  expect(readable('▁a▁b', 'sentencepiece')).toBe(' a b')
  expect(readable('##ing', 'plain')).toBe('##ing')
})

test('What was done is said, and nothing where nothing was', () => {
  expect(changeWords({ leftOut: [], mass: 1, renormalize: true })).toEqual([])
  expect(changeWords({ leftOut: [], mass: 0.9, renormalize: false }).join(' ')).toBe(
    'Of each row the largest weights are kept that together reach 90 % of its sum; the others are set to 0. Rows are not divided by anything: each sums to what is left of it.',
  )
  expect(limitWords({ view: 'map', firstToken: 0 }, 512, 512)).toEqual([])
  expect(limitWords({ view: 'map', firstToken: 2000 }, 1024, 10)).toEqual([
    'Of 1,024 tokens 513 to 1024 are shown.',
  ])
  expect(limitWords({ view: 'rollout', firstToken: 0 }, 300, 300)).toEqual([
    'Rollout is computed of up to 256 tokens.',
  ])
  expect(limitWords({ view: 'rollout', firstToken: 0 }, 3, 2)).toEqual([
    'Rollout needs as many queries as keys.',
  ])
  expect(limitWords({ view: 'lines', firstToken: 0 }, 0, 2)).toEqual([
    'No token is left to be shown.',
  ])
})

test('Sums are told where rounding does not explain them', () => {
  const sums = { low: 1, high: 1, empty: 0, least: 0, odd: 0 }
  expect(sumWords(sums)).toBe('')
  expect(sumWords({ ...sums, low: 0.993, high: 1.004 })).toBe('')
  expect(sumWords({ ...sums, high: 1.02 })).toMatch(/^Rows sum to 1\.00 … 1\.02 and not to 1/)
  expect(sumWords({ ...sums, low: 0.5, high: 0.5 })).toMatch(/^Rows sum to 0\.50 and not to 1/)
  expect(sumWords({ ...sums, low: Infinity, high: -Infinity, empty: 4 })).toBe('All weights are 0.')
})

/** @param {string} name @param {number[]} shape @param {string} [dtype] */
function listed(name, shape, dtype = 'float32') {
  return {
    name,
    shape,
    dtype: /** @type {any} */ (dtype),
    bytes: 4 * shape.reduce((a, b) => a * b),
  }
}

test('Numbered names of one shape are layers, or heads, in the order of their numbers', () => {
  const layers = ['l.10.attn', 'l.9.attn', 'l.8.attn'].map((name) => listed(name, [1, 2, 3, 3]))
  const [stack, ...others] = attentionChoices({ arrays: layers })
  expect(stack.shape).toEqual([3, 2, 3, 3])
  expect(stack.members.map(({ name }) => name)).toEqual(['l.8.attn', 'l.9.attn', 'l.10.attn'])
  expect(others.map(({ shape }) => shape)).toEqual(layers.map(() => [1, 2, 3, 3]))
  const heads = attentionChoices({ arrays: [listed('h0', [3, 4]), listed('h1', [3, 4])] })
  expect(heads[0].shape).toEqual([1, 2, 3, 4])
  // Of other shapes or kinds they are not of one model.
  const odd = [
    listed('a.0', [3, 3]),
    listed('a.1', [4, 4]),
    listed('b.0', [3, 3]),
    listed('b.1', [3, 3], 'float16'),
  ]
  expect(attentionChoices({ arrays: odd })).toHaveLength(4)
  const own = attentionChoices({ arrays: [...layers, listed('attention', [2, 2])] })
  expect(own.map(({ name }) => name).slice(0, 2)).toEqual(['attention', 'l.8.attn … l.10.attn'])
})

test('What can only be read as a whole, and is too large for that, is refused in words', () => {
  const array = listed('a', [32, 32, 1024, 1024])
  const file = /** @type {any} */ ({ kind: 'npz', name: 'a.npz' })
  const source = (/** @type {object} */ more) =>
    new AttentionSource(file, attentionChoices({ arrays: [{ ...array, ...more }] })[0])
  expect(() => source({ isWhole: true })).toThrow(
    /^a\.npz: is packed or column-major, and all of its 4294967296 bytes/,
  )
  expect(() => source({})).not.toThrow()
})

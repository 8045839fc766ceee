/**
 * The page 'Open your attention': where tokens come from, and that they are text.
 */
import {
  address,
  choose,
  figure,
  given,
  npyFileOf,
  npzFile,
  open,
  rowsFile,
  shown,
  tensor,
  torchFile,
  words,
} from './open-files.js'
import { expect, test } from './site-page.js'

/** @import { Page } from '@playwright/test' */

test.beforeEach(async ({ page }) => {
  await page.goto(address)
  await expect(figure(page).locator('input[type=file]')).toBeVisible()
})

/** @param {Page} page @param {string} text @param {string} [field] */
async function type(page, text, field = 'tokens') {
  const area = figure(page).getByRole('textbox', { name: field, exact: true })
  if (!(await area.isVisible())) await figure(page).getByText('Other tokens').click()
  await area.fill(text)
  await area.blur()
}

/** @param {Page} page */
async function keyTokens(page) {
  return (await shown(page)).chosen.keyTokens
}

const numbers = ['1', '2', '3', '4', '5', '6']

test('Tokens are typed as words, one a line, or as JSON', async ({ page }) => {
  await open(page, torchFile(null))
  expect(await keyTokens(page)).toEqual(numbers)
  await type(page, 'a bb  ccc dddd e f')
  expect(await keyTokens(page)).toEqual(['a', 'bb', 'ccc', 'dddd', 'e', 'f'])
  await type(page, 'new york\n \nx\ny\nz\n!\n')
  expect(await keyTokens(page)).toEqual(['new york', ' ', 'x', 'y', 'z', '!'])
  await type(page, '["a b", "", "c", "d", "e", "\\n"]')
  expect(await keyTokens(page)).toEqual(['a b', '', 'c', 'd', 'e', '\n'])
  await type(page, '["a", 1]')
  await expect(figure(page).getByRole('alert')).toContainText('expected a JSON list of texts')
  await type(page, '')
  expect(await keyTokens(page)).toEqual(numbers)
})

test('Too many or too few are said, and numbers drawn', async ({ page }) => {
  await open(
    page,
    rowsFile(
      [
        [1, 0],
        [0.5, 0.5],
      ],
      { tokens: ['a', 'b', 'c'] },
    ),
  )
  await expect(figure(page).getByRole('alert')).toHaveText(
    '3 tokens from the file, but the attention has 2 queries. Numbers stand in their place.',
  )
  expect(await keyTokens(page)).toEqual(['1', '2'])
})

test('A file of tokens names those of what is open', async ({ page }) => {
  await open(page, npyFileOf(tensor))
  await choose(page, given('tokens.json', JSON.stringify(words)))
  await expect(figure(page).locator('.from')).toHaveText('Tokens from tokens.json.')
  expect(await keyTokens(page)).toEqual(words)
})

test('Tokens that are opened first wait for the attention', async ({ page }) => {
  await choose(page, given('tokens.json', JSON.stringify(words)))
  await expect(figure(page).getByText('Now open a file of attention')).toBeVisible()
  await open(page, npyFileOf(tensor))
  expect(await keyTokens(page)).toEqual(words)
  await open(page, torchFile(null))
  expect(await keyTokens(page)).toEqual(numbers)
})

test('Queries and keys can have tokens of their own, from the file or typed', async ({ page }) => {
  const attention = { data: Float32Array.of(1, 0, 0, 0.5, 0.25, 0.25), shape: [2, 3] }
  await open(
    page,
    await npzFile({ attention, query_tokens: ['ein', 'Hund'], key_tokens: ['a', 'big', 'dog'] }),
  )
  const first = (await shown(page)).chosen
  expect([first.queryTokens, first.keyTokens]).toEqual([
    ['ein', 'Hund'],
    ['a', 'big', 'dog'],
  ])
  await type(page, 'le chien', 'tokens of the queries')
  await type(page, 'the old dog', 'tokens of the keys')
  const second = (await shown(page)).chosen
  expect([second.queryTokens, second.keyTokens]).toEqual([
    ['le', 'chien'],
    ['the', 'old', 'dog'],
  ])
})

test('What vocabularies write for spaces and bytes is read as text', async ({ page }) => {
  const square = [
    [1, 0],
    [0.5, 0.5],
  ]
  await open(page, rowsFile(square, { tokens: ['The', 'ĠcafÃ©'] }))
  expect(await keyTokens(page)).toEqual(['The', ' café'])
  await open(page, rowsFile(square, { tokens: ['▁The', 's'] }))
  expect(await keyTokens(page)).toEqual([' The', 's'])
})

/** A tokenizer as Hugging Face writes it. @param {object} parts */
function tokenizer(parts) {
  return given('tokenizer.json', JSON.stringify({ version: '1.0', ...parts }))
}

const ids = { data: Float64Array.of(0, 5, 6, 7, 9, 1), shape: [1, 6] }

test('A tokenizer.json turns input_ids into words: WordPiece', async ({ page }) => {
  const vocab = { '[CLS]': 0, '[SEP]': 1, un: 5, '##happy': 6, cat: 7 }
  const added_tokens = [
    { id: 0, content: '[CLS]', special: true },
    { id: 1, content: '[SEP]', special: true },
  ]
  await open(page, await npzFile({ attention: tensor, input_ids: ids }))
  expect(await keyTokens(page)).toEqual(numbers)
  await choose(page, tokenizer({ added_tokens, model: { type: 'WordPiece', vocab } }))
  await expect(figure(page).locator('.from')).toContainText('looked up in tokenizer.json')
  expect(await keyTokens(page)).toEqual(['[CLS]', 'un', '##happy', 'cat', '#9', '[SEP]'])
})

test('The same with a vocabulary of bytes and one of pieces, opened along with the attention', async ({
  page,
}) => {
  const bytes = { Ã: 5, Ġcat: 6, Ċ: 7, é: 9 }
  const added_tokens = [
    { id: 0, content: '<|begin|>', special: true },
    { id: 1, content: 'end_of_turn', special: true },
  ]
  const attention = await npzFile({ attention: tensor, input_ids: ids })
  const decoder = { type: 'ByteLevel' }
  await open(
    page,
    attention,
    tokenizer({ added_tokens, decoder, model: { type: 'BPE', vocab: bytes } }),
  )
  // A part of a letter stays a byte.
  expect(await keyTokens(page)).toEqual([
    '<|begin|>',
    '<0xC3>',
    ' cat',
    '\n',
    '<0xE9>',
    'end_of_turn',
  ])
  // Special is what the tokenizer says is.
  await figure(page).getByLabel('end_of_turn').check()
  expect((await shown(page)).chosen.shape).toEqual([5, 5])

  const begin = '<｜begin▁of▁sentence｜>'
  const pieces = ['', '</s>', '', '', '', '▁new', '<0x0A>', 'ly', '', '▁'].map((piece) => [
    piece,
    -1,
  ])
  await open(
    page,
    attention,
    tokenizer({
      added_tokens: [{ id: 0, content: begin, special: true }],
      decoder: { type: 'Metaspace' },
      model: { type: 'Unigram', vocab: pieces },
    }),
  )
  expect(await keyTokens(page)).toEqual([begin, ' new', '\n', 'ly', ' ', '</s>'])
})

test('A tokenizer without input_ids, or without a vocabulary, is said to be of no use', async ({
  page,
}) => {
  await open(page, torchFile())
  await choose(page, tokenizer({ model: { type: 'BPE', vocab: { a: 0 } } }))
  await expect(figure(page).getByRole('alert')).toContainText('has no input_ids')
  expect(await keyTokens(page)).toEqual(words)
  await choose(page, tokenizer({ model: { type: 'BPE', vocab: [] } }))
  await expect(figure(page).getByRole('alert').first()).toContainText('found none in it')
  expect(await keyTokens(page)).toEqual(words)
})

test('Tokens are text, whatever they look like', async ({ page }) => {
  const hostile = [
    '<img src=x onerror="globalThis.hit=1">',
    '</textarea><script>globalThis.hit=1</script>',
    '[CLS]',
    '<|<b>x</b>|>',
    '\u202eright',
    '👩‍👩‍👧'.repeat(50),
  ]
  await open(page, torchFile(hostile))
  expect(await keyTokens(page)).toEqual(hostile)
  await expect(figure(page).locator('.special label').nth(1)).toContainText('<|<b>x</b>|>')
  expect(await figure(page).locator('img, script, b').count()).toBe(0)
  expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false)
})

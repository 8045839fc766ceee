import { expect, test } from 'vitest'
import { readTokens } from '../../../web/views/tokens.js'

/** @param {string[]} tokens as they are written in figures */
function written(...tokens) {
  return readTokens({ tokens }, { queries: tokens.length, keys: tokens.length }).query
}

test('tokens that no eye sees are written as signs or by their code points', () => {
  expect(written('', '  ', '\n', 'a\tb', '\r\n')).toEqual(['∅', '␣␣', '⏎', 'a⇥b', '⏎'])
  expect(written('\u200b', '\u00ad\u200d', '\u00a0', '\ufeff')).toEqual([
    'U+200B',
    'U+00AD U+200D',
    'U+00A0',
    'U+FEFF',
  ])
})

test('a token that would turn the direction of what follows names what does so', () => {
  expect(written('\u202eevil', 'a\u2067b')).toEqual(['U+202Eevil', 'aU+2067b'])
})

test('joined, accented and right-to-left tokens stay as they are', () => {
  const tokens = ['👩‍👩‍👧', 'é̂', 'שלום', 'مرحبا', 'می‌خواهم', '�', 'dup', 'dup']
  expect(written(...tokens)).toEqual(tokens)
})

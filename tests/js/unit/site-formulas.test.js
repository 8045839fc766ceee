import { expect, test } from 'vitest'
import { inAlphabet, renderMath } from '../../../web/site/mathml.js'

test('A formula is one math element without style, class of KaTeX, or TeX source', () => {
  const markup = renderMath('A^{(i)} = \\operatorname{softmax}(Q_i K_i^\\top)', false)
  expect(markup).toMatch(/^<math [^>]*>.*<\/math>$/s)
  expect(markup).not.toMatch(/style=|katex|annotation|semantics/)
})

test('A formula on a line of its own says so', () => {
  expect(renderMath('x', true)).toContain('display="block"')
  expect(renderMath('x', false)).not.toContain('display="block"')
})

test('Letters of an alphabet are the Unicode letters, since MathML Core has no mathvariant for them', () => {
  expect(renderMath('\\mathbb{R}', false)).toContain('<mi>ℝ</mi>')
  expect(renderMath('\\mathbf{x}', false)).toContain('𝐱')
  expect(inAlphabet('double-struck', 'P')).toBe('ℙ')
  expect(inAlphabet('double-struck', 'A')).toBe('𝔸')
  expect(inAlphabet('bold', '+')).toBe('+')
})

test('Columns of an aligned formula are told apart by a class', () => {
  const markup = renderMath('\\begin{aligned} a &= b \\\\ c &= d \\end{aligned}', true)
  expect(markup).toContain('class="aligned"')
  expect(markup).not.toMatch(/columnalign|rowspacing/)
})

test('A wrong formula stops the build', () => {
  expect(() => renderMath('\\frac{1', false)).toThrow(/KaTeX/)
})

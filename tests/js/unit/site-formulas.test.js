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

const space = '<mspace width="0.1667em"></mspace>'

test('A named function stands a thin space from its neighbours, but not from its brackets', () => {
  expect(renderMath('P \\operatorname{MultiHead}(X)', false)).toContain(
    `<mi>P</mi>${space}<mi mathvariant="normal">MultiHead</mi><mo>\u2061</mo><mo`,
  )
  expect(renderMath('\\ln 12', false)).toContain(`<mo>\u2061</mo>${space}<mn>12</mn>`)
  expect(renderMath('\\operatorname{head}_i W', false)).toContain(`</msub>${space}<mi>W</mi>`)
  expect(renderMath('\\sum_i \\operatorname{head}_i', false)).not.toContain(space)
})

test('Dots between commas or signs bring no space of their own, dots between factors a thin one', () => {
  const dots = (/** @type {string} */ left, /** @type {string} */ right) =>
    `<mo lspace="${left}" rspace="${right}">`
  expect(renderMath('1, \\dots, h', false)).toContain(dots('0em', '0em'))
  expect(renderMath('B_1 + \\cdots + B_h', false)).toContain(dots('0em', '0em'))
  expect(renderMath('a_1 \\dots a_4', false)).toContain(dots('0.1667em', '0.1667em'))
})

test('A norm has fences, not the relation “parallel to”', () => {
  for (const tex of ['\\lVert x \\rVert_F', '\\bigl\\lVert x \\bigr\\rVert']) {
    expect(renderMath(tex, false).match(/‖/g)).toHaveLength(2)
    expect(renderMath(tex, false)).not.toContain('∥')
  }
  expect(renderMath('a \\parallel b', false)).toContain('<mo>∥</mo>')
})

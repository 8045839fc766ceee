import katex from 'katex'

/**
 * Formulas as MathML alone. KaTeX's HTML output needs its own stylesheet, fonts and inline style attributes,
 * which a strict content security policy refuses; MathML needs none of them and reads aloud as mathematics.
 *
 * What KaTeX writes for older MathML engines is brought to MathML Core here, the part all browsers draw:
 * alphabets become Unicode letters and column alignment becomes a class. Spaces that TeX's rules bring, and
 * that a browser's table of operators does not know of, are written out.
 */

/** Where each mathematical alphabet starts in Unicode: capitals, small letters, digits. @type {Record<string, (number | null)[]>} */
const alphabets = {
  bold: [0x1d400, 0x1d41a, 0x1d7ce],
  'double-struck': [0x1d538, 0x1d552, 0x1d7d8],
  script: [0x1d49c, 0x1d4b6, null],
}

/** Letters that Unicode keeps elsewhere, because they were there before the alphabets. @type {Record<string, string>} */
const exceptions = {
  'double-struck C': 'ℂ',
  'double-struck N': 'ℕ',
  'double-struck P': 'ℙ',
  'double-struck Q': 'ℚ',
  'double-struck R': 'ℝ',
  'double-struck Z': 'ℤ',
}

/**
 * @param {string} variant a `mathvariant` of MathML 3
 * @param {string} letter one character
 * @returns {string} the same letter in that alphabet
 */
export function inAlphabet(variant, letter) {
  const exception = exceptions[`${variant} ${letter}`]
  if (exception) return exception
  const [capitals, small, digits] = alphabets[variant] ?? []
  const from = (/** @type {number | null | undefined} */ start, /** @type {string} */ first) =>
    start ? String.fromCodePoint(start + letter.charCodeAt(0) - first.charCodeAt(0)) : letter
  if (/[A-Z]/.test(letter)) return from(capitals, 'A')
  if (/[a-z]/.test(letter)) return from(small, 'a')
  if (/[0-9]/.test(letter)) return from(digits, '0')
  return letter
}

/**
 * @param {string} tex
 * @param {boolean} isDisplay a formula on a line of its own
 * @returns {string} one `<math>` element
 * @throws {Error} when the TeX is wrong: the site is then not built
 */
export function renderMath(tex, isDisplay) {
  const markup = katex.renderToString(tex, {
    output: 'mathml',
    displayMode: isDisplay,
    throwOnError: true,
    strict: 'error',
  })
  const core = markup
    .replace(/^<span class="katex(?:-display)?">(?:<span class="katex">)?|(?:<\/span>)+$/g, '')
    .replace(/<annotation.*?<\/annotation>/s, '')
    .replace(/<\/?semantics>/g, '')
    .replace(
      /<(m[in]) mathvariant="(bold|double-struck|script)">([^<]*)</g,
      (_, tag, variant, text) => {
        // Core sets a one-letter <mi> in italics; a letter of an alphabet is not part of that.
        return `<${tag}>${[...text].map((letter) => inAlphabet(variant, letter)).join('')}<`
      },
    )
    .replace(/<mtable([^>]*) columnalign="right left[^"]*"/g, '<mtable$1 class="aligned"')
    .replace(/ (?:rowspacing|columnspacing|columnalign)="[^"]*"/g, '')
  return withSpaces(core)
}

/** TeX's thin space. */
const THIN = '0.1667em'
/** What a factor, or an operand, begins and ends with. */
const BEGINS = '<(?:mi|mn|msub|msup|msubsup|mfrac|msqrt|mrow)\\b'
const ENDS = '</(?:mi|mn|msub|msup|msubsup|mfrac|msqrt)>'
/** A sum or product with its index, but for the last tag: browsers space it themselves. */
const SUM = '<mo>[∑∏]</mo><m[in]>[^<]*</m[in]>'
/** A named function, such as `softmax`, which KaTeX follows up with an invisible 'apply'. */
const FUNCTION = '<mi(?: mathvariant="normal")?>[A-Za-z]{2,}</mi><mo>\u2061</mo>'

/**
 * Thin spaces around named functions (`P MultiHead`, `ln 12`), dots as factors rather than relations, and
 * norms as fences: KaTeX's ∥ is the relation 'parallel to', which stands apart and hangs below the line.
 * @param {string} markup MathML
 * @returns {string}
 */
function withSpaces(markup) {
  const space = `<mspace width="${THIN}"></mspace>`
  const operand = new RegExp(`^${BEGINS}`)
  const factor = new RegExp(`${ENDS}$`)
  return markup
    .replace(/(<mo [^>]*>)∥</g, '$1‖<')
    .replace(new RegExp(`(?<!${SUM})(${ENDS})(?=(?:<msub><mrow>)?${FUNCTION})`, 'g'), `$1${space}`)
    .replace(new RegExp(`(${FUNCTION})(?=${BEGINS})`, 'g'), `$1${space}`)
    .replace(
      new RegExp(`(<msub><mrow>${FUNCTION}</mrow><m[in]>[^<]*</m[in]></msub>)(?=${BEGINS})`, 'g'),
      `$1${space}`,
    )
    .replace(
      /<mo>([…⋯])<\/mo>/g,
      (mark, dots, /** @type {number} */ at, /** @type {string} */ whole) => {
        const left = factor.test(whole.slice(0, at)) ? THIN : '0em'
        const right = operand.test(whole.slice(at + mark.length)) ? THIN : '0em'
        return `<mo lspace="${left}" rspace="${right}">${dots}</mo>`
      },
    )
}

/**
 * A markdown-it plugin: `$…$` within a line, `$$…$$` on lines of their own. A dollar sign itself is `\$`.
 * @param {any} markdown
 */
export function formulas(markdown) {
  markdown.inline.ruler.after(
    'escape',
    'formula',
    (/** @type {any} */ state, /** @type {boolean} */ silent) => {
      const { src, pos } = state
      if (src[pos] !== '$' || src[pos + 1] === '$' || /\s/.test(src[pos + 1] ?? ' ')) return false
      const end = src.indexOf('$', pos + 1)
      if (end < 0 || /\s/.test(src[end - 1])) return false
      // A stop or comma keeps to its formula: a line must not begin with it.
      const stop = /^(?:[.,;:!?)]|’s)+/.exec(src.slice(end + 1))?.[0] ?? ''
      if (!silent) {
        const token = state.push('formula', 'math', 0)
        token.content = src.slice(pos + 1, end)
        token.info = stop
      }
      state.pos = end + 1 + stop.length
      return true
    },
  )
  markdown.block.ruler.before(
    'fence',
    'formula_block',
    (
      /** @type {any} */ state,
      /** @type {number} */ first,
      /** @type {number} */ last,
      /** @type {boolean} */ silent,
    ) => {
      const line = (/** @type {number} */ row) =>
        state.src.slice(state.bMarks[row] + state.tShift[row], state.eMarks[row]).trim()
      if (!line(first).startsWith('$$')) return false
      if (silent) return true
      let text = line(first).slice(2)
      let row = first
      while (!text.trimEnd().endsWith('$$')) {
        row += 1
        if (row >= last) throw new Error(`A formula is not closed: ${text}`)
        text += `\n${line(row)}`
      }
      const token = state.push('formula_block', 'math', 0)
      token.content = text.trimEnd().slice(0, -2).trim()
      state.line = row + 1
      return true
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  )
  markdown.renderer.rules.formula = (/** @type {any[]} */ tokens, /** @type {number} */ index) => {
    const { content, info } = tokens[index]
    const math = renderMath(content, false)
    return info ? `<span class="unbroken">${math}${info}</span>` : math
  }
  markdown.renderer.rules.formula_block = (
    /** @type {any[]} */ tokens,
    /** @type {number} */ index,
  ) => `<div class="formula">${renderMath(tokens[index].content, true)}</div>\n`
}

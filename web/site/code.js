/**
 * Blocks of code: each line is an element of its own, so that one that a phone has to break hangs in, and may
 * be broken where code is: before a dot, after a bracket, between two tags. A second word behind the language names the
 * block, so that a test can find it.
 */

/**
 * A markdown-it plugin.
 * @param {any} markdown
 */
export function codeLines(markdown) {
  markdown.renderer.rules.fence = (/** @type {any[]} */ tokens, /** @type {number} */ index) => {
    const { content, info } = tokens[index]
    const [language, name] = info.trim().split(/\s+/)
    return renderCode(content, language, name)
  }
}

/**
 * @param {string} source its lines, each with its end
 * @param {string} language
 * @param {string} [name] of the block
 * @returns {string} a `<pre>` element whose text is the source
 */
export function renderCode(source, language, name) {
  const lines = source.replace(/\n$/, '').split('\n')
  const spans = lines.map((line) => `<span class="line">${breakable(escape(line))}\n</span>`)
  const called = name ? ` data-snippet="${escape(name)}"` : ''
  return `<pre${called}><code class="language-${escape(language)}">${spans.join('')}</code></pre>\n`
}

/** @param {string} text @returns {string} */
function escape(text) {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
}

/** @param {string} line escaped @returns {string} */
function breakable(line) {
  return line
    .replace(/\((?=[^)])/g, '(<wbr>')
    .replace(/(?<=\w)\.(?=\w)/g, '<wbr>.')
    .replace(/&gt;(?=&lt;)/g, '&gt;<wbr>')
}

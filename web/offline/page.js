/**
 * A page that is one file: it opens from a disk, without a network, for as long as there are browsers.
 *
 * @typedef {object} OfflinePage
 * @property {string} title
 * @property {string} css
 * @property {string} body HTML
 * @property {string} script the bundle of `lab.js`
 * @property {string} [head] HTML that comes first
 */

/**
 * Nothing may be asked of a network, not even by mistake; what the page needs comes from itself.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:",
  'worker-src blob:',
  "style-src 'unsafe-inline'",
  'font-src data:',
  'img-src data: blob:',
].join('; ')

/**
 * @param {OfflinePage} page
 * @returns {string} HTML
 */
export function offlinePage({ title, css, body, script, head = '' }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
${head}<style>
${css.replaceAll('</style', '<\\/style')}
</style>
</head>
${body}
<script type="module">
${inScript(script)}
</script>
</html>
`
}

/**
 * JavaScript as it may stand between script tags: in its strings and comments the letters that would end or nest
 * them are written otherwise.
 *
 * @param {string} script
 */
function inScript(script) {
  return script.replace(/<(?=\/script|script|!--)/gi, '\\x3C')
}

/** @param {string} text */
export function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

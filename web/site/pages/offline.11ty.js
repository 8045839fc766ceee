/**
 * Each lesson once more as a page of one file, beside the lesson's page, to be saved and opened from a disk.
 */
import { existsSync, readFileSync } from 'node:fs'
import { escaped, offlinePage } from '../../offline/page.js'
import { fontFile, fonts } from '../fonts.js'

/** The sheets of a lesson, in their order. */
const SHEETS = ['fonts', 'page', 'text', 'figures', 'lesson', 'print']

export const data = {
  pagination: { data: 'collections.lessons', size: 1, alias: 'lesson' },
  permalink: (/** @type {any} */ { lesson }) =>
    `lessons/${lesson.fileSlug}/${lesson.fileSlug}.html`,
  eleventyExcludeFromCollections: true,
}

/** @param {any} data Eleventy's */
export function render({ lesson }) {
  const { title, lead, order } = lesson.data
  return offlinePage({
    title: `${title} · attention-lab`,
    css: SHEETS.map(sheet).join('\n'),
    head: `<script>\n${asset('theme.js')}</script>\n`,
    script: existsSync('dist/offline.js') ? readFileSync('dist/offline.js', 'utf8') : '',
    body: `<body class="lesson">
<header class="masthead">
<span class="wordmark">attention-lab</span>
<button class="theme-switch" type="button" hidden><span></span></button>
</header>
<main id="content">
<article>
<header class="lesson-head">
<p class="kicker">Lesson ${order}</p>
<h1>${escaped(title)}</h1>
<p class="lead">${lead}</p>
</header>
${withoutOtherPages(lesson.content)}
</article>
</main>
<footer class="colophon">
<p>attention-lab is free software under the MIT licence. This lesson is one file: every figure is computed in this page, by
C++ compiled to WebAssembly, and nothing is fetched from anywhere.</p>
</footer>
</body>`,
  })
}

/** @param {string} name */
function asset(name) {
  return readFileSync(`web/site/assets/${name}`, 'utf8')
}

/** A style sheet with its fonts in it. @param {string} name */
function sheet(name) {
  return asset(`${name}.css`).replace(/url\('fonts\/([\w.-]+)'\)/g, (_, file) => {
    const font = Object.keys(fonts).find((name) => fonts[name].includes(file)) ?? ''
    const bytes = readFileSync(fontFile(font, file))
    return `url('data:font/woff2;base64,${bytes.toString('base64')}')`
  })
}

/** Other lessons are not in this file: what led to them is a mere word. @param {string} html */
function withoutOtherPages(html) {
  return html.replace(/<a href="(?!#)[^"]*">(.*?)<\/a>/gs, '$1')
}

import { existsSync } from 'node:fs'
import { codeLines } from './code.js'
import { fontFile, fonts } from './fonts.js'
import { inOrder } from './lessons.js'
import { formulas } from './mathml.js'

/** The folder the pages are written to; it can be served from any path, or copied to any host. */
export const output = 'build/site'

/** @param {any} eleventyConfig Eleventy's own configuration object */
export default function configure(eleventyConfig) {
  eleventyConfig.setUseGitIgnore(false) // dist/ is ignored by git and yet copied below
  eleventyConfig.amendLibrary('md', (/** @type {any} */ markdown) => {
    markdown.set({ html: true, typographer: true })
    markdown.use(formulas)
    markdown.use(codeLines)
  })

  // The pages use the package as any course page would: by its public files, copied beside them.
  if (existsSync('dist')) eleventyConfig.addPassthroughCopy({ dist: 'attention-lab' })
  eleventyConfig.addPassthroughCopy({ 'web/site/assets': 'assets', 'web/site/images': 'images' })
  for (const [font, faces] of Object.entries(fonts)) {
    for (const face of faces) {
      eleventyConfig.addPassthroughCopy({
        [fontFile(font, face)]: `assets/fonts/${face}`,
      })
    }
    const name = font.slice(font.indexOf('/') + 1)
    eleventyConfig.addPassthroughCopy({
      [`node_modules/${font}/LICENSE`]: `assets/fonts/${name}-LICENSE.txt`,
    })
  }

  eleventyConfig.addCollection('lessons', (/** @type {any} */ pages) =>
    inOrder(pages.getFilteredByGlob('web/site/pages/lessons/*.md')),
  )

  // A line must not end at the hyphen of a title's word: 'dot-' says something else than 'dot-product'.
  eleventyConfig.addFilter('unbroken', (/** @type {string} */ title) =>
    title.replace(/\S+-\S+/g, '<span class="unbroken">$&</span>'),
  )

  // A page is told the way up to the site's root, so that no address in it begins with a slash.
  eleventyConfig.addFilter('fromRoot', (/** @type {string} */ path, /** @type {string} */ url) => {
    const up = '../'.repeat(url.split('/').length - 2)
    return up + path.replace(/^\//, '') || './'
  })
  eleventyConfig.addWatchTarget('dist/')

  return {
    dir: { input: 'web/site/pages', includes: '../layouts', layouts: '../layouts', output },
    markdownTemplateEngine: 'njk',
    htmlTemplateEngine: 'njk',
  }
}

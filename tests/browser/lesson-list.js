/**
 * The lessons that the site links to.
 */
import { readdirSync, readFileSync } from 'node:fs'

/** @typedef {{ order: number, title: string, path: string }} Lesson  what a lesson's front matter says */

const folder = new URL('../../web/site/pages/lessons/', import.meta.url)

/** In their order. @type {Lesson[]} */
export const lessons = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8').split(/^---$/m)[1] }))
  .filter(({ text }) => !text.includes('eleventyExcludeFromCollections: true'))
  .map(({ file, text }) => ({
    order: Number(/^order: (\d+)$/m.exec(text)?.[1]),
    title: String(/^title: (.*)$/m.exec(text)?.[1]).replace(/^(['"])(.*)\1$/, '$2'),
    path: `lessons/${file.replace('.md', '')}/`,
  }))
  .sort((a, b) => a.order - b.order)

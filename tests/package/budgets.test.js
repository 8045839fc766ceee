import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { PROJECT } from '../../cpp/toolchain/index.js'

/**
 * @typedef {object} Budget
 * @property {string} what a reader downloads, in words
 * @property {string} file in dist, where `*` stands for the bundler's hash
 * @property {boolean} [withImports] whether everything counts that the file loads, at once or later
 * @property {number} kilobytes of 1,000 bytes after gzip
 */

const DIST = join(PROJECT, 'dist')

/** @type {Budget[]} */
const budgets = JSON.parse(readFileSync(new URL('budgets.json', import.meta.url), 'utf8'))

/** Paths in dist of all files that a browser may load. */
const shipped = readdirSync(DIST, { recursive: true })
  .map((path) => `${path}`)
  .filter((path) => /\.(js|wasm)$/.test(path))

/** @param {string} pattern */
function find(pattern) {
  const [before, after] = pattern.split('*')
  const matches = shipped.filter((path) =>
    after === undefined
      ? path === pattern
      : path.startsWith(before) && /^[\w-]{8}$/.test(path.slice(before.length, -after.length)),
  )
  assert.equal(matches.length, 1, `${pattern} matches ${matches.join(', ') || 'no file'} in dist`)
  return matches[0]
}

/**
 * A file and the scripts that it imports, directly or not, statically or not.
 *
 * @param {string} path
 * @param {Set<string>} seen
 */
function withImports(path, seen = new Set()) {
  if (seen.has(path) || !shipped.includes(path)) return seen
  seen.add(path)
  const text = path.endsWith('.js') ? readFileSync(join(DIST, path), 'utf8') : ''
  for (const [, address] of text.matchAll(/["'`](\.{1,2}\/[\w./-]+\.js)["'`]/g)) {
    withImports(join(dirname(path), address), seen)
  }
  return seen
}

/** @param {Budget} budget */
function filesOf({ file, withImports: all }) {
  const path = find(file)
  return all ? [...withImports(path)] : [path]
}

for (const budget of budgets) {
  const { what, file, kilobytes } = budget
  test(`${what} is at most ${kilobytes} kB`, () => {
    const size = filesOf(budget)
      .map((path) => gzipSync(readFileSync(join(DIST, path)), { level: 9 }).length)
      .reduce((sum, bytes) => sum + bytes / 1000, 0)
    assert.ok(
      size <= kilobytes,
      `${what} (dist/${file}) is ${size.toFixed(1)} kB after gzip, ` +
        `${(size - kilobytes).toFixed(1)} kB over its budget of ${kilobytes} kB. Make it smaller, or ` +
        `raise the budget in tests/package/budgets.json and say why in the commit.`,
    )
    assert.ok(
      size > kilobytes / 2,
      `${what} (dist/${file}) is only ${size.toFixed(1)} kB after gzip: lower its budget of ` +
        `${kilobytes} kB in tests/package/budgets.json.`,
    )
  })
}

test('every shipped file falls under a budget', () => {
  const counted = new Set(budgets.flatMap(filesOf))
  assert.deepEqual(
    shipped.filter((path) => !counted.has(path)),
    [],
  )
})

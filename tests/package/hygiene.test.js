import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { outputOf, PROJECT } from '../../cpp/toolchain/index.js'

/**
 * Hosts that an address in the project may name. The list is short on purpose: packages come by
 * their names, from wherever the reader's own npm and apt are set to get them.
 */
const HOSTS = [
  // The name spaces of SVG and MathML, which are no addresses to fetch.
  'www.w3.org',
  // This machine.
  'localhost',
  '127.0.0.1',
  // Reserved for examples.
  'example.com',
  'example.org',
  // What the README and the lessons refer to.
  'github.com',
  'arxiv.org',
  'doi.org',
  'keepachangelog.com',
  'semver.org',
]

/** Text files that are tracked, with their content; fonts and pictures are left out. */
const files = (outputOf('git', ['ls-files', '-z'], { cwd: PROJECT }) ?? '')
  .split('\0')
  .filter((path) => path !== '' && !/\.(png|woff2?|ico)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(PROJECT, path), 'utf8') }))

/**
 * Where a pattern occurs, as `path: match`.
 *
 * @param {RegExp} pattern global
 * @param {string[]} [exceptions] paths that are not looked at
 */
function occurrences(pattern, exceptions = []) {
  return files
    .filter(({ path }) => !exceptions.includes(path))
    .flatMap(({ path, text }) =>
      Array.from(text.matchAll(pattern), ([match]) => `${path}: ${match}`),
    )
}

test('there are tracked files to look at', () => {
  assert.ok(files.length > 50, `${files.length} files`)
})

test('the lock file records no download addresses', () => {
  const { text } = files.find(({ path }) => path === 'package-lock.json') ?? { text: '' }
  assert.match(text, /"lockfileVersion"/)
  assert.doesNotMatch(text, /"resolved": "http/)
})

test('every address in a tracked file leads to a host that is meant', () => {
  // The lock file holds addresses of its packages' authors, who ask for support.
  const addresses = occurrences(/\b(?:https?|wss?):\/\/[\w.-]+/g, ['package-lock.json'])
  const unknown = addresses.filter(
    (address) => !HOSTS.some((host) => address.endsWith(`//${host}`)),
  )
  assert.deepEqual(unknown, [])
})

test('no tracked file names a folder of somebody’s machine', () => {
  assert.deepEqual(occurrences(/(?<![\w.*}~])\/(?:root|home|work|Users)\/\w+/g), [])
})

import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withLock } from './lock.js'
import { bringEmscripten, emscriptenRoot, isBrought, resettle } from './private-emscripten.js'
import { onPath, outputOf } from './run.js'

/** The oldest release whose relaxed SIMD and ahead-of-time embind these builds rely on. */
const OLDEST = [3, 1, 69]

/** Debian's suites with a new enough Emscripten, the better first. */
const SUITES = ['forky', 'trixie']

/**
 * @typedef {object} Emscripten
 * @property {string} source where it was found: 'path', 'emsdk', or a suite of Debian
 * @property {string} root the folder with emcc
 * @property {string} version
 */

/**
 * Emscripten for this project: emcc on PATH if it is new enough, else the one that EMSDK names,
 * else a private copy, brought if need be. ATTENTION_LAB_EMSCRIPTEN = path, emsdk, forky or trixie
 * leaves no choice.
 *
 * @returns {Promise<Emscripten>}
 * @throws {Error} that says what was tried and what to install
 */
export async function findEmscripten() {
  const forced = process.env.ATTENTION_LAB_EMSCRIPTEN ?? ''
  const sources = ['path', 'emsdk', ...SUITES]
  if (forced !== '' && !sources.includes(forced)) {
    throw new Error(
      `ATTENTION_LAB_EMSCRIPTEN is '${forced}', but had to be one of ${sources.join(', ')}`,
    )
  }
  /** @type {string[]} */
  const refusals = []
  for (const source of forced === '' ? inOrder(sources) : [forced]) {
    try {
      return await from(source)
    } catch (error) {
      refusals.push(`- ${source}: ${error instanceof Error ? error.message : error}`)
    }
  }
  throw new Error(
    `No Emscripten (${OLDEST.join('.')} or newer) for the WebAssembly build:\n` +
      `${refusals.join('\n')}\n\nInstall Emscripten so that emcc is on PATH (Debian 13 or newer: ` +
      `sudo apt-get install emscripten; elsewhere: the Emscripten SDK, whose folder goes into ` +
      `the environment variable EMSDK), then run the command again.`,
  )
}

/**
 * A suite that was brought before comes ahead of one that would have to be fetched: a second run
 * needs no network.
 *
 * @param {string[]} sources
 */
function inOrder(sources) {
  const brought = SUITES.filter(isBrought)
  return [
    ...sources.filter((source) => !SUITES.includes(source)),
    ...brought,
    ...SUITES.filter((suite) => !brought.includes(suite)),
  ]
}

/**
 * @param {string} source
 * @returns {Promise<Emscripten>}
 */
async function from(source) {
  if (source === 'path') {
    const emcc = onPath('emcc')
    if (emcc === undefined) throw new Error('there is no emcc')
    return checked(source, rootOf(emcc))
  }
  if (source === 'emsdk') {
    const { EMSDK } = process.env
    if (!EMSDK) throw new Error('the environment variable EMSDK is not set')
    return checked(source, join(EMSDK, 'upstream/emscripten'))
  }
  await withLock(`toolchain-${source}`, () =>
    isBrought(source) ? resettle(source) : bringEmscripten(source),
  )
  return checked(source, emscriptenRoot(source))
}

/**
 * @param {string} emcc a program on PATH: Emscripten's own, a link to it or a wrapper
 */
function rootOf(emcc) {
  const folder = dirname(realpathSync(emcc))
  if (versionIn(folder) !== undefined) return folder
  return outputOf('em-config', ['EMSCRIPTEN_ROOT'])?.trim() ?? folder
}

/**
 * @param {string} source
 * @param {string} root
 * @returns {Emscripten}
 */
function checked(source, root) {
  const version = versionIn(root)
  if (version === undefined) throw new Error(`${root} holds no Emscripten`)
  const numbers = version.split('.').map((part) => parseInt(part, 10))
  const difference = OLDEST.map((oldest, index) => (numbers[index] ?? 0) - oldest).find(Boolean)
  if ((difference ?? 0) < 0) throw new Error(`${root} is version ${version}, too old`)
  return { source, root, version }
}

/**
 * Read from a file: asking emcc itself takes most of a second.
 *
 * @param {string} root
 */
function versionIn(root) {
  try {
    const text = readFileSync(join(root, 'emscripten-version.txt'), 'utf8')
    return text.trim().replace(/^"|"$/g, '')
  } catch {
    return undefined
  }
}

// Run by emscripten.cmake, which reads the folder from standard output.
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    process.stdout.write((await findEmscripten()).root)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

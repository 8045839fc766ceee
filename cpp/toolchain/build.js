import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { collectWasm } from './collect.js'
import { findEmscripten } from './find-emscripten.js'
import { withLock } from './lock.js'
import { ensureNodeModules } from './node-modules.js'
import { BUILD, PROJECT } from './paths.js'
import { run } from './run.js'
import { ensureSystemPackages } from './system-packages.js'

/** CMake's presets of the two variants of the WebAssembly module. */
export const WASM_PRESETS = ['simd', 'relaxed-simd']

/** CMake's presets for this machine. */
export const NATIVE_PRESETS = ['native', 'sanitize']

/** What the native builds take from the machine. */
const NATIVE_PACKAGES = ['cmake', 'ninja-build', 'g++', 'libeigen3-dev']

/** Emscripten is written in Python; CMake and Eigen serve it as well. */
const WASM_PACKAGES = ['cmake', 'ninja-build', 'python3', 'libeigen3-dev']

/** What the tests take besides, natively and in WebAssembly. */
const TEST_PACKAGES = ['googletest', 'nlohmann-json3-dev']

/**
 * Build one CMake preset, its tools included: all of it, or some targets. Takes a second when there
 * is nothing to do.
 *
 * @param {string} preset
 * @param {string[]} [targets]
 * @throws {Error} if a tool cannot be had or the build fails
 */
export async function buildPreset(preset, targets = []) {
  const isWasm = WASM_PRESETS.includes(preset)
  const withTests = targets.length === 0
  await ensureSystemPackages([
    ...(isWasm ? WASM_PACKAGES : NATIVE_PACKAGES),
    ...(withTests ? TEST_PACKAGES : []),
  ])
  // Emscripten's JavaScript optimiser takes its parser from there.
  if (isWasm) await ensureNodeModules()
  const emscripten = isWasm ? await findEmscripten() : undefined
  /** @type {Record<string, string>} */
  const env = emscripten ? { ATTENTION_LAB_EMSCRIPTEN_ROOT: emscripten.root } : {}
  await withLock(preset, async () => {
    await configure(preset, env, { emscripten, withTests })
    const args = ['--build', '--preset', preset, '--parallel', `${availableParallelism()}`]
    for (const target of targets) args.push('--target', target)
    await run('cmake', args, { cwd: PROJECT, env })
  })
}

/**
 * Build a preset's tests and run them.
 *
 * @param {string} preset
 */
export async function testPreset(preset) {
  await buildPreset(preset)
  const args = ['--preset', preset, '--parallel', `${availableParallelism()}`]
  await run('ctest', args, { cwd: PROJECT })
}

/** Build both variants of the WebAssembly module, without tests, into build/wasm. */
export async function buildWasm() {
  for (const preset of WASM_PRESETS) await buildPreset(preset, ['attention-module'])
  await withLock('wasm', collectWasm)
}

/**
 * Configure a preset's folder, anew if what it was configured with is no longer so: CMake itself
 * holds on to the compiler and the place that it saw first. Tests, whose packages the module does
 * without, join a folder when they are first asked for, and stay.
 *
 * @param {string} preset
 * @param {Record<string, string>} env
 * @param {{ emscripten?: import('./find-emscripten.js').Emscripten, withTests: boolean }} wanted
 */
async function configure(preset, env, { emscripten, withTests }) {
  const folder = join(BUILD, preset)
  const record = join(folder, 'configured-with.json')
  const presets = readFileSync(join(PROJECT, 'CMakePresets.json'), 'utf8')
  const tools = JSON.stringify({ project: PROJECT, emscripten, presets })
  const before = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {}
  if (before.tools !== tools) rmSync(folder, { recursive: true, force: true })
  else if (before.withTests || !withTests) return
  const args = ['--preset', preset, `-DATTENTION_TESTS=${withTests ? 'ON' : 'OFF'}`]
  await run('cmake', args, { cwd: PROJECT, env, quiet: true })
  writeFileSync(record, JSON.stringify({ tools, withTests }))
}

/** @param {string} what a preset, or 'wasm' for both variants' modules alone */
async function build(what) {
  if (what === 'wasm') return buildWasm()
  if ([...WASM_PRESETS, ...NATIVE_PRESETS].includes(what)) return buildPreset(what)
  const choices = ['wasm', ...WASM_PRESETS, ...NATIVE_PRESETS].join(', ')
  throw new Error(`Asked to build '${what}', but there are ${choices}.`)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await build(process.argv[2] ?? 'wasm')
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

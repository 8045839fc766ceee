/**
 * All checks, in the order in which they fail soonest: `npm test`. Names pick some of them, such as
 * `npm test -- style cpp`; what those need is built first. Plain Node, since in a fresh clone this
 * is what brings everything else.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildWasm,
  ensureNodeModules,
  ensureSystemPackages,
  PROJECT,
  run,
  testPreset,
} from '../cpp/toolchain/index.js'
import { buildPackage, buildSite } from '../web/site/build.js'

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} title
 * @property {string[]} [groups] names that pick this step along with others
 * @property {boolean} [needsBuild] whether it looks at what the step `build` makes
 * @property {() => Promise<unknown>} action
 */

/** @type {Step[]} */
const STEPS = [
  { name: 'modules', title: 'Node modules', action: ensureNodeModules },
  { name: 'style', title: 'Format and lint', action: checkStyle },
  {
    name: 'sanitize',
    title: 'C++ tests under sanitizers',
    groups: ['cpp'],
    action: () => testPreset('sanitize'),
  },
  {
    name: 'simd',
    title: 'C++ tests in WebAssembly, SIMD',
    groups: ['cpp', 'wasm'],
    action: () => testPreset('simd'),
  },
  {
    name: 'relaxed-simd',
    title: 'C++ tests in WebAssembly, relaxed SIMD',
    groups: ['cpp', 'wasm'],
    action: () => testPreset('relaxed-simd'),
  },
  {
    name: 'build',
    title: 'Module, package and site',
    action: async () => {
      await buildWasm()
      await buildPackage()
      await buildSite()
    },
  },
  { name: 'types', title: 'Types', needsBuild: true, action: () => bin('tsc', '--noEmit') },
  {
    name: 'js',
    title: 'JavaScript tests',
    needsBuild: true,
    action: () => bin('vitest', 'run', '--config', 'tests/js/vitest.config.js'),
  },
  {
    name: 'browser',
    title: 'Browser tests',
    needsBuild: true,
    action: async () => {
      // The font is for what pages leave to the system.
      await ensureSystemPackages(['chromium', 'fonts-dejavu-core'])
      await bin('playwright', 'test', '--config', 'tests/browser/playwright.config.js')
    },
  },
  {
    name: 'engines',
    title: 'Browser tests in Firefox and WebKit',
    needsBuild: true,
    action: async () => {
      await ensureSystemPackages(['firefox-esr', 'webkit2gtk-driver', 'xvfb', 'fonts-dejavu-core'])
      await bin('vitest', 'run', '--config', 'tests/browser/other-engines/vitest.config.js')
    },
  },
  {
    name: 'notebook',
    title: 'Notebook tests',
    needsBuild: true,
    action: async () => {
      // Not before the Node modules are there.
      const { testNotebook } = await import('./notebook/run.js')
      await testNotebook()
    },
  },
  {
    name: 'package',
    title: 'What the package ships',
    needsBuild: true,
    action: () => run(process.execPath, ['--test', 'tests/package/'], { cwd: PROJECT }),
  },
]

async function checkStyle() {
  await ensureSystemPackages(['clang-format'])
  const sources = ['cpp', 'tests/cpp']
    .flatMap((folder) =>
      readdirSync(join(PROJECT, folder), { recursive: true }).map((file) =>
        join(folder, `${file}`),
      ),
    )
    .filter((file) => /\.(cc|h)$/.test(file))
  await run('clang-format', ['--dry-run', '-Werror', ...sources], { cwd: PROJECT })
  await bin('prettier', '--check', '--log-level', 'warn', '.')
  await bin('eslint', '--max-warnings', '0', '.')
}

/**
 * A program of a development dependency.
 *
 * @param {string} program
 * @param {string[]} args
 */
function bin(program, ...args) {
  return run(`${PROJECT}/node_modules/.bin/${program}`, args, { cwd: PROJECT })
}

/**
 * The steps that are asked for and those that they need, in order.
 *
 * @param {string[]} wanted names of steps or groups; all steps if none
 */
function pickSteps(wanted) {
  const known = new Set(STEPS.flatMap(({ name, groups = [] }) => [name, ...groups]))
  for (const name of wanted) {
    if (!known.has(name)) {
      throw new Error(`There is no check '${name}'; there are ${[...known].join(', ')}.`)
    }
  }
  if (wanted.length === 0) return STEPS
  const picked = STEPS.filter(({ name, groups = [] }) =>
    [name, ...groups].some((each) => wanted.includes(each)),
  )
  const needed = new Set(['modules', ...picked.map(({ name }) => name)])
  if (picked.some(({ needsBuild }) => needsBuild)) needed.add('build')
  return STEPS.filter(({ name }) => needed.has(name))
}

/** @param {number} start from performance.now() */
function secondsSince(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}

try {
  const start = performance.now()
  const steps = pickSteps(process.argv.slice(2))
  for (const { title, action } of steps) {
    console.log(`\n▶ ${title}`)
    const stepStart = performance.now()
    try {
      await action()
    } catch (error) {
      const failure = `✖ ${title}: failed after ${secondsSince(stepStart)}`
      throw new Error(`${error instanceof Error ? error.message : error}\n\n${failure}`, {
        cause: error,
      })
    }
    console.log(`✔ ${title}: ${secondsSince(stepStart)}`)
  }
  console.log(`\nAll in ${secondsSince(start)}.\nchecks: ${steps.length} passed, 0 failed`)
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

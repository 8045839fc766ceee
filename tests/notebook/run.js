/**
 * The tests of the Python package: in Python, then of its widgets in a browser, in marimo and JupyterLab, and of a
 * real model's attention in the page that opens it. What these need beyond this machine comes from PyPI; where that is
 * not reached they are left out, in words, unless ATTENTION_DEMAND_PYPI says that they must run.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { ensureSystemPackages, outputOf, PROJECT, run } from '../../cpp/toolchain/index.js'
import { buildNotebook } from '../../web/notebook/build.js'
import { ensurePackages, installWheel, program } from './environment.js'

const PLAYWRIGHT = `${PROJECT}/node_modules/.bin/playwright`
const CONFIG = ['--config', 'tests/notebook/playwright.config.js']
const PYTHON = 'tests/notebook/python'

/** The browser tests that need no Python. */
const ALONE = ['hosts']
/** Those in programs from PyPI. */
const IN_PROGRAMS = ['exports', 'jupyter', 'marimo', 'model']

/** @throws {Error} if a test fails, or cannot run although it must */
export async function testNotebook() {
  await ensureSystemPackages(['chromium', 'fonts-dejavu-core'])
  try {
    await ensurePackages()
  } catch (error) {
    if (process.env.ATTENTION_DEMAND_PYPI) throw error
    await buildNotebook()
    await testInBrowser(ALONE)
    const reason = error instanceof Error ? error.message.split('\n').at(-1) : error
    console.log(
      `Left out: ${countBrowserTests(IN_PROGRAMS)} in marimo, in JupyterLab and of a real model, and ${countPythonTests()} in Python, ` +
        `whose packages from PyPI could not be had (${reason}).`,
    )
    return
  }
  await installWheel()
  const options = ['--quiet', '-p', 'no:cacheprovider', PYTHON]
  await run(program('python'), ['-B', '-m', 'pytest', ...options], { cwd: PROJECT })
  await testInBrowser([...ALONE, ...IN_PROGRAMS])
}

/** @param {string[]} names of spec files */
function testInBrowser(names) {
  return run(PLAYWRIGHT, ['test', ...CONFIG, ...names], { cwd: PROJECT })
}

/** @param {string[]} names of spec files @returns {string} such as '18 tests' */
function countBrowserTests(names) {
  const list = outputOf(PLAYWRIGHT, ['test', '--list', ...CONFIG, ...names], { cwd: PROJECT })
  return /Total: (\d+ tests?)/.exec(list ?? '')?.[1] ?? 'all tests'
}

/** Functions; pytest, which knows how many cases they have, is what could not be had. */
function countPythonTests() {
  return readdirSync(`${PROJECT}/${PYTHON}`)
    .filter((file) => file.endsWith('.py'))
    .map((file) => readFileSync(`${PROJECT}/${PYTHON}/${file}`, 'utf8').match(/^def test_/gm) ?? [])
    .reduce((count, found) => count + found.length, 0)
}

/**
 * The tests of the Python package: in Python, then in marimo and JupyterLab in a browser. What they need beyond this
 * machine comes from PyPI; where that is not reached they are left out, in words, unless ATTENTION_DEMAND_PYPI says
 * that they must run.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureSystemPackages, PROJECT, run } from '../../cpp/toolchain/index.js'
import { ensurePackages, installWheel, program } from './environment.js'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))

/** @throws {Error} if a test fails, or cannot run although it must */
export async function testNotebook() {
  try {
    await ensurePackages()
  } catch (error) {
    if (process.env.ATTENTION_DEMAND_PYPI) throw error
    const reason = error instanceof Error ? error.message.split('\n').at(-1) : error
    console.log(
      `Left out: ${countTests(/\.spec\.js$/, /^\s*test\(/gm)} tests in marimo and JupyterLab and ` +
        `${countTests(/^test_.*\.py$/, /^def test_/gm)} in Python, whose packages from PyPI could not be had (${reason}).`,
    )
    return
  }
  await installWheel()
  const options = ['--quiet', '-p', 'no:cacheprovider', join(FOLDER, 'python')]
  await run(program('python'), ['-B', '-m', 'pytest', ...options], { cwd: PROJECT })
  await ensureSystemPackages(['chromium', 'fonts-dejavu-core'])
  const playwright = `${PROJECT}/node_modules/.bin/playwright`
  const config = 'tests/notebook/playwright.config.js'
  await run(playwright, ['test', '--config', config], { cwd: PROJECT })
}

/** @param {RegExp} name of a file @param {RegExp} pattern of a test in it */
function countTests(name, pattern) {
  return readdirSync(FOLDER, { recursive: true })
    .map(String)
    .filter((path) => name.test(path.split('/').at(-1) ?? ''))
    .reduce(
      (count, path) =>
        count + (readFileSync(join(FOLDER, path), 'utf8').match(pattern) ?? []).length,
      0,
    )
}

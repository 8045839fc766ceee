/**
 * Builds the Python package into build/wheel: the widgets' modules first, which it carries, then the wheel.
 *
 * On the command line, as `npm run wheel`: pip fetches what builds the wheel from wherever it is set to get packages.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILD, ensureSystemPackages, PROJECT, run } from '../../cpp/toolchain/index.js'
import { buildNotebook } from './build.js'

const WHEELS = join(BUILD, 'wheel')

/**
 * @param {string} python of an environment with pip
 * @param {string[]} [options] of `pip wheel`
 * @returns {Promise<string>} the wheel's path
 * @throws {Error} if something is missing or does not build
 */
export async function buildWheel(python, options = []) {
  await buildNotebook()
  rmSync(WHEELS, { recursive: true, force: true })
  const args = ['-m', 'pip', 'wheel', '--quiet', '--disable-pip-version-check', '--no-deps']
  const source = join(PROJECT, 'web/notebook/python')
  await run(python, [...args, ...options, '--wheel-dir', WHEELS, source], { quiet: true })
  return join(WHEELS, readdirSync(WHEELS)[0])
}

/**
 * A virtual environment, made if there is none.
 * @param {string} folder
 * @returns {Promise<string>} its Python
 */
export async function pythonIn(folder) {
  const python = join(folder, 'bin/python')
  if (!existsSync(python)) {
    await ensureSystemPackages(['python3', 'python3-venv'])
    await run('python3', ['-m', 'venv', folder])
  }
  return python
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(await buildWheel(await pythonIn(join(BUILD, 'wheel-venv'))))
}

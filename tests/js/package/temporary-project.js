import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** This project's top. */
export const PROJECT = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * A project somewhere else that has the package installed as npm would install it, from the packed
 * file alone.
 */
export function createTemporaryProject() {
  if (!existsSync(join(PROJECT, 'dist/index.js'))) {
    throw new Error('dist is missing; run node web/build.js first')
  }
  const folder = mkdtempSync(join(tmpdir(), 'attention-lab-user-'))
  const packed = run(PROJECT, 'npm', [
    'pack',
    '--ignore-scripts',
    '--json',
    '--pack-destination',
    folder,
  ])
  const [{ filename }] = JSON.parse(packed)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  run(folder, 'npm', ['install', '--offline', '--ignore-scripts', '--no-audit', `./${filename}`])

  return {
    folder,
    /**
     * @param {string} name
     * @param {string} text
     */
    write(name, text) {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    },
    /**
     * Runs a program there.
     * @param {string} program
     * @param {string[]} args
     * @returns {string} what it printed
     */
    run: (program, args) => run(folder, program, args),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/**
 * @param {string} cwd
 * @param {string} program
 * @param {string[]} args
 */
function run(cwd, program, args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status === 0) return stdout
  throw new Error(`${program} ${args.join(' ')} failed: ${error ?? ''}\n${stdout}\n${stderr}`)
}

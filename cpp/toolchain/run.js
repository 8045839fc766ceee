import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {Record<string, string>} [env] added to this process's environment
 * @property {boolean} [quiet] keep the output back; a failure's message holds it
 */

/**
 * Run a program to its end, with its output on ours.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @throws {Error} naming the command, if it cannot start or exits with another code than 0
 */
export async function run(command, args, { cwd, env, quiet = false } = {}) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
  })
  /** @type {Buffer[]} */
  const output = []
  child.stdout?.on('data', (chunk) => output.push(chunk))
  child.stderr?.on('data', (chunk) => output.push(chunk))
  const ending = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) => resolve(code === 0 ? '' : (signal ?? `exit code ${code}`)))
  })
  if (ending === '') return
  const line = [command, ...args].join(' ')
  const shown = line.length > 200 ? `${line.slice(0, 200)} …` : line
  throw new Error(`${shown}: ${ending}\n${Buffer.concat(output)}`.trimEnd())
}

/**
 * What a program prints, or `undefined` if it is missing or fails.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string> }} [options]
 */
export function outputOf(command, args, { cwd, env } = {}) {
  const { status, stdout } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return status === 0 ? stdout : undefined
}

/**
 * Where a program lies on PATH, or `undefined`.
 *
 * @param {string} command
 */
export function onPath(command) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, command)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // Not in this folder: look in the next.
    }
  }
  return undefined
}

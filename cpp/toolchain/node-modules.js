import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './paths.js'
import { run } from './run.js'

/**
 * @typedef {{ version?: string, optional?: boolean, devOptional?: boolean }} LockedPackage
 */

/**
 * Run `npm ci` unless node_modules already holds what package-lock.json asks for. Takes
 * milliseconds and no network when it does.
 */
export async function ensureNodeModules() {
  const wanted = lockedPackages('package-lock.json')
  const present = lockedPackages('node_modules/.package-lock.json')
  const isComplete = Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || present[path]?.version === version || (optional && !(path in present)),
  )
  if (isComplete) return
  // --include=dev: a machine with NODE_ENV=production still has to build.
  await run('npm', ['ci', '--include=dev'], { cwd: PROJECT })
}

/**
 * The packages of a lock file by their folder; none if the file is missing.
 *
 * @param {string} path
 * @returns {Record<string, LockedPackage>}
 */
function lockedPackages(path) {
  try {
    return JSON.parse(readFileSync(join(PROJECT, path), 'utf8')).packages
  } catch {
    return {}
  }
}

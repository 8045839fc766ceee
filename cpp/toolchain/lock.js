import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { BUILD } from './paths.js'

/**
 * Do something that no two processes may do at once, such as building into one folder: `npm start`
 * and `npm test` may well run side by side.
 *
 * @template T
 * @param {string} name
 * @param {() => T | Promise<T>} action
 */
export async function withLock(name, action) {
  mkdirSync(BUILD, { recursive: true })
  const path = join(BUILD, `${name}.lock`)
  for (let waited = 0; !take(path); waited++) {
    if (waited === 10) console.error(`Waiting for another process that holds build/${name}.lock`)
    await setTimeout(200)
  }
  try {
    return await action()
  } finally {
    rmSync(path, { force: true })
  }
}

/**
 * @param {string} path
 * @returns {boolean} whether the lock is ours now
 */
function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    // Its owner may have been killed: then it is left over, and the next try takes it.
    if (!isRunning(ownerOf(path))) rmSync(path, { force: true })
    return false
  }
}

/** @param {string} path */
function ownerOf(path) {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    return 0
  }
}

/**
 * @param {number} pid 0 for a lock that its owner has not yet signed or just released
 */
function isRunning(pid) {
  if (pid === 0) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Someone else's process may not be signalled, but it runs.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

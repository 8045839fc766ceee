/**
 * Servers of notebooks, each on a port that is free, ended by their id.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** @typedef {{ url: string, end: () => Promise<void> }} Server */

const START_MILLISECONDS = 60_000

/** A port that nothing listens on. @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  server.close()
  await once(server, 'close')
  return port
}

/**
 * The environment of a host that keeps all of its own in a folder, so that a machine's settings do not matter.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
export function ownEnvironment(folder) {
  const names = {
    HOME: 'home',
    XDG_CONFIG_HOME: 'config',
    XDG_DATA_HOME: 'share',
    XDG_STATE_HOME: 'state',
    XDG_CACHE_HOME: 'cache',
    JUPYTER_CONFIG_DIR: 'jupyter-config',
    JUPYTER_DATA_DIR: 'jupyter-data',
    JUPYTER_RUNTIME_DIR: 'jupyter-runtime',
    IPYTHONDIR: 'ipython',
  }
  return Object.fromEntries(
    Object.entries(names).map(([name, below]) => {
      const path = join(folder, below)
      mkdirSync(path, { recursive: true })
      return [name, path]
    }),
  )
}

/**
 * Starts a server and waits until it answers.
 * @param {string} program
 * @param {(port: number) => string[]} args
 * @param {{ cwd: string, path?: string }} place where its files are, and the path that answers
 * @returns {Promise<Server>}
 */
export async function serve(program, args, { cwd, path = '/' }) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { ...process.env, ...ownEnvironment(join(cwd, '.own')) }
  const child = spawn(program, args(port), { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const exited = once(child, 'exit')
  const deadline = Date.now() + START_MILLISECONDS
  while (!(await answers(url + path))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill()
      throw new Error(`${program} did not start:\n${output}`)
    }
    await new Promise((done) => setTimeout(done, 100))
  }
  const end = async () => {
    child.kill()
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await exited
    clearTimeout(late)
  }
  return { url, end }
}

/** @param {string} url */
async function answers(url) {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

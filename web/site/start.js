import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { BUILD, buildWasm, ensureNodeModules } from '../../cpp/toolchain/index.js'
import { buildPackage, buildSite } from './build.js'
import { createStaticServer, listen } from './serve.js'

/**
 * `npm start`: from a fresh clone to the lessons in a browser. Each step is skipped when its result is up to date,
 * so a second start takes seconds. Plain Node up to here: on a fresh machine the first step brings the rest.
 *
 * PORT chooses the port; where it is taken, or not given, the next free one from there or from 8080 is used.
 */

/** How many ports are tried before giving up. */
const PORTS = 100

/** @param {string} title @param {() => Promise<unknown>} step */
async function take(title, step) {
  const start = performance.now()
  const wasNeeded = (await step()) !== false
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(wasNeeded ? `${title}: ${seconds} s` : `${title}: up to date`)
}

/** @param {string} address */
function openBrowser(address) {
  const hasDisplay =
    process.env.DISPLAY || process.env.WAYLAND_DISPLAY || process.platform === 'darwin'
  if (!process.stdout.isTTY || !hasDisplay) return
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
  // No browser is no failure: the address stands in the terminal.
  spawn(opener, [address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}

async function start() {
  await take('Node packages', ensureNodeModules)
  await take('WebAssembly', buildWasm)
  await take('Package', buildPackage)
  await take('Site', buildSite)

  const server = createStaticServer(join(BUILD, 'site'))
  const port = await listen(server, Number(process.env.PORT) || 8080, PORTS)
  const address = `http://localhost:${port}/`
  console.log(`\nThe lessons are at ${address}\nCtrl-C ends it.`)
  openBrowser(address)

  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.on(signal, () => {
      server.close()
      server.closeAllConnections()
      process.exit(0)
    })
  }
}

try {
  await start()
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

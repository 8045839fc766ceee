/**
 * Builds the npm package into dist: the worker first, which the package holds, then the package, then
 * its types. The WebAssembly module must have been built (cpp/toolchain).
 *
 * On the command line: node web/build.js
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { bundleAlone } from './offline/bundle.js'

const project = fileURLToPath(new URL('..', import.meta.url))

/**
 * @throws {Error} if something is missing or does not compile
 */
export async function buildPackage() {
  if (!existsSync(`${project}/build/wasm/attention.js`)) {
    throw new Error('build/wasm is missing; run node cpp/toolchain/build.js wasm first')
  }
  await build({ configFile: `${project}/web/vite.worker.config.js` })
  await build({ configFile: `${project}/web/vite.config.js` })
  await bundleAlone('web/offline/lab.js', `${project}/dist/offline.js`)
  copyFileSync(`${project}/web/embed/embed.html`, `${project}/dist/embed.html`)
  copyFileSync(`${project}/web/site/assets/icon.svg`, `${project}/dist/icon.svg`)
  emitTypes()
}

/** Writes dist/types from the JSDoc comments. */
function emitTypes() {
  const tsc = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url))
  const { status } = spawnSync(tsc, ['--project', 'web/tsconfig.json'], {
    cwd: project,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('the types of the package could not be written')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPackage()

/**
 * `npm run bench`: how fast the kernels are beside their peers and beside what the machine could do at most, in
 * headless Chromium and in Node. It is worth something on a machine that does nothing else.
 *
 *     npm run bench -- --json FILE       the figures, too
 *     npm run bench -- --only forward    cases whose name or call has it
 *     npm run bench -- --in chromium     or node; both without it
 *     npm run bench -- --variant simd    relaxed-simd without it
 *     npm run bench -- --threads 2       of the peers
 *     npm run bench -- --seconds 1       for each piece of work; 3 without it
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { arch, cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import {
  BUILD,
  ensureNodeModules,
  ensureSystemPackages,
  onPath,
  PROJECT,
  run,
} from '../../cpp/toolchain/index.js'
import { buildWasm } from '../../cpp/toolchain/index.js'
import { createStaticServer, listen } from '../../web/site/serve.js'
import { buildPackage } from '../../web/site/build.js'
import { buildCeilings } from './ceilings/build.js'
import { measureNative } from './native.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    only: { type: 'string' },
    in: { type: 'string' },
    variant: { type: 'string', default: 'relaxed-simd' },
    threads: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '3' },
  },
})
const options = { variant: values.variant, only: values.only, seconds: Number(values.seconds) }

await ensureNodeModules()
await buildWasm()
await buildPackage()
await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, quiet: true })
await buildCeilings()
const nativeGflops = await measureNative()
console.log(`Native Eigen, AVX2 and FMA, 768³: ${nativeGflops.toFixed(1)} GFLOP/s\n`)

const machine = `${cpus()[0].model}, ${cpus().length} cores, ${arch()}`
/** @type {Record<string, any>} */
const results = { machine, nativeGflops }
if (values.in !== 'node') Object.assign(results, await inChromium())
if (values.in !== 'chromium') results.node = await inNode()
if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`)

async function inChromium() {
  const { build } = await import('vite')
  const { chromium } = await import('@playwright/test')
  await ensureSystemPackages(['chromium'])
  const root = join(BUILD, 'bench/page')
  await build({
    configFile: false,
    root: here,
    base: './',
    logLevel: 'error',
    build: {
      outDir: root,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      // tfjs starts its threads from the text of its own functions, whose names must stay.
      minify: false,
      rolldownOptions: { input: join(here, 'page.html') },
    },
  })
  for (const [name, folder] of [
    ['ort', 'onnxruntime-web/dist'],
    ['tfjs', '@tensorflow/tfjs-backend-wasm/dist'],
  ]) {
    mkdirSync(join(root, 'peers', name), { recursive: true })
    cpSync(join(here, 'node_modules', folder), join(root, 'peers', name), {
      recursive: true,
      filter: (path) => !/\.\w+$/.test(path) || /\.(wasm|mjs)$/.test(path),
    })
  }
  cpSync(
    join(BUILD, `bench/ceilings-${values.variant}.wasm`),
    join(root, `ceilings-${values.variant}.wasm`),
  )
  const files = createStaticServer(root)
  // The peers' threads share memory, which browsers allow to isolated pages alone.
  const server = createServer((request, response) => {
    if (Number(values.threads) > 1) {
      response.setHeader('cross-origin-opener-policy', 'same-origin')
      response.setHeader('cross-origin-embedder-policy', 'require-corp')
    }
    files.emit('request', request, response)
  })
  const port = await listen(server, 0)
  const browser = await chromium.launch({
    executablePath: onPath('chromium'),
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage()
    page.on('console', (message) => console.log(message.text()))
    await page.goto(`http://localhost:${port}/page.html`)
    await page.waitForFunction(() => 'bench' in globalThis)
    console.log(
      `Chromium ${browser.version()}, ${values.variant}, ${values.threads} thread(s) for the peers`,
    )
    const figures = await page.evaluate((wanted) => /** @type {any} */ (globalThis).bench(wanted), {
      ...options,
      threads: Number(values.threads),
      peers: true,
    })
    return { browser: `Chromium ${browser.version()}`, ...figures }
  } finally {
    await browser.close()
    server.close()
  }
}

async function inNode() {
  console.log(`\nNode ${process.version}, ${values.variant}`)
  const flags = values.variant === 'relaxed-simd' ? ['--experimental-wasm-relaxed-simd'] : []
  const child = spawn(
    process.execPath,
    [...flags, join(here, 'in-node.js'), JSON.stringify(options)],
    { cwd: PROJECT, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let printed = ''
  for await (const chunk of child.stdout) printed += chunk
  return { browser: `Node ${process.version}`, ...JSON.parse(printed) }
}

/**
 * Projects of the package's users, made from the packed file, built by what they build with, and opened in a browser.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { build } from 'vite'
import webpack from 'webpack'
import { createTemporaryProject } from '../js/package/temporary-project.js'
import { createStaticServer, listen } from '../../web/site/serve.js'

/** @import { Page } from '@playwright/test' */

const page = readFileSync(
  new URL('../../web/site/pages/use-it-elsewhere.md', import.meta.url),
  'utf8',
)

/** @param {string} name of a block of code on the page 'Use it elsewhere' @returns {string} */
function snippet(name) {
  const code = new RegExp(`^\`\`\`\\w+ ${name}\\n(.*?)^\`\`\``, 'ms').exec(page)?.[1]
  if (!code) throw new Error(`there is no snippet '${name}'`)
  return code
}

const html = (/** @type {string} */ script) => `<!doctype html>
<html lang="en">
  <head><title>An app</title><link rel="icon" href="data:," /></head>
  <body>
    <div id="cube"></div>
    <multi-head-example num-heads="2"></multi-head-example>
    ${script}
  </body>
</html>`

const main = `import 'attention-lab/elements'\n${snippet('views')}`

/** @type {ReturnType<typeof createTemporaryProject>} */
let project
/** @type {import('node:http').Server | undefined} */
let server

test.beforeAll(() => {
  project = createTemporaryProject()
})
test.afterAll(() => project?.remove())
test.afterEach(() => server?.close())

/** @param {Page} page @param {string} folder @returns {Promise<string[]>} faults from now on */
async function open(page, folder) {
  /** @type {string[]} */
  const faults = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  server = createStaticServer(folder)
  await page.goto(`http://localhost:${await listen(server, 0)}/`)
  return faults
}

/** @param {Page} page */
async function expectFigures(page) {
  await expect(page.locator('#cube').getByRole('button', { name: 'head 1' })).toBeVisible()
  await expect(page.locator('multi-head-example .measures tbody tr')).toHaveCount(2)
}

test('A Vite app', async ({ page }) => {
  project.write('vite/index.html', html('<script type="module" src="./main.js"></script>'))
  project.write('vite/main.js', main)
  const root = join(project.folder, 'vite')
  await build({ root, base: './', configFile: false, logLevel: 'error' })
  const faults = await open(page, join(root, 'dist'))
  await expectFigures(page)
  expect(faults).toEqual([])
})

test('A webpack app', async ({ page }) => {
  test.slow()
  project.write('webpack/main.js', main)
  project.write('webpack/dist/index.html', html('<script type="module" src="./main.js"></script>'))
  const root = join(project.folder, 'webpack')
  const compiler = webpack({
    mode: 'production',
    context: root,
    entry: './main.js',
    output: { path: join(root, 'dist'), filename: 'main.js' },
    performance: { hints: false },
    // Which takes most of the time, and is none of this test's business.
    optimization: { minimize: false },
  })
  const report = await new Promise((resolve) =>
    compiler?.run((error, stats) =>
      resolve(error ? String(error) : stats?.toString({ preset: 'errors-warnings' })),
    ),
  )
  expect(report).toBe('webpack compiled successfully')
  const faults = await open(page, join(root, 'dist'))
  await expectFigures(page)
  expect(faults).toEqual([])
})

test('A page with an import map and no bundler', async ({ page }) => {
  const code = snippet('import-map').replaceAll(
    './attention-lab/',
    './node_modules/attention-lab/dist/',
  )
  project.write(
    'index.html',
    `<!doctype html><html lang="en"><title>A page</title><link rel="icon" href="data:,">${code}</html>`,
  )
  const faults = await open(page, project.folder)
  await expect(page.getByRole('gridcell').first()).toBeAttached()
  expect(faults).toEqual([])
})

test('An app of the engine alone has no views in it, nor one of a heatmap three.js', async () => {
  /** @param {string} name @param {string} code @returns {Promise<string>} what is written */
  const bundled = async (name, code) => {
    project.write(`${name}/index.html`, html('<script type="module" src="./main.js"></script>'))
    project.write(`${name}/main.js`, code)
    const root = join(project.folder, name)
    await build({ root, base: './', configFile: false, logLevel: 'error' })
    const folder = join(root, 'dist/assets')
    const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'))
    return scripts.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
  }
  const engine = await bundled(
    'engine-only',
    `import { loadEngine } from 'attention-lab'\nconsole.log((await loadEngine()).variant)`,
  )
  expect(engine).not.toMatch(/WebGLRenderer|attachShadow|litHtmlVersions/)
  const heatmap = await bundled(
    'heatmap-only',
    `import { Heatmap } from 'attention-lab/views'\nnew Heatmap(document.body, { attention: [[1]] })`,
  )
  expect(heatmap).toContain('attachShadow')
  expect(heatmap).not.toMatch(/WebGLRenderer|instantiateWasm/)
})

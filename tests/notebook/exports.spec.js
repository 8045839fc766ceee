import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test as base } from '@playwright/test'
import { outputOf, run } from '../../cpp/toolchain/index.js'
import { program } from './environment.js'
import { expectDrawn, expectGolden } from './figures.js'
import {
  CLUSTERS,
  JUPYTER_IMPORTS,
  jupyterNotebook,
  MARIMO_IMPORTS,
  marimoNotebook,
} from './notebooks.js'
import { ownEnvironment } from './server.js'

/** @import { Page } from '@playwright/test' */

/** @type {import('@playwright/test').TestType<import('@playwright/test').PlaywrightTestArgs & import('@playwright/test').PlaywrightTestOptions & { folder: string }, {}>} */
const test = base.extend({
  /** A folder of the test's own; errors on its page fail it. */
  folder: async ({ page }, use, info) => {
    /** @type {string[]} */
    const errors = []
    page.on('pageerror', (error) => errors.push(String(error)))
    mkdirSync(info.outputDir, { recursive: true })
    await use(info.outputDir)
    expect(errors).toEqual([])
  },
})

const CUBE_CELLS = [
  'h = 4',
  CLUSTERS,
  `attention_cube = AttentionCube(attention_tensor=attentions.tolist(), emphasized_head=-1)
attention_cube`,
]

/**
 * Runs a program of the environment in a folder.
 * @param {string} folder
 * @param {string} name
 * @param {...string} args
 */
function command(folder, name, ...args) {
  const env = ownEnvironment(join(folder, '.own'))
  return run(program(name), args, { cwd: folder, env, quiet: true })
}

/**
 * Opens a file as a reader without a network does.
 * @param {Page} page
 * @param {string} path
 * @param {(address: string) => string | null} [local] a file that stands in for an address
 */
async function openOffline(page, path, local = () => null) {
  await page.route(/^(?!file:|blob:|data:)/, (route) => {
    const file = local(route.request().url())
    const headers = { 'access-control-allow-origin': '*' }
    return file ? route.fulfill({ path: file, headers }) : route.abort()
  })
  await page.goto(pathToFileURL(path).href)
}

test('A page of nbconvert draws its figures from disk, without a network', async ({
  page,
  folder,
}) => {
  const notebook = jupyterNotebook(folder, 'notebook', [
    JUPYTER_IMPORTS,
    ...CUBE_CELLS,
    'MultiHeadExample(num_heads=8)',
    'AttentionHeatmap(attentions[0], query_tokens=list("abcdefghijkl"))',
  ])
  await command(folder, 'jupyter', 'nbconvert', '--to', 'html', '--execute', notebook)
  await openOffline(page, join(folder, 'notebook.html'))
  await expectDrawn(page.locator('attention-cube'))
  await expectGolden(page, 4)
  await expect(page.locator('multi-head-example').locator('tbody tr')).toHaveCount(8)
  await expectDrawn(page.locator('attention-heatmap'))
  // It lives on without Python.
  const cube = page.locator('attention-cube')
  await cube.getByRole('button', { name: 'head 2' }).click()
  await expect(cube.getByRole('button', { name: 'head 2' })).toHaveAttribute('aria-pressed', 'true')
})

test('A page of marimo draws its figures with nothing but marimo’s own program', async ({
  page,
  folder,
}) => {
  await openExport(page, folder)
  await expectDrawn(page.locator('attention-cube'))
  await expectGolden(page, 4)
})

test('A page of marimo that was made to draws its figures from disk, without a network', async ({
  page,
  folder,
}) => {
  const path = await exportMarimo(folder)
  await openOffline(page, path)
  // marimo's program is not there, and the page is blank.
  await expect(page.locator('#root')).toBeEmpty()
  await command(folder, 'python', '-m', 'attention_lab.offline', path)
  await page.reload()
  await expectDrawn(page.locator('attention-cube'))
  await expectGolden(page, 4)
  await expect(page.getByText('12 tokens, as the text beside the cube says')).toBeVisible()
})

test('Where marimo’s program comes to such a page it takes over, and figures stand there once', async ({
  page,
  folder,
}) => {
  await openExport(page, folder, (path) =>
    command(folder, 'python', '-m', 'attention_lab.offline', path),
  )
  await expect(page.locator('marimo-anywidget')).toHaveCount(1)
  await expect(page.locator('#root > main')).toHaveCount(0)
  await expectDrawn(page.locator('attention-cube'))
  await expect(page.locator('attention-cube')).toHaveCount(1)
})

/** @param {string} folder @returns {Promise<string>} the page's path */
async function exportMarimo(folder) {
  const text = 'mo.md("**12 tokens**, as the text beside the cube says")'
  const notebook = marimoNotebook(folder, [MARIMO_IMPORTS, text, ...CUBE_CELLS])
  const path = join(folder, 'page.html')
  await command(folder, 'marimo', 'export', 'html', notebook, '--output', path)
  return path
}

/**
 * Opens a page of marimo's with marimo's own program at hand, which it would else fetch.
 * @param {Page} page
 * @param {string} folder
 * @param {(path: string) => Promise<void>} [change] of the page, before
 */
async function openExport(page, folder, change = async () => {}) {
  const path = await exportMarimo(folder)
  await change(path)
  const [, address] = /src="([^"]+\/)assets\/[^"]+\.js"/.exec(readFileSync(path, 'utf8')) ?? []
  expect(address).toBeTruthy()
  const assets = marimoProgram()
  await openOffline(page, path, (wanted) =>
    wanted.startsWith(address) ? join(assets, wanted.slice(address.length)) : null,
  )
}

/** The folder of marimo's program in the environment. */
function marimoProgram() {
  const code = 'import marimo, pathlib; print(pathlib.Path(marimo.__file__).parent / "_static")'
  return outputOf(program('python'), ['-c', code])?.trim() ?? ''
}

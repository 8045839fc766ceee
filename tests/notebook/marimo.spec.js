import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test as base } from '@playwright/test'
import { BUILD } from '../../cpp/toolchain/index.js'
import { version } from '../../web/version.js'
import { program } from './environment.js'
import {
  countFigures,
  cubesOnRenderer,
  expectDrawn,
  expectFollowed,
  expectGolden,
  expectTheme,
  holdings,
  tensorOf,
} from './figures.js'
import { CLUSTERS, MARIMO_IMPORTS, marimoNotebook, RAMP } from './notebooks.js'
import { serve } from './server.js'

/** @typedef {(cells: string[], settings?: string) => Promise<void>} Open */

/** @type {import('@playwright/test').TestType<import('@playwright/test').PlaywrightTestArgs & import('@playwright/test').PlaywrightTestOptions & { open: Open }, {}>} */
const test = base.extend({
  /** Opens a notebook of these cells, which must fetch nothing from elsewhere. */
  open: async ({ page }, use, info) => {
    /** @type {string[]} */
    const faults = []
    page.on('pageerror', (error) => faults.push(String(error)))
    /** @type {import('./server.js').Server[]} */
    const servers = []
    await use(async (cells, settings) => {
      const folder = info.outputDir
      mkdirSync(folder, { recursive: true })
      const notebook = marimoNotebook(folder, [MARIMO_IMPORTS, ...cells], settings)
      const options = ['--headless', '--no-token', '--host', '127.0.0.1']
      const server = await serve(
        program('marimo'),
        (port) => ['run', notebook, ...options, '--port', `${port}`],
        { cwd: folder, path: '/health' },
      )
      servers.push(server)
      const { url } = server
      page.on('request', (request) => {
        const address = request.url()
        if (!address.startsWith(url) && !/^(blob|data):/.test(address)) faults.push(address)
      })
      await page.goto(url)
    })
    for (const server of servers) await server.end()
    expect(faults).toEqual([])
  },
})

/** The elements of all exhibits, as the package has them. @returns {string[]} */
function exhibitNames() {
  const { exhibits } = JSON.parse(readFileSync(join(BUILD, 'notebook/lab.json'), 'utf8'))
  return exhibits.map((/** @type {{ element: string }} */ { element }) => element)
}

/** The fourth notebook's cell that shows the cube. */
const CUBE_CELL = `attention_cube = mo.ui.anywidget(
    AttentionCube(attention_tensor=attentions.tolist(), emphasized_head=-1)
)
attention_cube`

test('The fourth notebook’s cube cell draws what the notebook computes, and follows its slider', async ({
  page,
  open,
}) => {
  await open([
    'h_slider = mo.ui.dropdown(options=["1", "2", "4", "8"], value="4", label="heads")\nh_slider',
    'h = int(h_slider.value)',
    CLUSTERS,
    CUBE_CELL,
    'mo.md(f"emphasized: {attention_cube.emphasized_head}, as value {attention_cube.value[\'emphasized_head\']}")',
    'to_third = mo.ui.button(value=0, on_click=lambda count: count + 1, label="third head")\nto_third',
    'if to_third.value:\n    attention_cube.emphasized_head = 2',
  ])
  const cube = page.locator('attention-cube')
  await expectDrawn(cube)
  await expectGolden(page, 4)
  await cube.getByRole('button', { name: 'head 2' }).click()
  await expect(page.getByText('emphasized: 1, as value 1')).toBeVisible()
  await page.getByRole('button', { name: 'third head' }).click()
  await expect(cube.getByRole('button', { name: 'head 3' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('combobox').selectOption('8')
  await expectGolden(page, 8)
  await expectDrawn(cube)
})

test('A slider that changes the tensor 100 times draws in the same figure', async ({
  page,
  open,
}) => {
  await open([
    RAMP,
    'cube = AttentionCube(rolled(0))\nmo.ui.anywidget(cube)',
    'step = mo.ui.slider(0, 100, label="step")\nstep',
    'cube.attention_tensor = rolled(step.value)',
  ])
  const slider = page.getByRole('slider')
  await expectFollowed(page, slider)
})

test('Twenty cubes in one notebook share one WebGL context', async ({ page, open }) => {
  const cells = Array.from(
    { length: 20 },
    (_, index) => `AttentionCube(np.random.default_rng(${index}).random((4, 8, 8)), height=240)`,
  )
  await open(cells)
  const cubes = page.locator('attention-cube')
  await expect(cubes).toHaveCount(20)
  for (const cube of await cubes.all()) await expectDrawn(cube)
  expect(await cubesOnRenderer(page)).toBe(20)
})

test('Cells that run again leave nothing behind', async ({ page, open }) => {
  await countFigures(page)
  await open([
    'again = mo.ui.button(value=0, on_click=lambda count: count + 1, label="again")\nagain',
    `weights = np.full((2, 4, 4), 0.25 + again.value)
mo.vstack([mo.ui.anywidget(figure) for figure in (AttentionCube(weights), AttentionHeatmap(weights), MultiHeadExample())])`,
  ])
  const heatmap = page.locator('attention-heatmap')
  /** @param {number} first @param {number} last */
  const runAgain = async (first, last) => {
    for (let count = first; count <= last; count++) {
      await page.getByRole('button', { name: 'again' }).click()
      await expect.poll(async () => (await tensorOf(heatmap)).data[0]).toBe(0.25 + count)
      await expect(page.locator('multi-head-example').getByRole('table')).toBeVisible()
    }
  }
  await runAgain(1, 3)
  const before = await holdings(page)
  await runAgain(4, 12)
  const after = await holdings(page)
  expect(after).toEqual({ ...before, made: before.made + 27 })
  expect(after).toMatchObject({ shown: 3, alive: 3, cubes: 2 })
})

test('An exhibit computes in the notebook, and its state is live in both directions', async ({
  page,
  open,
}) => {
  await open([
    'figure = mo.ui.anywidget(MultiHeadExample(num_heads=2))\nfigure',
    "mo.md(f\"heads: {figure.value['state']['numHeads']}, property {figure.num_heads}\")",
    'to_one = mo.ui.button(value=0, on_click=lambda count: count + 1, label="one head")\nto_one',
    'if to_one.value:\n    figure.num_heads = 1',
    'variance = mo.ui.anywidget(DotProductVariance(trials=1000))\nvariance',
  ])
  const figure = page.locator('multi-head-example')
  await expect(figure.locator('tbody tr')).toHaveCount(2)
  await figure.locator('input[name="heads"][value="8"]').check({ force: true })
  await expect(page.getByText('heads: 8, property 8')).toBeVisible()
  await page.getByRole('button', { name: 'one head' }).click()
  await expect(figure.locator('tbody tr')).toHaveCount(1)
  // Its experiment needs a worker, which starts from the module's text.
  await expect
    .poll(() => page.workers().some((worker) => worker.url().startsWith('blob:')))
    .toBe(true)
})

test('Every exhibit computes in one notebook, with one engine', async ({ page, open }) => {
  await open([
    'import attention_lab',
    'from attention_lab import exhibits',
    'mo.vstack([getattr(exhibits, name)() for name in exhibits.__all__])',
  ])
  const names = exhibitNames()
  expect(names.length).toBeGreaterThanOrEqual(26)
  for (const name of names) {
    const isReady = () =>
      page.locator(name).evaluate((node) => /** @type {any} */ (node).exhibit?.isReady === true)
    await expect.poll(isReady, { message: name }).toBe(true)
  }
  const engines = await page.evaluate(async (version) => {
    const registry = /** @type {any} */ (globalThis)[Symbol.for(`attention-lab@${version}`)]
    return new Set(await Promise.all(registry.engines.values())).size
  }, version)
  expect(engines).toBe(1)
})

for (const theme of /** @type {const} */ (['light', 'dark'])) {
  test(`Figures follow marimo’s ${theme} theme`, async ({ page, open }, info) => {
    const cells = ['cube', 'heatmap', 'figure'].map((name) => `mo.ui.anywidget(${name})`)
    await open(
      [
        `weights = np.random.default_rng(0).random((3, 6, 6))
cube, heatmap, figure = AttentionCube(weights), AttentionHeatmap(weights), MultiHeadExample()`,
        ...cells,
      ],
      `[tool.marimo.display]\ntheme = "${theme}"`,
    )
    await expectTheme(page, theme)
    await page.screenshot({ path: info.outputPath('page.png'), fullPage: true })
  })
}

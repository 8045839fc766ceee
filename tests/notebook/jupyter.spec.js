import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test as base } from '@playwright/test'
import { PROJECT } from '../../cpp/toolchain/index.js'
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
import { CLUSTERS, JUPYTER_IMPORTS, jupyterNotebook, RAMP } from './notebooks.js'
import { serve } from './server.js'

/**
 * @typedef {import('./server.js').Server & { folder: string }} Lab
 * @typedef {(cells: string[]) => Promise<void>} Open
 * @typedef {{ commands: { execute(name: string, args?: object): Promise<void> }, shell: { currentWidget: any } }} App
 */

const OPTIONS = [
  'lab',
  '--no-browser',
  '--allow-root',
  '--IdentityProvider.token=',
  '--ServerApp.ip=127.0.0.1',
  '--LabApp.expose_app_in_browser=True',
  // Nothing is asked of servers elsewhere.
  '--LabApp.news_url=',
  '--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate',
]

/** One server for all notebooks, each of which has a kernel of its own. @type {Lab} */
let lab

base.beforeAll(async () => {
  const { outputDir } = base.info().project
  const folder = `${outputDir}/jupyter-${base.info().workerIndex}`
  mkdirSync(folder, { recursive: true })
  const server = await serve(
    program('jupyter'),
    (port) => [...OPTIONS, `--ServerApp.port=${port}`, `--ServerApp.root_dir=${folder}`],
    { cwd: folder, path: '/api' },
  )
  lab = { folder, ...server }
})

base.afterAll(() => lab?.end())

/** @type {import('@playwright/test').TestType<import('@playwright/test').PlaywrightTestArgs & import('@playwright/test').PlaywrightTestOptions & { open: Open }, {}>} */
const test = base.extend({
  /** Opens a notebook of these cells and runs all of them; it must fetch nothing from elsewhere. */
  open: async ({ page }, use, info) => {
    /** @type {string[]} */
    const faults = []
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('request', (request) => {
      const address = request.url()
      if (!address.startsWith(lab.url) && !/^(blob|data):/.test(address)) faults.push(address)
    })
    const name = info.testId
    await use(async (cells) => {
      jupyterNotebook(lab.folder, name, [JUPYTER_IMPORTS, ...cells])
      await page.goto(`${lab.url}/lab/tree/${name}.ipynb?reset`)
      await page.waitForFunction(() => {
        const app = /** @type {App | undefined} */ (/** @type {any} */ (globalThis).jupyterapp)
        const session = app?.shell.currentWidget?.context?.sessionContext.session
        return session?.kernel?.connectionStatus === 'connected'
      })
      await execute(page, 'notebook:run-all-cells')
    })
    // Its kernel is not needed any more.
    await execute(page, 'notebook:shutdown-kernel').catch(() => {})
    expect(faults).toEqual([])
  },
})

/** @param {import('@playwright/test').Page} page @param {string} command of JupyterLab @param {object} [options] */
function execute(page, command, options = {}) {
  return page.evaluate(
    ([command, options]) =>
      /** @type {App} */ (/** @type {any} */ (globalThis).jupyterapp).commands.execute(
        command,
        options,
      ),
    /** @type {const} */ ([command, options]),
  )
}

test('The fourth notebook’s cube cell draws what the notebook computes, live in both directions', async ({
  page,
  open,
}) => {
  await open([
    'h = 4',
    CLUSTERS,
    `attention_cube = AttentionCube(attention_tensor=attentions.tolist(), emphasized_head=-1)
attention_cube`,
    `emphasized = ipywidgets.Label()
to_third = ipywidgets.Button(description="third head")
to_third.on_click(lambda _: attention_cube.set_trait("emphasized_head", 2))
attention_cube.observe(lambda change: emphasized.set_trait("value", f"emphasized: {change.new}"), "emphasized_head")
ipywidgets.HBox([to_third, emphasized])`,
  ])
  const cube = page.locator('attention-cube')
  await expectDrawn(cube)
  await expectGolden(page, 4)
  await cube.getByRole('button', { name: 'head 2' }).click()
  await expect(page.getByText('emphasized: 1')).toBeVisible()
  await page.getByRole('button', { name: 'third head' }).click()
  await expect(page.getByText('emphasized: 2')).toBeVisible()
  await expect(cube.getByRole('button', { name: 'head 3' })).toHaveAttribute('aria-pressed', 'true')
})

test('A notebook that is opened again shows its figures as long as its kernel lives', async ({
  page,
  open,
}) => {
  await open(['AttentionCube(np.full((2, 3, 3), 1 / 3), emphasized_head=1)'])
  const cube = page.locator('attention-cube')
  await expectDrawn(cube)
  await cube.getByRole('button', { name: 'head 1' }).click()
  await execute(page, 'docmanager:save')
  await page.goto(page.url().replace('?reset', ''))
  await expectDrawn(cube)
  await expect(cube.getByRole('button', { name: 'head 1' })).toHaveAttribute('aria-pressed', 'true')
})

for (const [where, file] of [
  ['README', 'README.md'],
  ['page on use elsewhere', 'web/site/pages/use-it-elsewhere.md'],
]) {
  test(`The ${where} shows a notebook’s cell that draws a cube`, async ({ page, open }) => {
    const text = readFileSync(join(PROJECT, file), 'utf8')
    const [, cell] = /```python[^\n]*\n(.*?)```/s.exec(text) ?? []
    await open([cell])
    const cube = page.locator('attention-cube')
    await expectDrawn(cube)
    expect((await tensorOf(cube)).shape).toEqual([4, 3, 3])
    await expect(cube.getByRole('button')).toContainText(['all', 'head 1', 'head 4'])
  })
}

test('A slider that changes the tensor 100 times draws in the same figure', async ({
  page,
  open,
}) => {
  await open([
    RAMP,
    `cube = AttentionCube(rolled(0), height=300)
step = ipywidgets.IntSlider(0, 0, 100)
step.observe(lambda change: cube.set_trait("attention_tensor", rolled(change.new)), "value")
ipywidgets.VBox([step, cube])`,
  ])
  const slider = page.locator('.widget-slider [tabindex="0"]').first()
  await expectFollowed(page, slider)
})

test('Twenty cubes in one notebook share one WebGL context, and their code is sent once', async ({
  page,
  open,
}) => {
  let received = 0
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => (received += payload.length)),
  )
  const cells = Array.from(
    { length: 20 },
    (_, index) => `AttentionCube(np.random.default_rng(${index}).random((4, 8, 8)), height=200)`,
  )
  await open(cells)
  const cubes = page.locator('attention-cube')
  await expect(cubes).toHaveCount(20)
  for (const cube of await cubes.all()) await expectDrawn(cube)
  expect(await cubesOnRenderer(page)).toBe(20)
  // The module has 0.7 MB; twenty of it would be 14 MB.
  expect(received).toBeGreaterThan(100_000)
  expect(received).toBeLessThan(2_000_000)
})

test('Cells that run again leave nothing behind', async ({ page, open }) => {
  await countFigures(page)
  await open([
    'count = 0',
    `count += 1
weights = np.full((2, 4, 4), 0.25 + count)
display(AttentionCube(weights, height=200), AttentionHeatmap(weights, height=200), MultiHeadExample(show="cube"))`,
  ])
  const heatmap = page.locator('attention-heatmap')
  /** @param {number} first @param {number} last */
  const runAgain = async (first, last) => {
    for (let count = first; count <= last; count++) {
      await expect.poll(async () => (await tensorOf(heatmap)).data[0]).toBe(0.25 + count)
      await expect.poll(() => cubesOnRenderer(page)).toBe(2)
      await execute(page, 'notebook:run-cell')
    }
  }
  await runAgain(1, 3)
  const before = await holdings(page)
  await runAgain(4, 12)
  const after = await holdings(page)
  expect(after).toEqual({ ...before, made: before.made + 27 })
  expect(after).toMatchObject({ shown: 3, alive: 3, cubes: 2 })
})

test('Figures follow JupyterLab’s theme when it changes', async ({ page, open }, info) => {
  await open([
    `weights = np.random.default_rng(0).random((3, 6, 6))
display(AttentionCube(weights, height=200), AttentionHeatmap(weights, height=200), MultiHeadExample())`,
  ])
  await expectTheme(page, 'light')
  await execute(page, 'apputils:change-theme', { theme: 'JupyterLab Dark' })
  await expectTheme(page, 'dark')
  await page.screenshot({ path: info.outputPath('page.png') })
})

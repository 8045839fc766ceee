/**
 * The page 'Open your attention': damaged files, other ways to open one, and who can use it.
 */
import {
  address,
  choose,
  clickHead,
  figure,
  given,
  open,
  rowsFile,
  settled,
  shown,
  torch,
  torchFile,
} from './open-files.js'
import { npyFile, npyHeader, safetensorsFile } from '../js/data/byte-layouts.js'
import { accessibilityFaults, expect, relativeError, stateOf, test } from './site-page.js'

test.beforeEach(async ({ page }) => {
  await page.goto(address)
  await expect(figure(page).locator('input[type=file]')).toBeVisible()
})

/** @type {[string, import('./open-files.js').GivenFile, string][]} */
const damaged = [
  [
    'a header that is cut off',
    given('cut.safetensors', torchFile().buffer.subarray(0, 60)),
    'cut.safetensors',
  ],
  [
    'numbers that are missing',
    given('short.safetensors', torchFile().buffer.subarray(0, -40)),
    'short.safetensors',
  ],
  [
    'a shape of absurd size',
    given('huge.npy', npyFile(npyHeader("'<f4'", '(9007199254740991, 4, 4)'))),
    'huge.npy',
  ],
  [
    'numbers of no known kind',
    given('odd.npy', npyFile(npyHeader("'<c8'", '(2, 2)'), new Uint8Array(32))),
    'odd.npy',
  ],
  ['an archive that is none', given('bad.npz', 'PK\x03\x04 and nothing else'), 'bad.npz'],
  ['JSON that ends early', given('half.json', '{"attention": [[1, 0], [0.5'), 'half.json'],
  ['a page', given('page.npy', '<!doctype html><p>Not found'), 'an HTML page'],
  ['nothing', given('empty.npz', ''), 'it is empty'],
  [
    'whole numbers',
    given('ids.json', '{"ids": {"data": [1, 2, 3], "shape": [3]}}'),
    'expected attention',
  ],
  [
    'a list of another kind',
    given('five.json', '{"five": {"data": [1, 1, 1, 1], "shape": [2, 2, 1, 1, 1]}}'),
    'expected attention',
  ],
  ['a pickle', given('model.pt', '\x80\x02}q\x00.'), 'model.pt'],
  [
    'an offset beyond the file',
    given(
      'beyond.safetensors',
      safetensorsFile(
        { a: { dtype: 'F32', shape: [2, 2], data_offsets: [64, 80] } },
        new Uint8Array(16),
      ),
    ),
    'beyond.safetensors',
  ],
]

test('A damaged or hostile file gets a message in words, and what was open stays', async ({
  page,
}) => {
  await choose(page, damaged[0][1])
  await expect(figure(page).getByRole('alert')).toContainText('This could not be opened.')
  await expect(figure(page).locator('.panels')).toBeHidden()
  await open(page, torchFile())
  await clickHead(page, 1, 2)
  const before = await shown(page)
  for (const [what, file, message] of damaged) {
    await choose(page, file)
    const alert = figure(page).getByRole('alert')
    await expect(alert, what).toContainText(message)
    await expect(alert, what).toContainText(/[^.][.?]\s+What was open is below, as it was\./)
    expect(await shown(page), what).toEqual(before)
    await expect(figure(page).locator('.map canvas').first()).toBeVisible()
  }
  await open(page, torchFile())
  await expect(figure(page).getByRole('alert')).toHaveCount(0)
})

test('What is being opened can be stopped, and what was open stays', async ({ page }) => {
  await open(page, torchFile())
  await figure(page).evaluate((element) => {
    // As a file on a disk that does not answer.
    class SlowFile extends File {
      /** @override */
      slice() {
        return Object.assign(new Blob(), { arrayBuffer: () => new Promise(() => {}) })
      }
    }
    ;/** @type {any} */ (element).exhibit.open([new SlowFile(['[[1]]'], 'slow.json')])
  })
  await expect(figure(page).getByText('Opening slow.json …')).toBeVisible()
  await figure(page).getByRole('button', { name: 'Stop' }).click()
  await expect(figure(page).getByText('Opening')).toHaveCount(0)
  await expect(figure(page).locator('input[type=file]')).toBeFocused()
  await expect(figure(page).locator('.facts')).toContainText('torch.safetensors')
})

test('Of several files at once one alone may be attention', async ({ page }) => {
  await choose(page, torchFile(), rowsFile([[1]]))
  await expect(figure(page).getByRole('alert')).toContainText('a second file with attention')
})

test('A file is opened where it is dropped', async ({ page }) => {
  const bytes = [...torchFile().buffer]
  const transfer = await page.evaluateHandle((bytes) => {
    const data = new DataTransfer()
    data.items.add(new File([Uint8Array.from(bytes)], 'torch.safetensors'))
    return data
  }, bytes)
  const area = figure(page).locator('.drop')
  await area.dispatchEvent('dragover', { dataTransfer: transfer })
  await expect(figure(page).locator('.open.over')).toBeVisible()
  await area.dispatchEvent('drop', { dataTransfer: transfer })
  await expect(figure(page).locator('.facts')).toContainText('torch.safetensors')
  await expect(figure(page).locator('.open.over')).toHaveCount(0)
  expect(relativeError((await shown(page)).chosen.data, torch.data.slice(0, 36))).toBeLessThan(
    2 ** -24,
  )
})

test('The element stands in other pages as the page says, and in a frame', async ({ page }) => {
  const code = await page.locator('[data-snippet=element]').textContent()
  await page.route('**/site/course.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,">${code}</html>`,
    }),
  )
  await page.goto('course.html')
  await open(page, torchFile())
  await expect(figure(page).locator('div.lines')).toBeVisible()
  expect((await shown(page)).chosen.queryTokens).toEqual(['the', 'cat', 'sat', 'down'])
  await page.goto('attention-lab/embed.html#open-attention?v=1&layer=1&leftOut=["[CLS]"]')
  await open(page, torchFile())
  expect((await shown(page)).chosen.shape).toEqual([5, 5])
})

test('Everything is done by keyboard alone', async ({ page }) => {
  await open(page, torchFile())
  const figureHas = () =>
    figure(page).evaluate((element) => {
      let node = element.shadowRoot?.activeElement
      while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement
      return node
        ? `${node.localName} ${/** @type {any} */ (node).type ?? ''} ${node.closest('[data-setting]')?.getAttribute('data-setting') ?? node.getAttribute('role') ?? ''}`.trim()
        : ''
    })
  await figure(page).locator('input[type=file]').focus()
  /** @type {string[]} */
  const stops = []
  for (let press = 0; press < 40; press++) {
    const stop = await figureHas()
    if (stop === '') break
    stops.push(stop)
    if (stop.endsWith('layer') || stop.endsWith('head')) await page.keyboard.press('ArrowDown')
    if (stop.endsWith('leftOut')) await page.keyboard.press('Space')
    if (stop.endsWith('mass')) await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Tab')
  }
  for (const stop of [
    'input file',
    'summary',
    'input radio view',
    'input radio overview',
    'select select-one layer',
    'select select-one head',
    'input range mass',
    'input checkbox leftOut',
    'input checkbox renormalize',
    'button button reset',
  ]) {
    expect(stops).toContain(stop)
  }
  expect(await stateOf(page, 'open-attention')).toEqual({
    ...{ view: 'map', overview: 'weights', layer: 1, head: 1, firstToken: 0, mass: 0.95 },
    ...{ leftOut: ['[CLS]', '[SEP]'], renormalize: true },
  })
})

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`Axe finds nothing, and nothing is wider than a phone, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await accessibilityFaults(page)).toEqual([])
    await open(
      page,
      rowsFile(
        [
          [0.4, 0.2],
          [0.5, 0.5],
        ],
        { tokens: ['[CLS]', 'Donaudampfschifffahrtsgesellschaft'] },
      ),
    )
    await figure(page).getByText('Other tokens').click()
    for (const state of [
      { view: 'map', leftOut: ['[CLS]'] },
      { view: 'rollout', overview: 'entropy' },
      { view: 'lines', mass: 0.5 },
    ]) {
      await figure(page).evaluate((element, state) => Object.assign(element, { state }), state)
      await settled(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
      expect(await accessibilityFaults(page)).toEqual([])
    }
    await choose(page, given(`${'a'.repeat(70)}.npz`, 'x'))
    await expect(figure(page).getByRole('alert').first()).toContainText('could not be opened')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await accessibilityFaults(page)).toEqual([])
  })
}

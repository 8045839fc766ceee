import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { npyBytes, npzBlob, safetensorsBytes } from '../../../web/data/index.js'
import { settle } from './support.js'

/** @import { Locator, Page } from '@playwright/test' */

const weights = [
  [0.25, 0.75],
  [1, 0],
]
const heads = { data: Float32Array.of(0.25, 0.75, 1, 0, 0.5, 0.5, 0.125, 0.875), shape: [2, 2, 2] }
const tokens = ['left', 'right']

/** @param {Uint8Array | Blob | object} content @returns {Promise<Buffer>} */
async function bytesOf(content) {
  if (content instanceof Uint8Array) return Buffer.from(content)
  if (content instanceof Blob) return Buffer.from(await content.arrayBuffer())
  return Buffer.from(JSON.stringify(content))
}

/** @param {string} name of what NumPy wrote */
function fixture(name) {
  return readFileSync(new URL(`../../js/data/fixtures/${name}`, import.meta.url))
}

/**
 * A page with the elements and, beside it, files.
 *
 * @param {Page} page
 * @param {Record<string, Uint8Array | Blob | object>} [files]
 * @param {string} [name]
 */
async function open(page, files = {}, name = 'elements') {
  page.on('pageerror', (error) => {
    throw error
  })
  await page.goto(`/tests/browser/pages/${name}.html`)
  await page.evaluate(() => import(/** @type {string} */ ('/web/elements/define.js')))
  for (const [file, content] of Object.entries(files)) {
    const body = await bytesOf(content)
    await page.route(`**/tests/browser/pages/${file}`, (route) => route.fulfill({ body }))
  }
}

/**
 * @param {Page} page
 * @param {Record<string, string>} attributes
 * @param {string} [name]
 * @returns {Promise<Locator>}
 */
async function place(page, attributes, name = 'attention-heatmap') {
  await page.evaluate(([name, attributes]) => {
    const element = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    document.getElementById('figure')?.replaceChildren(element)
  }, /** @type {const} */ ([name, attributes]))
  return page.locator(`#figure ${name}`)
}

/** @param {Locator} element @param {string} name @param {string} value */
function set(element, name, value) {
  return element.evaluate(
    (node, [name, value]) => node.setAttribute(name, value),
    /** @type {const} */ ([name, value]),
  )
}

/** What the first cell says. @param {Locator} element @param {string | RegExp} text */
async function expectFirstCell(element, text) {
  const cell = element.locator('[role=gridcell][tabindex="0"]').first()
  await cell.focus()
  await expect(cell).toHaveText(text)
}

test('attention comes from a file of every kind, told by its content', async ({ page }) => {
  const named = { attention: weights, other: [0.5], tokens }
  await open(page, {
    'weights.npy': npyBytes(weights),
    'weights.npz': await npzBlob(named),
    'weights.safetensors': safetensorsBytes({ attention: weights }),
    'weights.json': named,
    'plain.json': weights,
    'tensor.json': { data: [0.25, 0.75, 1, 0], shape: [2, 2] },
    weights: npyBytes(weights),
  })
  for (const address of [
    'weights.npy',
    './weights.npz',
    'weights.npz#attention',
    '../pages/weights.safetensors',
    'weights.json',
    ' plain.json ',
    'tensor.json',
    'weights',
  ]) {
    const element = await place(page, { attention: address, tokens: 'left right' })
    await expectFirstCell(element, 'query 1 “left”, key 1 “left”: 0.25')
    await expect(element.locator('.loading')).toHaveCount(0)
  }
})

test('files that NumPy and safetensors wrote are drawn, batch and layers as they are meant', async ({
  page,
}) => {
  await open(page)
  const folder = '/tests/js/data/fixtures/'
  for (const file of ['f2-big.npy', 'deflated.npz', 'all.safetensors#BF16', 'fortran.npy']) {
    const element = await place(page, { attention: folder + file }, 'attention-heads')
    await expect(element.locator('[role=grid]').first()).toBeVisible()
    await expect(element.getByRole('alert')).toHaveCount(0)
    expect(await element.evaluate((node) => /** @type {any} */ (node).attention.shape)).toEqual([
      2, 3, 4, 5,
    ])
  }
  for (const [shape, element, drawn] of /** @type {const} */ ([
    [[1, 2, 2, 2], 'attention-cube', [2, 2, 2]],
    [[2, 1, 1, 2, 2], 'attention-heads', [2, 1, 2, 2]],
  ])) {
    const batch = safetensorsBytes({ a: { data: heads.data, shape: [...shape] } })
    await page.route(`**/${element}.safetensors`, async (route) =>
      route.fulfill({ body: await bytesOf(batch) }),
    )
    const figure = await place(page, { attention: `${element}.safetensors` }, element)
    await expect(
      figure.getByRole('button', { name: 'head 2' }).or(figure.locator('[role=grid]')).first(),
    ).toBeVisible()
    expect(await figure.evaluate((node) => /** @type {any} */ (node).attention.shape)).toEqual(
      drawn,
    )
  }
})

test('tokens and a mask come from files as well, and words stay words', async ({ page }) => {
  const mask = { data: Uint8Array.of(1, 0, 1, 1), shape: [2, 2] }
  await open(page, {
    'all.npz': await npzBlob({ attention: weights, tokens, mask, more: ['a'] }),
    'tokens.json': ['up', 'down'],
    'tokens.npy': fixture('tokens.npy'),
  })
  const element = await place(page, {
    attention: 'all.npz',
    'tokens-src': 'all.npz#tokens',
    'key-tokens-src': 'tokens.json',
    mask: 'all.npz#mask',
  })
  await expectFirstCell(element, 'query 1 “left”, key 1 “up”: 0.25')
  await page.keyboard.press('ArrowRight')
  await expect(element.locator('[role=gridcell]:focus')).toContainText('masked')
  const words = await place(page, { attention: '[[0.5, 0.5]]', 'key-tokens': 'and/or read.npy' })
  await expectFirstCell(words, 'query 1 “1”, key 1 “and/or”: 0.5')
  await set(words, 'key-tokens-src', 'tokens.npy')
  await expect(words.getByRole('alert')).toContainText('keyTokens: 8 given')
})

test('what is wrong with a file stands in the figure’s place, and the next good one is drawn', async ({
  page,
}) => {
  const other = createServer((_, response) => response.end('[[1]]'))
  await new Promise((done) => other.listen(0, '127.0.0.1', () => done(null)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (other.address())
  await open(page, {
    'good.npy': npyBytes(weights),
    'two.npz': await npzBlob({ a: weights, b: heads, text: tokens }),
    'none.npz': await npzBlob({ ids: [1, 2, 3] }),
    'cut.npy': npyBytes(weights).slice(0, 140),
    'objects.npy': fixture('objects.npy'),
    'text.csv': new TextEncoder().encode('0.25,0.75'),
    'tokens.json': tokens,
  })
  await page.route('**/page.npy', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Home</title>' }),
  )
  await page.route('**/unlabelled.npy', (route) =>
    route.fulfill({ contentType: 'application/octet-stream', body: '<html>' }),
  )
  for (const [attribute, value, message] of [
    [
      'attention',
      'missing.npy',
      'attention: missing.npy: could not be fetched: the server answered 404',
    ],
    ['attention', 'page.npy', 'page.npy: expected a file with tensors, got an HTML page instead'],
    ['attention', 'unlabelled.npy', 'got an HTML page instead'],
    [
      'attention',
      `http://127.0.0.1:${port}/far.npy`,
      `far.npy: could not be fetched: 127.0.0.1:${port} cannot be reached, or does not let pages of localhost`,
    ],
    ['attention', 'http://', 'expected the address of a file'],
    ['attention', '', 'expected JSON or the address of a file, got nothing'],
    [
      'attention',
      'two.npz',
      '"a" float64 (2, 2), "b" float32 (2, 2, 2); name one, as in two.npz#a',
    ],
    ['attention', 'two.npz#c', 'two.npz: has no array "c"; it holds "a", "b", "text"'],
    ['attention', 'two.npz#text', 'two.npz#text: expected numbers, found texts'],
    ['attention', 'none.npz', 'expected attention, (h, N, M) or alike; it holds "ids" float64 (3)'],
    ['attention', 'cut.npy', 'cut.npy: its shape needs 32 bytes, but the file ends after 12'],
    ['attention', 'objects.npy', 'objects.npy: holds Python objects'],
    ['attention', 'text.csv', 'got the text "0.25,0.75"'],
    ['tokens-src', 'missing.json', 'tokens: missing.json: could not be fetched'],
    ['tokens-src', 'good.npy', 'expected tokens, a list of texts; it holds "good" float64 (2, 2)'],
    ['mask', 'tokens.json', 'mask: tokens.json: expected a mask'],
  ]) {
    const element = await place(page, { attention: 'good.npy', [attribute]: value })
    await expect(element.getByRole('alert')).toContainText(message)
    await expect(element.locator('[role=gridcell]').first()).toBeHidden()
    await element.evaluate((node, attribute) => {
      if (attribute !== 'attention') node.removeAttribute(attribute)
      node.setAttribute('attention', 'good.npy')
    }, attribute)
    await expectFirstCell(element, 'query 1, key 1: 0.25')
    await expect(element.getByRole('alert')).toHaveCount(0)
  }
  other.close()
})

/**
 * A file whose answer waits.
 *
 * @param {Page} page
 * @param {string} name
 * @param {Uint8Array} content
 */
async function serveLate(page, name, content) {
  /** @type {() => void} */
  let release = () => {}
  const released = new Promise((done) => (release = () => done(null)))
  const body = await bytesOf(content)
  await page.route(`**/${name}`, async (route) => {
    await released
    await route.fulfill({ body }).catch(() => {})
  })
  return release
}

test('while a file is loading the figure says so, and what was drawn stays', async ({ page }) => {
  await open(page, { 'good.npy': npyBytes(weights) })
  const release = await serveLate(page, 'late.npy', npyBytes([[0.5]]))
  const element = await place(page, { attention: 'late.npy' })
  await expect(element.locator('.loading')).toHaveText('Loading late.npy …')
  await expect(element.locator('.view')).toHaveAttribute('aria-busy', 'true')
  release()
  await expectFirstCell(element, 'query 1, key 1: 0.5')
  await expect(element.locator('.loading')).toHaveCount(0)
  await expect(element.locator('.view')).not.toHaveAttribute('aria-busy')
  const again = await serveLate(page, 'later.npy', npyBytes([[0.125]]))
  await set(element, 'attention', 'later.npy')
  await expect(element.locator('.loading')).toHaveText('Loading later.npy …')
  await expectFirstCell(element, 'query 1, key 1: 0.5')
  again()
  await expectFirstCell(element, 'query 1, key 1: 0.125')
  const last = await serveLate(page, 'last.npy', npyBytes([[0.875]]))
  await set(element, 'attention', '[[')
  await expect(element.getByRole('alert')).toBeVisible()
  await set(element, 'attention', 'last.npy')
  await expect(element.locator('.loading')).toHaveText('Loading last.npy …')
  await expect(element.getByRole('alert')).toHaveCount(0)
  last()
  await expectFirstCell(element, 'query 1, key 1: 0.875')
})

test('a newer value ends the loading of an older one, whatever it is', async ({ page }) => {
  /** @type {string[]} */
  const ended = []
  page.on('requestfailed', (request) => ended.push(request.url().split('/').pop() ?? ''))
  await open(page, { 'good.npy': npyBytes(weights) })
  for (const [file, newer, text] of /** @type {const} */ ([
    ['late-1.npy', 'good.npy', '0.25'],
    ['late-2.npy', '[[0.375]]', '0.375'],
    ['late-3.npy', null, '0.75'],
  ])) {
    const release = await serveLate(page, file, npyBytes([[0.5]]))
    const asked = page.waitForRequest(`**/${file}`)
    const element = await place(page, { attention: file })
    await asked
    if (newer !== null) await set(element, 'attention', newer)
    else await element.evaluate((node) => Object.assign(node, { attention: [[0.75]] }))
    await expectFirstCell(element, `query 1, key 1: ${text}`)
    await expect.poll(() => ended).toContain(file)
    release()
    await settle(page)
    await expectFirstCell(element, `query 1, key 1: ${text}`)
  }
})

test('a figure that leaves the page ends its loading, and takes it up on coming back', async ({
  page,
}) => {
  /** @type {string[]} */
  const ended = []
  page.on('requestfailed', (request) => ended.push(request.url()))
  await open(page)
  const release = await serveLate(page, 'late.npy', npyBytes([[0.5]]))
  const asked = page.waitForRequest('**/late.npy')
  const element = await place(page, { attention: 'late.npy' })
  await asked
  await element.evaluate((node) => {
    Object.assign(window, { node })
    node.remove()
  })
  await expect.poll(() => ended.length).toBe(1)
  await page.evaluate(() =>
    document.getElementById('figure')?.append(/** @type {any} */ (window).node),
  )
  await expect(element.locator('.loading')).toBeVisible()
  release()
  await expectFirstCell(element, 'query 1, key 1: 0.5')
})

test('the code that reads files is loaded only when one is named', async ({ page }) => {
  /** @type {string[]} */
  const loaded = []
  page.on('request', (request) => loaded.push(request.url()))
  await open(page, { 'good.npy': npyBytes(weights), 'good.npz': await npzBlob({ weights }) })
  const element = await place(page, { attention: '[[0.5]]', tokens: 'good.npy' })
  await expectFirstCell(element, 'query 1 “good.npy”, key 1 “good.npy”: 0.5')
  expect(loaded.filter((url) => /\/web\/data\/|zip/.test(url))).toEqual([])
  await element.evaluate((node) => node.removeAttribute('tokens'))
  await set(element, 'attention', 'good.npy')
  await expectFirstCell(element, 'query 1, key 1: 0.25')
  expect(loaded.filter((url) => url.includes('zip'))).toEqual([])
  await set(element, 'attention', 'good.npz')
  await expect.poll(() => loaded.filter((url) => url.includes('zip')).length).toBeGreaterThan(0)
})

test('a strict content security policy lets deflated archives be read', async ({ page }) => {
  await open(page, { 'deflated.npz': fixture('deflated.npz') }, 'strict')
  const element = page.locator('attention-heads')
  await set(element, 'attention', 'deflated.npz')
  await expect
    .poll(() => element.evaluate((node) => /** @type {any} */ (node).attention.shape))
    .toEqual([2, 3, 4, 5])
  await expect(element.getByRole('alert')).toHaveCount(0)
  expect(await page.evaluate(() => /** @type {any} */ (window).violations)).toEqual([])
})

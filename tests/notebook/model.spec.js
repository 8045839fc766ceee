/**
 * From text to file to page: the attention of a small real model, written by the lines that the page 'Open your
 * attention' gives, opened there, and compared with what NumPy makes of it.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { BUILD } from '../../cpp/toolchain/index.js'
import { createStaticServer } from '../../web/site/serve.js'
import { figure, given, open, shown } from '../browser/open-files.js'
import { relativeError, stateOf } from '../browser/site-page.js'
import { program } from './environment.js'

const FOLDER = join(BUILD, 'notebook-model')
const SCRIPT = fileURLToPath(new URL('model/write_attention.py', import.meta.url))

/** Sums of two dozen numbers in float64, in one order or another. */
const EPSILON = 24 * 2 ** -52

const server = createStaticServer(join(BUILD, 'site'))
/** @type {any} */
let expected

/** @param {string} name */
function written(name) {
  return given(name, readFileSync(join(FOLDER, name)))
}

test.beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})

test.afterAll(() => {
  server.close()
})

test.beforeEach(async ({ page }) => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  await page.goto(`http://127.0.0.1:${port}/open-your-attention/`)
  if (expected) return
  const snippets = await Promise.all(
    ['transformers', 'npz'].map((name) => page.locator(`[data-snippet=${name}]`).textContent()),
  )
  mkdirSync(FOLDER, { recursive: true })
  execFileSync(program('python'), ['-B', SCRIPT, FOLDER], { input: JSON.stringify(snippets) })
  expected = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8'))
  // That there is something to be seen in it.
  expect(expected.tokens).toContain('##bly')
  expect(Math.min(...expected.entropy)).toBeLessThan(0.1)
})

test('The file of Transformers’ lines shows the model’s attention, with its tokenizer’s words', async ({
  page,
}) => {
  await open(page, written('attention.safetensors'), written('tokenizer.json'))
  await expect(figure(page).locator('.facts')).toContainText('6 layers × 12 heads × 20 queries')
  const { tokens, survey, rollout } = await shown(page)
  expect(tokens.query).toEqual(expected.tokens)
  expect(relativeError(survey.entropy, expected.entropy)).toBeLessThan(EPSILON)
  expect(relativeError(rollout.data, expected.rollout)).toBeLessThan(EPSILON)
  for (const [layer, head] of [
    [0, 2],
    [3, 11],
    [5, 0],
  ]) {
    await figure(page).evaluate((element, state) => Object.assign(element, { state }), {
      layer,
      head,
    })
    // Float32 of the file, to the bit.
    expect((await shown(page)).chosen.data).toEqual(expected.attention[layer][head].flat())
  }
})

test('A cell is read out with its words and the number that Python has', async ({ page }) => {
  await open(page, written('attention.npz'))
  expect(await stateOf(page, 'open-attention')).toMatchObject({ layer: 0, head: 0 })
  const cell = figure(page).locator('.map').getByRole('gridcell')
  await cell.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await expect(cell).toContainText('query 2 “the”, key 20 “[SEP]”: ')
  const text = (await cell.textContent()) ?? ''
  const weight = Number(text.slice(text.lastIndexOf(':') + 1))
  expect(relativeError([weight], [expected.attention[0][0][1][19]])).toBeLessThan(1e-3)
})

test('Without special tokens attention, entropy and rollout are those of the rows that are left', async ({
  page,
}) => {
  await open(page, written('attention.npz'))
  await figure(page).getByLabel('[CLS]').check()
  await figure(page).getByLabel('[SEP]').check()
  const { chosen, survey, rollout } = await shown(page)
  const { attention, entropy, rollout: rolled } = expected.withoutSpecial
  expect(chosen.keyTokens).toEqual(expected.tokens.slice(1, -1))
  expect(relativeError(chosen.data, attention[0][0].flat())).toBeLessThan(EPSILON)
  expect(relativeError(survey.entropy, entropy)).toBeLessThan(EPSILON)
  expect(relativeError(rollout.data, rolled)).toBeLessThan(EPSILON)
})

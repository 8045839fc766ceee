/**
 * Files as a reader opens them on the page 'Open your attention'.
 */
import { npyBytes, npzBlob, safetensorsBytes } from '../../web/data/index.js'
import { safetensorsFile } from '../js/data/byte-layouts.js'
import { expect, golden, resultOf } from './site-page.js'

/** @import { Page } from '@playwright/test' */
/** @typedef {{ name: string, mimeType: string, buffer: Buffer }} GivenFile */

export const address = 'open-your-attention/'

/** Weights (2 layers, 4 heads, 6, 6) of PyTorch, and their rollout as NumPy has it. */
export const torch = golden('causal').torch_module.weights
export const torchRollout = Object.entries(golden('extra').multi_head).find(([name]) =>
  name.startsWith('rollout'),
)?.[1]

export const words = ['[CLS]', 'the', 'cat', 'sat', 'down', '[SEP]']

/** @param {string} name @param {string | Uint8Array} content @returns {GivenFile} */
export function given(name, content) {
  return { name, mimeType: '', buffer: Buffer.from(content) }
}

/** The weights of PyTorch as float32. */
export const tensor = { data: Float32Array.from(torch.data), shape: torch.shape }

/** @param {string[] | null} [tokens] */
export function torchFile(tokens = words) {
  /** @type {Record<string, string>} */
  const metadata = tokens ? { tokens: JSON.stringify(tokens) } : {}
  return given('torch.safetensors', safetensorsBytes({ attention: tensor }, metadata))
}

/** One head, with rows that can be counted by hand. @param {number[][]} rows @param {object} [more] */
export function rowsFile(rows, more = {}) {
  return given('rows.json', JSON.stringify({ attention: [rows], ...more }))
}

/** @param {Record<string, import('../../web/engine/tensor.js').MaskLike | readonly string[]>} arrays */
export async function npzFile(arrays) {
  return given('arrays.npz', new Uint8Array(await (await npzBlob(arrays)).arrayBuffer()))
}

/** @param {import('../../web/engine/tensor.js').MaskLike} array @param {string} [name] */
export function npyFileOf(array, name = 'array.npy') {
  return given(name, npyBytes(array))
}

/**
 * Arrays of 16 bits, that no typed array has.
 *
 * @param {'F16' | 'BF16'} dtype
 * @param {number[]} bits
 * @param {number[]} shape
 */
export function shortFile(dtype, bits, shape) {
  const bytes = new Uint8Array(Uint16Array.from(bits).buffer)
  const header = { attention: { dtype, shape, data_offsets: [0, bytes.length] } }
  return given('short.safetensors', safetensorsFile(header, bytes))
}

/** @param {Page} page */
export function figure(page) {
  return page.locator('open-attention')
}

/** Chooses files as a reader does. @param {Page} page @param {GivenFile[]} files */
export async function choose(page, ...files) {
  await figure(page).locator('input[type=file]').setInputFiles(files)
}

/** Opens files and waits until all heads have been read. @param {Page} page @param {GivenFile[]} files */
export async function open(page, ...files) {
  await choose(page, ...files)
  const last = files.find(({ name }) => !/^to/.test(name) || name.startsWith('torch'))
  if (last) await expect(figure(page).locator('.facts strong')).toHaveText(last.name)
  await settled(page)
}

/** Waits until nothing is on its way. @param {Page} page */
export async function settled(page) {
  await expect
    .poll(() =>
      figure(page).evaluate((element) => {
        const { exhibit } = /** @type {any} */ (element)
        const { shape, survey, chosen } = exhibit.result
        const isDone = survey === null || survey.done === shape[0] * shape[1]
        return (
          isDone &&
          exhibit.isReady &&
          !exhibit.isBusy &&
          (chosen !== null || survey === null || exhibit.state.view === 'rollout')
        )
      }),
    )
    .toBe(true)
}

/** What is shown, as plain arrays. @param {Page} page */
export async function shown(page) {
  await settled(page)
  return resultOf(page, 'open-attention')
}

/** Clicks a head in the overview. @param {Page} page @param {number} layer @param {number} head from 0 both */
export async function clickHead(page, layer, head) {
  const overview = figure(page).locator('.overview')
  // The cursor is at the first head, and between two heads is a gap.
  const [first] = await overview
    .locator('.box.selected')
    .evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().width))
  await overview.locator('canvas.matrix').scrollIntoViewIfNeeded()
  const start = await overview.locator('.cell').boundingBox()
  if (!start) throw new Error('there is no overview')
  await page.mouse.click(
    start.x + (head + 0.5) * (first + 4),
    start.y + (layer + 0.5) * (first + 4),
  )
}

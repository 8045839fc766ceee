/**
 * The page 'Open your attention': what kinds of files are read, and what is shown of them.
 */
import { deflateRawSync } from 'node:zlib'
import {
  address,
  choose,
  clickHead,
  figure,
  given,
  npyFileOf,
  npzFile,
  open,
  rowsFile,
  shortFile,
  shown,
  tensor,
  torch,
  torchFile,
  torchRollout,
  words,
} from './open-files.js'
import { choose as pick, expect, relativeError, stateOf, test } from './site-page.js'

/** @import { Page } from '@playwright/test' */

test.beforeEach(async ({ page }) => {
  await page.goto(address)
  await expect(figure(page).locator('input[type=file]')).toBeVisible()
})

/** Of float32 numbers that are read as they are, and of float64 ones. */
const EPSILON = 2 ** -24

/** @param {Page} page @param {number} head counted through all layers */
async function expectTorchHead(page, head) {
  const { chosen } = await shown(page)
  expect(relativeError(chosen.data, torch.data.slice(36 * head, 36 * (head + 1)))).toBeLessThan(
    EPSILON,
  )
}

test('A .safetensors file is opened with its tokens, and every head of it can be shown', async ({
  page,
}) => {
  await open(page, torchFile())
  await expect(figure(page).locator('.facts')).toContainText(
    'float32, 2 kB, 2 layers × 4 heads × 6 queries × 6 keys',
  )
  await expectTorchHead(page, 0)
  expect((await shown(page)).chosen.keyTokens).toEqual(words)
  await clickHead(page, 1, 2)
  expect(await stateOf(page, 'open-attention')).toMatchObject({ layer: 1, head: 2 })
  await expectTorchHead(page, 6)
  await expect(
    figure(page).getByRole('figure', { name: 'Attention of layer 2, head 3' }),
  ).toBeVisible()
})

test('.npy, .npz, packed or not, and JSON are opened', async ({ page }) => {
  await open(page, npyFileOf(tensor))
  await expectTorchHead(page, 0)

  await open(page, await npzFile({ attention: tensor, tokens: words }))
  await expectTorchHead(page, 0)
  expect((await shown(page)).tokens.query).toEqual(words)

  await open(page, given('packed.npz', packed(npyFileOf(tensor).buffer)))
  await expectTorchHead(page, 0)

  const json = JSON.stringify({ attention: { ...torch }, tokens: words })
  await open(page, given('torch.json', json))
  await expectTorchHead(page, 0)
  expect((await shown(page)).tokens.query).toEqual(words)
})

/** A zip archive with one deflated member, `attention.npy`. @param {Buffer} content */
function packed(content) {
  const name = Buffer.from('attention.npy')
  const deflated = deflateRawSync(content)
  const crc = Buffer.alloc(4)
  crc.writeUInt32LE(checksum(content))
  const sizes = Buffer.alloc(8)
  sizes.writeUInt32LE(deflated.length, 0)
  sizes.writeUInt32LE(content.length, 4)
  const common = Buffer.concat([
    Buffer.from([20, 0, 0, 0, 8, 0, 0, 0, 33, 0]),
    crc,
    sizes,
    Buffer.from([name.length, 0, 0, 0]),
  ])
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, deflated])
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, Buffer.alloc(14), name])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}

/** CRC-32. @param {Uint8Array} bytes */
function checksum(bytes) {
  let crc = -1
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

test('Numbers of 16 and of 64 bits are read exactly', async ({ page }) => {
  // 1, 0; 0.75, 0.25
  await open(page, shortFile('F16', [0x3c00, 0, 0x3a00, 0x3400], [2, 2]))
  expect((await shown(page)).chosen.data).toEqual([1, 0, 0.75, 0.25])
  await open(page, shortFile('BF16', [0x3f80, 0, 0x3f40, 0x3e80], [1, 1, 2, 2]))
  expect((await shown(page)).chosen.data).toEqual([1, 0, 0.75, 0.25])
  await open(page, npyFileOf({ data: Float64Array.of(0.1, 0.9, 1 / 3, 2 / 3), shape: [2, 2] }))
  expect((await shown(page)).chosen.data).toEqual([0.1, 0.9, 1 / 3, 2 / 3])
})

test('Arrays with numbered names are stacked in order; each can be had alone', async ({ page }) => {
  const layers = Array.from({ length: 11 }, (_, layer) => [
    `layer.${layer}`,
    { data: Float32Array.of(1, 0, layer / 16, 1 - layer / 16), shape: [1, 1, 2, 2] },
  ])
  await open(page, await npzFile(Object.fromEntries(layers.reverse())))
  await expect(figure(page).locator('.facts')).toContainText('11 layers × 1 head')
  await figure(page).locator('[data-setting=layer] select').selectOption('11')
  expect((await shown(page)).chosen.data).toEqual([1, 0, 10 / 16, 6 / 16])
  await figure(page)
    .getByLabel('array in this file')
    .selectOption({ label: 'layer.2 (1 × 1 × 2 × 2)' })
  await expect(figure(page).locator('.facts')).toContainText('1 layer × 1 head')
  expect((await shown(page)).chosen.data).toEqual([1, 0, 2 / 16, 14 / 16])
})

test('Rollout and entropies are those that NumPy has', async ({ page }) => {
  await open(page, torchFile())
  const { rollout, survey } = await shown(page)
  // The golden weights are float32, the rollout float64.
  expect(relativeError(rollout.data, torchRollout.data)).toBeLessThan(2 ** -23)
  await pick(page, 'open-attention', 'view', 'rollout')
  const cells = figure(page).locator('.rolled').getByRole('gridcell')
  await cells.focus()
  await expect(cells).toContainText('query 1 “[CLS]”, key 1 “[CLS]”: 1')

  const entropies = Array.from({ length: 8 }, (_, head) => {
    const own = torch.data.slice(36 * head, 36 * (head + 1))
    return (
      own.reduce(
        (/** @type {number} */ sum, /** @type {number} */ p) => sum - (p > 0 ? p * Math.log(p) : 0),
        0,
      ) / 6
    )
  })
  expect(relativeError(survey.entropy, entropies)).toBeLessThan(2 ** -22)
  await pick(page, 'open-attention', 'overview', 'entropy')
  const map = figure(page).locator('.entropies').getByRole('gridcell')
  await map.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await stateOf(page, 'open-attention')).toMatchObject({ layer: 1, head: 0 })
})

test('By keyboard a head is chosen in the overview, which says its largest weight', async ({
  page,
}) => {
  await open(page, torchFile())
  const head = figure(page).locator('.overview').getByRole('gridcell')
  await head.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowDown')
  // They are causal: the first query has one key.
  await expect(head).toHaveText('layer 2, head 4: largest attention weight 1')
  await page.keyboard.press('Enter')
  expect(await stateOf(page, 'open-attention')).toMatchObject({ layer: 1, head: 3 })
  await expect(head).toBeFocused()
  await expectTorchHead(page, 7)
})

test('The overview’s picture and numbers can be saved', async ({ page }) => {
  await open(page, torchFile())
  await figure(page).getByRole('button', { name: 'Share or save' }).click()
  const download = page.waitForEvent('download')
  await figure(page).getByRole('button', { name: 'SVG' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.svg$/)
  const names = await figure(page).evaluate((element) =>
    /** @type {any} */ (element).exhibit
      .tables()
      .map((/** @type {any} */ { name, shape }) => `${name} ${shape}`),
  )
  expect(names).toEqual(['All heads of all layers 2,4,6,6', 'Attention of layer 1, head 1 6,6'])
})

test('The same head is shown as a map, as lines and as a plane of a cube', async ({ page }) => {
  await open(page, torchFile())
  await pick(page, 'open-attention', 'view', 'lines')
  await expect(figure(page).locator('.lines').getByRole('gridcell').first()).toBeAttached()
  await expect(figure(page).locator('.map')).toBeHidden()
  await pick(page, 'open-attention', 'view', 'cube')
  await figure(page).locator('.cube').getByRole('button', { name: 'head 3' }).click()
  expect((await stateOf(page, 'open-attention')).head).toBe(2)
  const { chosen } = await shown(page)
  expect(chosen.shape).toEqual([4, 6, 6])
  expect(relativeError(chosen.data, torch.data.slice(0, 144))).toBeLessThan(EPSILON)
})

test('A link holds the settings, and nothing of the file', async ({ page }) => {
  const link = `${address}#open-attention?v=1&layer=1&head=3&view=map&mass=0.5&leftOut=["[CLS]"]`
  await page.goto('about:blank')
  await page.goto(link)
  await open(page, torchFile())
  const { chosen } = await shown(page)
  expect(chosen.shape).toEqual([5, 5])
  const rows = Array.from({ length: 5 }, (_, row) => chosen.data.slice(5 * row, 5 * row + 5))
  for (const row of rows) {
    expect(row.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b)).toBeCloseTo(
      1,
      12,
    )
  }
  await expect(figure(page).locator('[data-setting=head] select')).toHaveValue('4')
  // A file that has fewer heads shows its last one.
  await choose(
    page,
    rowsFile([
      [1, 0, 0],
      [0.5, 0.5, 0],
      [0.5, 0.25, 0.25],
    ]),
  )
  await expect(figure(page).locator('.facts')).toContainText('rows.json')
  expect((await shown(page)).chosen.shape).toEqual([3, 3])
})

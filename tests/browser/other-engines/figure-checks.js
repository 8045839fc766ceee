/**
 * What figures draw and how they are worked with: heatmaps, the inspector, the cube, lines, experiments and themes.
 */
import { expect, test } from 'vitest'
import { colorMap, colorOf } from '../../../web/views/color-map.js'
import { golden } from '../../js/golden.js'
import { Page } from './driver.js'

/** @import { Bench } from './checks.js' */

const lesson = 'lessons/multi-head-attention/'
const embed = 'attention-lab/embed.html'
const { attention } = golden('attention_cube').heads[4]
const cell = '[role=gridcell][tabindex="0"]'

/** What `/weights.npy` holds. */
export const weights = [
  [0.25, 0.75],
  [1, 0],
]

/**
 * The colour that is drawn in the middle of the cell under the keyboard's cursor.
 *
 * @param {Page} page
 * @returns {Promise<number[]>} red, green, blue
 */
async function colorUnderCursor(page) {
  await page.settle()
  return page.see((tools, cell) => {
    const at = tools.find([cell]).getBoundingClientRect()
    const canvas = tools.find(['canvas.matrix'])
    const box = canvas.getBoundingClientRect()
    const ratio = canvas.width / box.width
    const [x, y] = [at.x + at.width / 2 - box.x, at.y + at.height / 2 - box.y]
    const { data } = canvas
      .getContext('2d')
      .getImageData(Math.floor(x * ratio), Math.floor(y * ratio), 1, 1)
    return [...data.slice(0, 3)]
  }, cell)
}

/** How many colours a canvas shows. @param {Page} page @param {string[]} path */
function colorsOn(page, path) {
  return page.see((tools, path) => {
    const canvas = tools.find(path)
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    return new Set(new Uint32Array(data.buffer)).size
  }, path)
}

/** @param {Bench} bench */
export function checkFigures(bench) {
  test('attention comes from a .npy file, and each cell has its colour of the map', async () => {
    const { page, site } = bench
    await page.open(`${site}${embed}#attention-heatmap?attention=/weights.npy`)
    await page.focus([cell])
    await page.press('Home', 'Control')
    for (const [row, column, next] of /** @type {const} */ ([
      [0, 0, 'ArrowRight'],
      [0, 1, 'ArrowDown'],
      [1, 1, 'ArrowLeft'],
      [1, 0, 'Home'],
    ])) {
      const value = weights[row][column]
      expect(await page.see((tools, cell) => tools.find([cell]).textContent, cell)).toBe(
        `query ${row + 1}, key ${column + 1}: ${value}`,
      )
      expect(await colorUnderCursor(page)).toEqual([...colorOf(colorMap(), value, [0, 1])])
      await page.press(next)
    }
  })

  test('a cell opens by the keyboard, and its weight is the golden one', async () => {
    const { page, site } = bench
    await page.open(`${site}${lesson}`)
    const grid = ['multi-head-example', '.grid']
    await page.focus([...grid, cell])
    await page.press('Home', 'Control')
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'Enter']) await page.press(key)
    const row = [...grid, '.inspector', '[data-figure="weight"]']
    await page.until((tools, row) => tools.find(row)?.checkVisibility(), row)
    const values = await page.see(
      (tools, row) => tools.all([...row, 'td[data-value]']).map(({ dataset }) => dataset.value),
      row,
    )
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) expect(Number(value)).toBeCloseTo(attention.data[12 + 2], 6)
  })

  test('the cube is drawn; without WebGL the heads stand side by side', async () => {
    const { page, site } = bench
    await page.open(`${site}${embed}#attention-cube?attention=/heads.npy`)
    const hasWebGL = await page.see(() =>
      Boolean(document.createElement('canvas').getContext('webgl2')),
    )
    if (bench.engine.name === 'Firefox') expect(hasWebGL).toBe(false)
    if (hasWebGL) {
      await page.until((tools) => tools.find(['canvas.scene'])?.checkVisibility())
      expect(await page.see((tools) => tools.all(['.flat-note']).length)).toBe(0)
    } else {
      await page.until((tools) => tools.find(['.flat-note'])?.checkVisibility())
      expect(await page.see((tools) => tools.find(['.flat-note']).textContent)).toContain(
        'WebGL is not available here',
      )
      expect(await page.see((tools) => tools.all(['canvas.matrix']).length)).toBe(4)
      expect(await page.see((tools) => tools.all(['canvas.scene']).length)).toBe(0)
    }
    const before = await page.see((tools) => tools.find(['attention-cube']).emphasizedHead ?? null)
    await page.click(['attention-cube', 'button'], 'head 2')
    await page.until((tools) => tools.find(['attention-cube']).emphasizedHead === 1)
    expect(before).not.toBe(1)
    if (!hasWebGL) return
    // The head that is emphasised is opaque: its largest weight has its colour, in many pixels.
    const second = attention.data.slice(144, 288)
    const color = colorOf(colorMap(), Math.max(...second), [0, Math.max(...attention.data)])
    await page.until(
      (tools, color) => {
        const canvas = tools.find(['canvas.scene'])
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
        let pixels = 0
        for (let at = 0; at < data.length; at += 4)
          if (
            color.every(
              (/** @type {number} */ part, /** @type {number} */ channel) =>
                data[at + channel] === part,
            )
          )
            pixels++
        return pixels > 50
      },
      [...color],
    )
  })

  test('lines are drawn, and the keyboard reads their weights', async () => {
    const { page, site } = bench
    await page.open(`${site}${embed}#attention-lines?attention=/weights.npy`)
    await page.focus([cell])
    expect(await colorsOn(page, ['canvas.lines'])).toBeGreaterThan(5)
    await page.press('ArrowRight')
    await page.press('Home')
    expect(await page.see((tools, cell) => tools.find([cell]).textContent, cell)).toContain('0.25')
    await page.press('ArrowDown')
    expect(await page.see((tools, cell) => tools.find([cell]).textContent, cell)).toContain('0.75')
  })

  test('an experiment runs in a worker to its end', async () => {
    const { page, site } = bench
    await page.open(`${site}${embed}#dot-product-variance?v=1&trials=10000`)
    const name = 'dot-product-variance'
    await page.until((tools, name) => !tools.find([name]).exhibit.result.isRunning, name)
    const { sizes, workers } = await page.see(
      (tools, name) => ({
        sizes: tools.find([name]).exhibit.result.sizes,
        workers: tools.workers,
      }),
      name,
    )
    expect(workers).toBeGreaterThan(0)
    expect(Object.keys(sizes).length).toBe(8)
    for (const [dK, { raw, trials }] of Object.entries(sizes)) {
      expect(trials).toBe(10_000)
      // The variance of a product's square is (2 + 6/d_k)·d_k², so this is more than 6 standard errors.
      expect(Math.abs(raw.measured.variance / Number(dK) - 1)).toBeLessThan(0.12)
    }
  })

  test('an experiment can be stopped, and what it has measured stays', async () => {
    const { page, site } = bench
    await page.open(`${site}${embed}#dot-product-variance?v=1&trials=100000`)
    await page.click(['dot-product-variance', '.run button'], 'Stop')
    await page.until((tools) => tools.find(['.run b'])?.textContent === 'stopped')
    const text = await page.see((tools) => tools.find(['[data-progress]']).textContent)
    await page.settle()
    expect(await page.see((tools) => tools.find(['[data-progress]']).textContent)).toBe(text)
    expect(text).not.toContain('800,000 of')
    expect(await page.see((tools) => tools.find(['.run button']).textContent.trim())).toBe(
      'Run again',
    )
  })

  /** The lowest colour of the scale: a light page's paper, or a dark page's surface. @param {Page} page */
  async function lowEnd(page) {
    await page.focus([cell])
    await page.press('Home', 'Control')
    await page.press('ArrowDown')
    await page.press('ArrowRight')
    return colorUnderCursor(page)
  }
  const address = () => `${bench.site}${embed}#attention-heatmap?attention=/weights.npy`
  const [light, dark] = [false, true].map((dark) => [...colorMap('purples', { dark }).colors[0]])

  test('figures follow the theme of the page while it changes', async () => {
    const { page } = bench
    await page.open(address())
    expect(await lowEnd(page)).toEqual(light)
    await page.see(() => {
      document.documentElement.dataset.theme = 'dark'
    })
    expect(await lowEnd(page)).toEqual(dark)
    await page.see(() => {
      document.documentElement.dataset.theme = 'light'
    })
    expect(await lowEnd(page)).toEqual(light)
  })

  test('figures have the colours of a dark system', async () => {
    const driver = await bench.engine.start({ scheme: 'dark' })
    try {
      const page = new Page(driver)
      await page.open(address())
      expect(await page.see(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true)
      expect(await lowEnd(page)).toEqual(dark)
      expect(await page.faults()).toEqual([])
    } finally {
      await driver.close()
    }
  })
}

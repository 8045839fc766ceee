/**
 * Every page of the site and every lesson of one file, computed and without faults; and the lessons' numbers.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { expectClose, float32Tolerance } from '../../js/compare.js'
import { golden } from '../../js/golden.js'
import { lessons } from '../lesson-list.js'
import { pageTools } from './site-server.js'

/** @import { Numbers } from '../../js/compare.js' */
/** @import { Bench } from './checks.js' */
/** @import { Page } from './driver.js' */

const siteFolder = fileURLToPath(new URL('../../../build/site/', import.meta.url))
const { heads } = golden('attention_cube')
const pages = readdirSync(siteFolder, { recursive: true })
  .map(String)
  .filter((path) => path.endsWith('index.html'))

/** By lesson: an exhibit, a tensor in its result, and the golden one. @type {Record<string, [string, string[], Numbers]>} */
const figures = {
  'scaled-dot-product-attention': [
    'coreference-example',
    ['weights'],
    golden('scaled_dot_product').coreference.weights,
  ],
  'causal-attention': ['two-masks', ['causal', 'weights'], golden('causal').demo.causal],
  'subspaces-and-cost': [
    'head-subspaces',
    ['cosines'],
    golden('multi_head').subspaces.frobenius_cosine,
  ],
  'multi-head-attention': ['multi-head-example', ['weights'], heads[4].attention],
}

/**
 * A tensor in an exhibit's result.
 *
 * @param {Page} page
 * @param {string} exhibit
 * @param {string[]} names the way to it
 * @returns {Promise<Numbers>}
 */
export function tensorIn(page, exhibit, names) {
  return page.see(
    (tools, exhibit, names) => {
      const { data, shape } = names.reduce(
        (value, name) => value[name],
        tools.find([exhibit]).exhibit.result,
      )
      return { data: Array.from(data), shape: Array.from(shape) }
    },
    exhibit,
    names,
  )
}

/** @param {Bench} bench */
export function checkLessons(bench) {
  test('the variant of the WebAssembly is the best that runs', async () => {
    const { page, site } = bench
    await page.open(site)
    const assets = readdirSync(`${siteFolder}attention-lab/assets`)
    const relaxed = assets.find((file) => /^attention-relaxed-simd-.*\.wasm$/.test(file))
    // By the whole module, where the engine looks at one instruction.
    const isValid = await page.see(async (_, file) => {
      const response = await fetch(String(new URL(file, location.href)))
      return WebAssembly.validate(await response.arrayBuffer())
    }, `attention-lab/assets/${relaxed}`)
    const variant = await page.see(async (tools) => {
      const address = String(new URL('attention-lab/index.js', location.href))
      const { loadEngine } = await tools.load(address)
      return (await loadEngine()).variant
    })
    expect(variant).toBe(isValid ? 'relaxed-simd' : 'simd')
  })

  test('there are pages to look at, all lessons among them', () => {
    expect(lessons.length).toBeGreaterThan(3)
    for (const { path } of lessons) expect(pages).toContain(join(path, 'index.html'))
    expect(lessons.map(({ path }) => path.split('/')[1])).toEqual(
      expect.arrayContaining(Object.keys(figures)),
    )
  })

  for (const path of pages) {
    test(`${path} is computed, under a strict policy`, async () => {
      const { page, site } = bench
      await page.open(site + path)
      expect(
        await page.see((tools) =>
          tools
            .all(['[role=alert]'])
            .filter((node) => node.checkVisibility())
            .map((node) => node.textContent),
        ),
      ).toEqual([])
      const [exhibit, names, wanted] = figures[path.split('/')[1]] ?? []
      if (exhibit) expectClose(await tensorIn(page, exhibit, names), wanted, { name: exhibit })
    })
  }

  test('h is changed by the keyboard, and the weights are the golden ones for each', async () => {
    const { page, site } = bench
    await page.open(`${site}lessons/multi-head-attention/`)
    const name = 'multi-head-example'
    await page.focus([name, 'input[name="heads"][value="4"]'])
    for (const [key, numHeads] of /** @type {const} */ ([
      ['ArrowRight', 8],
      ['ArrowLeft', 4],
      ['ArrowLeft', 2],
      ['ArrowLeft', 1],
    ])) {
      await page.press(key)
      await page.until(
        (tools, name, numHeads) => tools.find([name]).exhibit.result.numHeads === numHeads,
        name,
        numHeads,
      )
      // Q and K are sums of 8 products, scores of d_k, and softmax adds 12 weights.
      const tolerance = float32Tolerance(8, 8 / numHeads, 12)
      expectClose(await tensorIn(page, name, ['weights']), heads[numHeads].attention, { tolerance })
      const rows = await page.see((tools) => tools.all(['.measures', 'tbody tr']).length)
      expect(rows).toBe(numHeads)
    }
  })

  for (const lesson of Object.keys(figures)) {
    test(`the lesson ${lesson} is one file that opens from a disk`, async () => {
      const { page } = bench
      // Away from the site, so that no file beside it can be found.
      const folder = mkdtempSync(join(tmpdir(), 'attention-lab-'))
      try {
        const copy = join(folder, 'lesson.html')
        const text = readFileSync(`${siteFolder}lessons/${lesson}/${lesson}.html`, 'utf8')
        writeFileSync(
          copy,
          text.replace('<script>', () => `<script>${pageTools}</script>\n<script>`),
        )
        await page.open(pathToFileURL(copy).href)
        const [exhibit, names, wanted] = figures[lesson]
        expectClose(await tensorIn(page, exhibit, names), wanted, { name: exhibit })
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  }
}

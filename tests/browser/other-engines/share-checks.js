/**
 * What leaves a figure: links, pictures, numbers and frames.
 */
import { expect, test } from 'vitest'
import { tensorIn } from './lesson-checks.js'

/** @import { Bench } from './checks.js' */
/** @import { Page } from './driver.js' */

const embed = 'attention-lab/embed.html'

/**
 * What the menu of a figure saves.
 *
 * @param {Page} page
 * @param {string} kind
 * @returns {Promise<{ name: string, size: number, start: string, text: string }>} `start`: its first bytes as text
 */
async function save(page, kind) {
  await page.click(['.share-room', 'button'], kind)
  await page.until((tools) => tools.saved.length > 0)
  return page.see(async (tools) => {
    const [{ name, content }] = tools.saved.splice(0)
    const bytes = new Uint8Array(await content.arrayBuffer())
    const start = String.fromCharCode(...bytes.slice(0, 4))
    return { name, size: bytes.length, start, text: await content.text() }
  })
}

/** @param {Bench} bench */
export function checkSharing(bench) {
  test('a link opens its page with the figure as it was', async () => {
    const { page, site } = bench
    const name = 'multi-head-example'
    await page.open(`${site}lessons/multi-head-attention/`)
    const state = { numHeads: 8, emphasizedHead: 5, scale: 'own' }
    await page.see(
      (tools, name, state) => {
        tools.find([name]).state = state
      },
      name,
      state,
    )
    await page.focus([name, '.share-button'])
    await page.press('Enter')
    await page.until((tools, name) => tools.find([name, 'input[aria-label="Link"]']), name)
    const link = await page.see(
      (tools, name) => tools.find([name, 'input[aria-label="Link"]']).value,
      name,
    )
    const weights = await tensorIn(page, name, ['weights'])
    await page.open(link)
    expect(await page.see((tools, name) => tools.find([name]).state, name)).toEqual(state)
    expect(await tensorIn(page, name, ['weights'])).toEqual(weights)
  })

  test('pictures and numbers are made by the menu', async () => {
    const { page, site } = bench
    await page.open(`${site}${embed}#multi-head-example?v=1&numHeads=2&show=heads`)
    await page.click(['.share-button'])
    const png = await save(page, 'PNG')
    expect(png).toMatchObject({ name: 'multi-head-example.png', start: '\x89PNG' })
    expect(png.size).toBeGreaterThan(10_000)
    const svg = await save(page, 'SVG')
    expect(svg.name).toBe('multi-head-example.svg')
    expect(svg.text).toMatch(/^<(\?xml|svg)/)
    expect(svg.text).toContain('</svg>')
    expect(svg.size).toBeGreaterThan(10_000)
    const csv = (await save(page, 'CSV')).text.trim().split(/\r?\n/)
    const { data } = await tensorIn(page, 'multi-head-example', ['weights'])
    expect(csv.length).toBe(1 + 2 * 12)
    expect(
      csv
        .slice(1)
        .flatMap((line) => line.split(',').slice(2).map(Number))
        .map(Math.fround),
    ).toEqual(data)
    const npy = await save(page, '.npy')
    expect(npy.start).toBe('\x93NUM')
    expect(npy.size).toBe(128 + 4 * 2 * 144)
  })

  test('a frame tells its page how high the figure is', async () => {
    const { page, site } = bench
    await page.open(new URL('/course.html', site).href)
    await page.until(() => {
      const frame = /** @type {HTMLIFrameElement} */ (document.querySelector('iframe'))
      const root = frame.contentDocument?.documentElement
      return root && root.scrollHeight > 200 && root.scrollHeight <= frame.clientHeight
    })
  })
}

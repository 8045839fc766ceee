/**
 * What pages do to figures: a hundred at once, moved about a thousand times, with tokens of every kind, on pages whose
 * own style is hostile, and on paper.
 */
import { choose, expect, test } from './site-page.js'

/** @import { CDPSession, Page } from '@playwright/test' */

/** An empty page of the site with its script. @param {Page} page @param {string} [body] @param {string} [head] */
async function course(page, body = '', head = '') {
  await page.route('**/site/course.html', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: `<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,">${head}
<script type="module" src="attention-lab/attention-lab.js"></script><main>${body}</main></html>`,
    }),
  )
  await page.goto('course.html')
  await page.waitForFunction(() => customElements.get('attention-cube') !== undefined)
}

const attention = '[[[0.7, 0.3], [0.2, 0.8]], [[0.5, 0.5], [0.9, 0.1]]]'
const names = ['attention-cube', 'attention-heads', 'attention-heatmap', 'attention-lines']

test('A hundred figures stand on one page, each whole', async ({ page }) => {
  test.slow()
  const figure = (/** @type {number} */ index) => {
    const name = names[index % 4]
    const numbers = name === 'attention-heatmap' ? '[[0.7, 0.3], [0.2, 0.8]]' : attention
    return `<${name} tokens="left right" attention="${numbers}"></${name}>`
  }
  await course(page, Array.from({ length: 100 }, (_, index) => figure(index)).join('\n'))
  for (const name of names) await expect(page.locator(name)).toHaveCount(25)
  await expect
    .poll(() =>
      page.evaluate(
        (selector) =>
          [...document.querySelectorAll(selector)].filter(
            (node) => node.shadowRoot?.querySelector('.view > *') && node.clientHeight > 40,
          ).length,
        names.join(),
      ),
    )
    .toBe(100)
  await expect(page.getByRole('alert')).toHaveCount(0)
  // The last cube is drawn when the reader comes to it, and the first is still there.
  for (const index of [24, 0]) {
    const cube = page.locator('attention-cube').nth(index)
    await cube.scrollIntoViewIfNeeded()
    await expect
      .poll(() =>
        cube.evaluate((node) => {
          const host = node.shadowRoot?.querySelector('.attention-view')
          const canvas = /** @type {HTMLCanvasElement} */ (
            host?.shadowRoot?.querySelector('.scene')
          )
          // Read from a copy: reading often from one makes browsers keep it elsewhere.
          const copy = new OffscreenCanvas(canvas.width, canvas.height)
          const context = /** @type {OffscreenCanvasRenderingContext2D} */ (copy.getContext('2d'))
          context.drawImage(canvas, 0, 0)
          const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
          return new Set(new Uint32Array(data.buffer)).size
        }),
      )
      .toBeGreaterThan(5)
  }
})

test('Twenty exhibits share one engine', async ({ page }) => {
  /** @type {string[]} */
  const files = []
  page.on('request', (request) => files.push(request.url()))
  await course(page, '<feature-mixing></feature-mixing>'.repeat(20))
  await expect(page.locator('feature-mixing tfoot td')).toHaveCount(80)
  expect(files.filter((url) => url.endsWith('.wasm'))).toHaveLength(1)
})

/** @param {CDPSession} session @returns {Promise<{ heap: number, nodes: number, listeners: number }>} after a collection */
async function memory(session) {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  return { heap: usedSize, nodes, listeners: jsEventListeners }
}

test('Added, moved and removed a thousand times, figures leave nothing behind', async ({
  page,
}) => {
  test.setTimeout(300_000)
  await course(page, '<section id="a"></section><section id="b"></section>')
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.enable')
  /** @param {number} times */
  const rounds = (times) =>
    page.evaluate(
      async ({ times, attention }) => {
        const places = ['a', 'b'].map(
          (id) => /** @type {HTMLElement} */ (document.getElementById(id)),
        )
        const frame = () => new Promise((done) => setTimeout(done))
        for (let round = 0; round < times; round++) {
          const made = ['attention-cube', 'attention-heads', 'multi-head-example'].map((name) => {
            const element = document.createElement(name)
            if (name !== 'multi-head-example') element.setAttribute('attention', attention)
            return element
          })
          // One kind a round, so that each is there for a thousandth of the time.
          const element = made[round % 3]
          places[0].append(element)
          await frame()
          if (round % 10 === 0) await new Promise(requestAnimationFrame)
          places[1].append(element)
          await frame()
          element.remove()
        }
        await new Promise(requestAnimationFrame)
        await new Promise((done) => setTimeout(done, 200))
      },
      { times, attention },
    )
  await rounds(60)
  const before = await memory(session)
  await rounds(1000)
  const after = await memory(session)
  // Nothing stays of a figure: its nodes alone are some 50, its code's caches do not grow.
  expect(after.nodes - before.nodes).toBeLessThan(200)
  expect(after.listeners - before.listeners).toBeLessThan(50)
  expect(after.heap - before.heap).toBeLessThan(2_000_000)
  const registry = await page.evaluate(() => {
    const key = Object.getOwnPropertySymbols(globalThis).find((symbol) =>
      symbol.description?.startsWith('attention-lab@'),
    )
    const { cubeRenderer } = /** @type {any} */ (globalThis)[/** @type {any} */ (key)]
    return cubeRenderer === undefined
  })
  expect(registry).toBe(true)
})

const hostile = [
  '<script>window.hacked = true</script>',
  '</textarea><img src=x onerror="window.hacked = true">',
  'a<b<c',
  '👩‍👩‍👧‍👦',
  'שלום',
  'مرحبا',
  'Z̸̢͎̭̥̝ͅa̵l̷g̶o̴',
  // A character that a tokenizer has cut in two.
  '\ud83d',
  '\ufffd',
  'x'.repeat(10_000),
  '',
  '   ',
  '\n',
  '=SUM(A1)',
  '\'"&amp;',
]

for (const name of names) {
  test(`Tokens of every kind are text in <${name}>`, async ({ page }) => {
    const count = hostile.length
    await course(page)
    await page.evaluate(
      ({ name, tokens, count }) => {
        const element = document.createElement(name)
        const row = Array.from({ length: count }, (_, index) => (index + 1) / 200)
        const plane = Array.from({ length: count }, () => row)
        Object.assign(element, {
          tokens,
          attention: name === 'attention-heatmap' ? plane : [plane],
        })
        document.querySelector('main')?.append(element)
      },
      { name, tokens: hostile, count },
    )
    const figure = page.locator(name)
    await expect(figure.locator('.view > *')).toBeAttached()
    await page.evaluate(() => new Promise((done) => setTimeout(done, 300)))
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
    expect(
      await figure.evaluate((node) => {
        const host = node.shadowRoot?.querySelector('.attention-view')?.shadowRoot
        return host?.querySelectorAll('script, img, textarea').length
      }),
    ).toBe(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
    // However long a token is, the figure stays within its page.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1000)
    expect((await figure.boundingBox())?.height).toBeLessThan(3000)
  })
}

for (const [kind, style] of [
  ['unsets all', '* { all: unset !important }'],
  ['has huge fonts', 'html { font-size: 64px !important } * { font-size: 200% }'],
  ['floats and hides', 'div { float: left; width: 3px } p, span, table { display: none }'],
  ['is upright', 'html { writing-mode: vertical-rl } * { letter-spacing: 1em }'],
]) {
  test(`A page that ${kind} keeps a figure that can be read and used`, async ({ page }) => {
    await course(
      page,
      '<multi-head-example num-heads="2" style="width: 800px"></multi-head-example>',
      `<style>${style}</style>`,
    )
    const figure = page.locator('multi-head-example')
    await expect(figure.locator('.measures tbody tr')).toHaveCount(2)
    await choose(page, 'multi-head-example', 'heads', 4)
    await expect(figure.locator('.measures tbody tr')).toHaveCount(4)
    const box = await figure.locator('.grid canvas').first().boundingBox()
    expect(box?.width).toBeGreaterThan(100)
    expect(box?.height).toBeGreaterThan(100)
  })
}

test('On paper an exhibit is its figures and tables, without controls', async ({ page }) => {
  await course(page, '<multi-head-example></multi-head-example>')
  const figure = page.locator('multi-head-example')
  await expect(figure.locator('.measures tbody tr')).toHaveCount(4)
  await page.emulateMedia({ media: 'print' })
  await expect(figure.locator('.controls')).toBeHidden()
  await expect(figure.locator('.share')).toBeHidden()
  await expect(figure.locator('.measures')).toBeVisible()
  await expect(figure.locator('canvas').first()).toBeVisible()
  expect((await page.pdf()).length).toBeGreaterThan(10_000)
})

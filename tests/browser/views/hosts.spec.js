/**
 * What figures stand in: pages and boxes that are not made for them.
 */
import { expect, test } from '@playwright/test'
import { golden, mount, open, settle, words } from './support.js'

/** @import { Page } from '@playwright/test' */

const { attention } = golden.heads[4]
const kinds = /** @type {const} */ (['Heatmap', 'HeadGrid', 'AttentionCube'])
const elements = ['attention-heatmap', 'attention-heads', 'attention-cube']

/**
 * Dresses the container of the view to be.
 *
 * @param {Page} page
 * @param {string} css
 */
function dress(page, css) {
  return page.evaluate((css) => {
    const figure = /** @type {HTMLElement} */ (document.getElementById('figure'))
    figure.style.cssText = css
  }, css)
}

for (const [how, css] of [
  ['scaled', 'transform: scale(0.6); transform-origin: 0 0'],
  ['turned', 'transform: rotate(90deg); width: 500px'],
  ['tilted', 'transform: perspective(700px) rotateY(25deg); width: 500px'],
  ['zoomed in', 'zoom: 1.5; width: 500px'],
  ['zoomed out', 'zoom: 0.5'],
]) {
  test(`in a box that is ${how} the cell under the pointer is the one that is told`, async ({
    page,
  }) => {
    await open(page)
    await page.setViewportSize({ width: 1000, height: 1000 })
    await dress(page, css)
    for (const kind of /** @type {const} */ (['Heatmap', 'AttentionCube'])) {
      await mount(page, kind, { attention, tokens: words, emphasizedHead: 0 })
      await expect(page.locator('[role=gridcell]')).toHaveCount(1)
      for (const keys of [
        ['Control+Home'],
        ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight'],
        ['Control+End'],
      ]) {
        const cell = page.locator('[role=gridcell]')
        await cell.focus()
        for (const key of keys) await page.keyboard.press(key)
        await settle(page)
        const [said, box] = [await cell.textContent(), await cell.boundingBox()]
        if (!box) throw new Error('no cell')
        await cell.blur()
        await page.mouse.move(1, 1)
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
        await settle(page)
        const value = await page.locator('.readout .value').textContent()
        expect(said?.endsWith(`: ${value}`), `${kind}: ${said} under the pointer`).toBe(true)
      }
      await page.evaluate(() => /** @type {any} */ (window).view.dispose())
    }
  })
}

test('a figure gets narrower with columns that share the room', async ({ page }) => {
  await open(page, 'elements')
  await page.evaluate(() => import(/** @type {string} */ ('/web/elements/define.js')))
  await dress(page, 'display: grid; grid-template-columns: 1fr 1fr; width: 900px')
  await page.evaluate(([elements, attention]) => {
    for (const name of elements) {
      const element = document.createElement(name)
      Object.assign(element, { attention })
      document.getElementById('figure')?.append(element)
    }
  }, /** @type {const} */ ([elements, attention]))
  await expect(page.locator('canvas.bar')).toHaveCount(3)
  for (const [display, width] of [
    ['grid', 900],
    ['grid', 400],
    ['flex', 640],
  ]) {
    await page.evaluate(
      ([display, width]) => {
        const { style } = /** @type {HTMLElement} */ (document.getElementById('figure'))
        style.display = String(display)
        style.width = `${width}px`
      },
      [display, width],
    )
    await settle(page)
    const wanted = display === 'grid' ? Number(width) / 2 : Number(width) / 3
    for (const name of elements) {
      expect((await page.locator(name).boundingBox())?.width).toBeCloseTo(wanted, 0)
    }
  }
})

test('a box that is as wide as what is in it has room for a figure', async ({ page }) => {
  await open(page)
  await dress(page, 'width: fit-content')
  for (const kind of kinds) {
    await mount(page, kind, { attention })
    expect((await page.locator('.attention-view').boundingBox())?.width).toBe(300)
    await page.evaluate(() => /** @type {any} */ (window).view.dispose())
  }
})

for (const kind of kinds) {
  test(`a scroll bar that ${kind} itself brings up does not make it flicker`, async ({ page }) => {
    await open(page)
    await dress(page, 'width: 600px')
    await mount(page, kind, { attention })
    const flickering = await page.evaluate(async () => {
      const box = /** @type {HTMLElement} */ (document.getElementById('figure'))
      const frame = () => new Promise(requestAnimationFrame)
      // Browsers under test hide their scroll bars: what one does to a box, in so many words.
      let limit = Infinity
      let changes = 0
      new ResizeObserver(() => {
        const width = box.offsetHeight > limit ? '585px' : '600px'
        if (box.style.width !== width) changes++
        box.style.width = width
      }).observe(box)
      await frame()
      const full = box.offsetHeight
      /** @type {number[]} */
      const limits = []
      for (limit = full - 24; limit <= full; limit += 3) {
        box.style.width = '600px'
        for (let wait = 0; wait < 12; wait++) await frame()
        changes = 0
        for (let wait = 0; wait < 8; wait++) await frame()
        if (changes > 0) limits.push(limit)
      }
      return limits
    })
    expect(flickering).toEqual([])
  })
}

test('on a page that reads from right to left figures read as everywhere', async ({ page }) => {
  await open(page)
  await mount(page, 'Heatmap', { attention, tokens: words })
  const picture = () =>
    page.locator('canvas.matrix').evaluate((node) => {
      const canvas = /** @type {HTMLCanvasElement} */ (node)
      const rest = canvas.getBoundingClientRect().x
      const bar = canvas.getRootNode()
      const legend = /** @type {ShadowRoot} */ (bar).querySelector('.bar')
      return [canvas.toDataURL(), (legend?.getBoundingClientRect().x ?? 0) - rest]
    })
  const before = await picture()
  await page.evaluate(() => {
    document.documentElement.setAttribute('dir', 'rtl')
    const { view } = /** @type {any} */ (window)
    view.update({})
  })
  await settle(page)
  expect(await picture()).toEqual(before)
})

test('how a page sets its text does not reach the text of figures', async ({ page }) => {
  await open(page)
  await dress(
    page,
    'text-transform: uppercase; letter-spacing: 0.4em; word-spacing: 1em; text-indent: 4em; white-space: pre; text-align: center; font: italic small-caps bold 8px/0 serif; text-shadow: 2px 2px red',
  )
  await mount(page, 'HeadGrid', { attention, tokens: words })
  const hint = page.locator('.readout')
  for (const [property, value] of [
    ['text-transform', 'none'],
    ['letter-spacing', 'normal'],
    ['word-spacing', '0px'],
    ['text-indent', '0px'],
    ['white-space', 'normal'],
    ['font-style', 'normal'],
    ['font-variant-caps', 'normal'],
    ['text-shadow', 'none'],
  ]) {
    await expect(hint).toHaveCSS(property, value)
  }
})

test('a page that moves what a figure stands in does not make it draw anew', async ({ page }) => {
  await page.addInitScript(() => {
    const { clearRect } = CanvasRenderingContext2D.prototype
    Object.assign(window, { cleared: 0 })
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
      if (this.canvas.matches('.matrix')) /** @type {any} */ (window).cleared++
      clearRect.apply(this, box)
    }
  })
  await open(page)
  await mount(page, 'Heatmap', { attention })
  const drawn = await page.evaluate(async () => {
    const before = /** @type {any} */ (window).cleared
    const figure = /** @type {HTMLElement} */ (document.getElementById('figure'))
    for (let step = 0; step < 20; step++) {
      figure.style.transform = `translateY(${step}px)`
      document.documentElement.classList.toggle('scrolled')
      await new Promise(requestAnimationFrame)
    }
    return /** @type {any} */ (window).cleared - before
  })
  expect(drawn).toBe(0)
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'))
  await expect
    .poll(() => page.evaluate(() => /** @type {any} */ (window).cleared))
    .toBeGreaterThan(1)
})

test('a browser that hands out false pixels does not change the ink', async ({ page }) => {
  await page.addInitScript(() => {
    CanvasRenderingContext2D.prototype.getImageData = () => {
      throw new DOMException('blocked', 'SecurityError')
    }
  })
  await open(page)
  for (const kind of kinds) {
    await mount(page, kind, { attention })
    await expect(page.locator('.words')).toBeHidden()
    await expect(page.locator('canvas.bar')).toBeVisible()
    await page.evaluate(() => /** @type {any} */ (window).view.dispose())
  }
})

test('on paper that is narrower than the screen figures are whole', async ({ page }) => {
  await open(page)
  for (const kind of kinds) {
    await mount(page, kind, { attention, tokens: words, selected: { query: 3, key: 5 } })
    const drawing = page.locator('canvas.matrix, canvas.scene').first()
    const screen = await drawing.boundingBox()
    // A page's width changes for the printer alone: no view hears of it.
    await page.emulateMedia({ media: 'print' })
    const paper = await page.evaluate(() => {
      const figure = /** @type {HTMLElement} */ (document.getElementById('figure'))
      figure.style.width = '400px'
      const view = /** @type {ShadowRoot} */ (figure.firstElementChild?.shadowRoot)
      const boxOf = (/** @type {string} */ selector) => {
        const nodes = [...view.querySelectorAll(selector)]
        return nodes.map((node) => node.getBoundingClientRect()).filter(({ width }) => width > 0)
      }
      return {
        drawings: boxOf('canvas.matrix, canvas.scene').map(({ right, width, height }) => ({
          right,
          shape: width / height,
        })),
        bar: boxOf('canvas.bar')[0].right,
        ticks: boxOf('.ticks span').at(-1)?.right,
        room: figure.getBoundingClientRect().right,
      }
    })
    for (const { right, shape } of paper.drawings) {
      expect(right).toBeLessThanOrEqual(paper.room + 0.5)
      expect(shape).toBeCloseTo((screen?.width ?? 0) / (screen?.height ?? 1), 1)
    }
    expect(paper.bar).toBeLessThanOrEqual(paper.room + 0.5)
    expect(paper.ticks).toBeCloseTo(paper.bar, 0)
    await page.emulateMedia({ media: 'screen' })
    await dress(page, '')
    await page.evaluate(() => /** @type {any} */ (window).view.dispose())
  }
})

test('a figure may stand in the document of a frame, or move there', async ({ page }) => {
  await open(page, 'elements')
  await page.evaluate(async (attention) => {
    const { AttentionCube } = await import(/** @type {string} */ ('/web/views/index.js'))
    await import(/** @type {string} */ ('/web/elements/define.js'))
    const frame = document.createElement('iframe')
    frame.style.cssText = 'width: 600px; height: 1400px'
    document.body.append(frame)
    const body = /** @type {Document} */ (frame.contentDocument).body
    new AttentionCube(body, { attention })
    const element = document.createElement('attention-heatmap')
    Object.assign(element, { attention })
    document.body.append(element)
    await new Promise((done) => setTimeout(done, 100))
    body.append(element)
  }, attention)
  const frame = page.frameLocator('iframe')
  const drawn = frame.locator('.scene, .matrix')
  await expect(drawn).toHaveCount(2)
  await expect(frame.locator('figure').first()).toHaveCSS('display', 'flex')
  await expect(frame.locator('figure').last()).toHaveCSS('display', 'flex')
  await expect(frame.locator('attention-heatmap')).toHaveCSS('display', 'block')
  await expect
    .poll(() =>
      drawn.evaluateAll((nodes) =>
        nodes.map((node) => {
          const { width, height } = /** @type {HTMLCanvasElement} */ (node)
          const context = /** @type {HTMLCanvasElement} */ (node).getContext('2d')
          const data = context?.getImageData(0, 0, width, height).data.buffer ?? new ArrayBuffer(4)
          return new Set(new Uint32Array(data)).size > 50
        }),
      ),
    )
    .toEqual([true, true])
})

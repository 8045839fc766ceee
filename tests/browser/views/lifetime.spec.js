import { expect, test } from '@playwright/test'
import {
  barColors,
  colorAt,
  cursorMiddle,
  golden,
  kinds,
  mount,
  open,
  settle,
  withoutWebGL,
  words,
} from './support.js'

const { attention } = golden.heads[4]

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/**
 * Counts what a page may leak: listeners on what outlives a view, observers, frames, WebGL contexts.
 * To be installed before the page's scripts.
 */
function countLeaks() {
  const leaks = { listeners: 0, observers: 0, frames: 0, contexts: 0 }
  Object.assign(window, { leaks })
  const outlives = (/** @type {EventTarget} */ target) =>
    target === window ||
    target === document ||
    target === document.fonts ||
    target instanceof MediaQueryList
  const { addEventListener, removeEventListener } = EventTarget.prototype
  /** @type {Map<EventTarget, Set<string>>} */
  const known = new Map()
  /** @type {Map<unknown, number>} */
  const numbers = new Map()
  /** Tells listeners apart as the browser does: by type, function and capture. */
  const keyOf = (
    /** @type {string} */ type,
    /** @type {unknown} */ listener,
    /** @type {boolean | EventListenerOptions | undefined} */ options,
  ) => {
    if (!numbers.has(listener)) numbers.set(listener, numbers.size)
    const capture = typeof options === 'object' ? Boolean(options.capture) : Boolean(options)
    return `${type} ${numbers.get(listener)} ${capture}`
  }
  const forget = (/** @type {EventTarget} */ target, /** @type {string} */ key) => {
    if (known.get(target)?.delete(key)) leaks.listeners--
  }
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    addEventListener.call(this, type, listener, options)
    if (!outlives(this)) return
    const key = keyOf(type, listener, options)
    const own = known.get(this) ?? new Set()
    known.set(this, own)
    if (!own.has(key)) leaks.listeners++
    own.add(key)
    const signal = typeof options === 'object' ? options.signal : undefined
    if (signal) addEventListener.call(signal, 'abort', () => forget(this, key), { once: true })
  }
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    removeEventListener.call(this, type, listener, options)
    forget(this, keyOf(type, listener, options))
  }
  for (const name of /** @type {const} */ ([
    'ResizeObserver',
    'IntersectionObserver',
    'MutationObserver',
  ])) {
    const { observe, disconnect } = window[name].prototype
    const watching = new WeakSet()
    window[name].prototype.observe = function (/** @type {any[]} */ ...targets) {
      if (!watching.has(this)) leaks.observers++
      watching.add(this)
      return Reflect.apply(observe, this, targets)
    }
    window[name].prototype.disconnect = function () {
      if (watching.delete(this)) leaks.observers--
      return Reflect.apply(disconnect, this, [])
    }
  }
  const { requestAnimationFrame, cancelAnimationFrame } = window
  const pending = new Set()
  window.requestAnimationFrame = (callback) => {
    const frame = requestAnimationFrame((time) => {
      pending.delete(frame)
      leaks.frames = pending.size
      callback(time)
    })
    pending.add(frame)
    leaks.frames = pending.size
    return frame
  }
  window.cancelAnimationFrame = (frame) => {
    pending.delete(frame)
    leaks.frames = pending.size
    cancelAnimationFrame(frame)
  }
  const { getContext } = HTMLCanvasElement.prototype
  Object.assign(HTMLCanvasElement.prototype, {
    /** @this {HTMLCanvasElement} @param {string} kind @param {object} [options] */
    getContext(kind, options) {
      const context = Reflect.apply(getContext, this, [kind, options])
      if (kind.startsWith('webgl') && context) leaks.contexts++
      return context
    },
  })
}

/** @param {import('@playwright/test').Page} page */
function leaksOf(page) {
  return page.evaluate(() => ({ .../** @type {any} */ (window).leaks }))
}

/** Not by a locator, which brings listeners of its own into the page. @param {import('@playwright/test').Page} page */
function nodesLeft(page) {
  return page.evaluate(() => document.getElementById('figure')?.childNodes.length)
}

/** What the page's registry holds. @param {import('@playwright/test').Page} page */
function registryOf(page) {
  return page.evaluate(() => {
    const symbols = Object.getOwnPropertySymbols(globalThis)
    const key = symbols.find(({ description }) => description?.startsWith('attention-lab@'))
    const renderer = /** @type {any} */ (globalThis)[/** @type {any} */ (key)]?.cubeRenderer
    return renderer
      ? { users: renderer.users.size, memory: { ...renderer.renderer.info.memory } }
      : null
  })
}

for (const kind of kinds) {
  test(`a disposed ${kind} leaves nothing, and disposing twice is harmless`, async ({ page }) => {
    await page.addInitScript(countLeaks)
    await open(page)
    // What the modules keep for all views (a scratch canvas, style sheets) comes with the first.
    await mount(page, kind, { attention: kind === 'Heatmap' ? [[1]] : attention })
    await page.evaluate(() => /** @type {any} */ (window).view.dispose())
    await settle(page)
    const clean = await leaksOf(page)
    expect(clean).toEqual({ listeners: 0, observers: 0, frames: 0, contexts: expect.any(Number) })

    await mount(page, kind, { attention, head: 0, tokens: words })
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await page.mouse.move(400, 300)
    await page.evaluate(() => {
      const { view } = /** @type {any} */ (window)
      view.update({ colormap: 'viridis' })
      view.dispose()
      view.dispose()
    })
    expect(await nodesLeft(page)).toBe(0)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 600, height: 500 })
    await settle(page)
    expect(await leaksOf(page)).toEqual({ ...clean, contexts: expect.any(Number) })
    expect(await registryOf(page)).toBe(null)
    expect(await nodesLeft(page)).toBe(0)
  })
}

test('twenty cubes share one context, none is lost, and each frees what is its own', async ({
  page,
}) => {
  test.slow()
  await page.addInitScript(countLeaks)
  await open(page)
  await page.evaluate(async (attention) => {
    const views = await import(/** @type {string} */ ('/web/views/index.js'))
    const container = /** @type {HTMLElement} */ (document.getElementById('figure'))
    Object.assign(window, {
      cubes: Array.from({ length: 20 }, (_, index) => {
        const slot = document.createElement('div')
        container.append(slot)
        return new views.AttentionCube(slot, { attention, height: 200, emphasizedHead: index % 4 })
      }),
    })
  }, attention)
  const scenes = page.locator('canvas.scene')
  await expect(scenes).toHaveCount(20)
  for (let index = 0; index < 20; index++) {
    await scenes.nth(index).scrollIntoViewIfNeeded()
    // Something else than the bare background is seen.
    await expect
      .poll(() =>
        scenes.nth(index).evaluate((node) => {
          const canvas = /** @type {HTMLCanvasElement} */ (node)
          const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
          const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
          return new Set(new Uint32Array(data.buffer)).size
        }),
      )
      .toBeGreaterThan(50)
  }
  expect((await leaksOf(page)).contexts).toBe(1)
  const all = await registryOf(page)
  expect(all?.users).toBe(20)
  await page.evaluate(() => {
    for (const cube of /** @type {any} */ (window).cubes.slice(1)) cube.dispose()
  })
  expect(await registryOf(page)).toEqual({
    users: 1,
    // Of 20 cubes with two geometries and four textures each, one is left.
    memory: { ...all?.memory, geometries: 2, textures: 4 },
  })
  await page.evaluate(() => /** @type {any} */ (window).cubes[0].dispose())
  expect(await registryOf(page)).toBe(null)
})

for (const [how, restore] of /** @type {const} */ ([
  ['given back by the browser', true],
  ['lost for good', false],
])) {
  test(`a context that is ${how} is recovered from, with exact colours`, async ({ page }) => {
    await open(page)
    await mount(page, 'AttentionCube', { attention, emphasizedHead: 2 })
    await page.evaluate(async (restore) => {
      const symbols = Object.getOwnPropertySymbols(globalThis)
      const key = symbols.find(({ description }) => description?.startsWith('attention-lab@'))
      const { renderer } = /** @type {any} */ (globalThis)[/** @type {any} */ (key)].cubeRenderer
      const extension = renderer.getContext().getExtension('WEBGL_lose_context')
      extension.loseContext()
      await new Promise((done) => setTimeout(done, 100))
      if (restore) extension.restoreContext()
    }, restore)
    // The picture stays while there is no context.
    await page.waitForTimeout(1500)
    await page.evaluate(() =>
      /** @type {any} */ (window).view.update({ emphasizedHead: 1, domain: [0, 0.2] }),
    )
    await settle(page)
    const bar = await barColors(page)
    await page.locator('[role=gridcell]').focus()
    await settle(page)
    const seen = await colorAt(
      page.locator('canvas.scene'),
      await cursorMiddle(page, 'canvas.scene'),
    )
    expect(seen).toEqual(bar[Math.round((255 * attention.data[144]) / 0.2)])
  })
}

test('without WebGL the cube is a head grid that says so, and heads can still be chosen', async ({
  page,
}) => {
  await withoutWebGL(page)
  await open(page)
  await mount(page, 'AttentionCube', { attention, tokens: words })
  await expect(page.getByRole('note')).toHaveText(
    'WebGL is not available here, so the heads stand side by side, not in a cube.',
  )
  await expect(page.locator('canvas.matrix')).toHaveCount(4)
  await expect(page.locator('canvas.scene')).toHaveCount(0)
  await page.evaluate(() => {
    const heads = /** @type {number[]} */ ([])
    Object.assign(window, { heads })
    document.addEventListener('headchange', (event) =>
      heads.push(/** @type {CustomEvent} */ (event).detail.head),
    )
  })
  await page.locator('.heads').getByRole('button', { name: 'head 3' }).click()
  await expect(page.locator('.panel.chosen button')).toHaveText('head 3')
  await page.locator('.panel button').nth(1).click()
  await expect(page.locator('.heads [aria-pressed=true]')).toHaveText('head 2')
  expect(await page.evaluate(() => /** @type {any} */ (window).heads)).toEqual([2, 1])
  await page.evaluate(() => /** @type {any} */ (window).view.dispose())
  expect(await nodesLeft(page)).toBe(0)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { BUILD } from '../../cpp/toolchain/index.js'
import { expectDrawn } from './figures.js'

/**
 * Hosts other than marimo and Jupyter, as poor as anywidget's specification allows: a module that is imported from a
 * blob for each widget, a model that throws on what the host does not support, no signal.
 */

/** @import { Page } from '@playwright/test' */

/** @typedef {{ hasSignal?: boolean, throws?: string[] }} Habits */

/**
 * @param {Page} page
 * @param {string} module
 * @param {Record<string, unknown>} traits
 * @param {Habits} [habits]
 */
async function render(page, module, traits, { hasSignal = false, throws = [] } = {}) {
  const code = readFileSync(join(BUILD, 'notebook', `${module}.js`), 'utf8')
  await page.evaluate(async ([code, given, hasSignal, throws]) => {
    const traits = /** @type {Record<string, any>} */ ({ ...given })
    for (const name of ['attention_tensor', 'mask']) {
      const { shape, values } = traits[name] ?? {}
      if (!shape) continue
      // A view into a larger buffer, at an odd place.
      const bytes = new Uint8Array(7 + 4 * values.length)
      bytes.set(new Uint8Array(Float32Array.from(values).buffer), 7)
      traits[name] = { shape, dtype: 'float32', bytes: new DataView(bytes.buffer, 7) }
    }
    const listeners = /** @type {[string, () => void][]} */ ([])
    const refuse = (/** @type {string} */ what) => {
      if (throws.includes(what)) throw new Error(`this host has no ${what}`)
    }
    const model = {
      get: (/** @type {string} */ name) => traits[name],
      set: (/** @type {string} */ name, /** @type {unknown} */ value) => {
        refuse('set')
        traits[name] = value
        for (const [event, listener] of listeners) if (event === `change:${name}`) listener()
      },
      save_changes: () => refuse('save_changes'),
      on: (/** @type {string} */ event, /** @type {() => void} */ listener) =>
        listeners.push([event, listener]),
      off: (/** @type {string} */ event, /** @type {() => void} */ listener) => {
        refuse('off')
        const index = listeners.findIndex(([one, other]) => one === event && other === listener)
        listeners.splice(index, 1)
      },
    }
    const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
    const { default: widget } = await import(/** @type {string} */ (url))
    URL.revokeObjectURL(url)
    const el = document.body.appendChild(document.createElement('div'))
    const controller = new AbortController()
    const signal = hasSignal ? controller.signal : undefined
    await widget.initialize({ model, signal })
    const end = await widget.render({ model, el, signal })
    Object.assign(globalThis, { host: { model, traits, listeners, end, controller, el } })
  }, /** @type {const} */ ([code, traits, hasSignal, throws]))
}

/** @param {Page} page @returns {Promise<any>} what the expression of the host is */
const host = (page, /** @type {string} */ expression) =>
  page.evaluate(
    (path) =>
      path.split('.').reduce((node, name) => node[name], /** @type {any} */ (globalThis).host),
    expression,
  )

const WEIGHTS = { shape: [2, 2, 2], values: [0.1, 0.9, 0.5, 0.5, 1, 0, 0.25, 0.75] }

test.beforeEach(async ({ page }) => {
  page.on('pageerror', (error) => {
    throw error
  })
  await page.setContent('<!doctype html><title>A host</title>')
})

for (const module of ['cube', 'heatmap', 'heads', 'lines']) {
  test(`The module of ${module} draws, and goes when its cleanup is called`, async ({ page }) => {
    await render(page, module, { attention_tensor: WEIGHTS, emphasized_head: -1 })
    await expectDrawn(page.locator('body > div > *'))
    expect(await host(page, 'listeners.length')).toBeGreaterThan(8)
    await page.evaluate(() => /** @type {any} */ (globalThis).host.end())
    expect(await host(page, 'el.childElementCount')).toBe(0)
    expect(await host(page, 'listeners.length')).toBe(0)
  })
}

test('A host’s signal ends a widget too, and one that is over begins none', async ({ page }) => {
  await render(page, 'heatmap', { attention_tensor: WEIGHTS }, { hasSignal: true })
  await expectDrawn(page.locator('attention-heatmap'))
  const left = await page.evaluate(async () => {
    const { host } = /** @type {any} */ (globalThis)
    host.controller.abort()
    host.end()
    return [host.el.childElementCount, host.listeners.length]
  })
  expect(left).toEqual([0, 0])
})

test('What a host does not support costs nothing but itself', async ({ page }) => {
  const throws = ['save_changes', 'off']
  await render(page, 'cube', { attention_tensor: WEIGHTS, emphasized_head: -1 }, { throws })
  const cube = page.locator('attention-cube')
  await expectDrawn(cube)
  await cube.getByRole('button', { name: 'head 2' }).click()
  await expect(cube.getByRole('button', { name: 'head 2' })).toHaveAttribute('aria-pressed', 'true')
  expect(await host(page, 'traits.emphasized_head')).toBe(1)
  const ended = await page.evaluate(() => {
    const { host } = /** @type {any} */ (globalThis)
    host.end()
    // Its listeners are still there, and do nothing any more.
    host.model.set('emphasized_head', 0)
    return [host.el.childElementCount, host.listeners.length > 0]
  })
  expect(ended).toEqual([0, true])
})

test('Masked, causal and missing numbers come through, and wrong traits are said in words', async ({
  page,
}) => {
  const values = [NaN, 0.9, 0.5, 0.5]
  const mask = { shape: [2, 2], values: [0, -Infinity, 0, 0] }
  const tokens = ['left', 'right']
  await render(page, 'heatmap', { attention_tensor: { shape: [2, 2], values }, mask, tokens })
  const heatmap = page.locator('attention-heatmap')
  await expectDrawn(heatmap)
  await heatmap.getByRole('gridcell').focus()
  await expect(heatmap.getByRole('gridcell')).toContainText('key 1 “left”: NaN')
  await page.keyboard.press('ArrowRight')
  await expect(heatmap.getByRole('gridcell')).toContainText('masked')
  await page.evaluate(() => /** @type {any} */ (globalThis).host.model.set('tokens', ['one']))
  await expect(heatmap.getByRole('alert')).toContainText('tokens')
  await page.evaluate(() => /** @type {any} */ (globalThis).host.model.set('tokens', null))
  await expect(heatmap.getByRole('alert')).toHaveCount(0)
})

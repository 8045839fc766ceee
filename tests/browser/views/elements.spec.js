import { expect, test } from '@playwright/test'
import { golden, open, settle, words } from './support.js'

const { attention } = golden.heads[4]
const names = ['attention-heatmap', 'attention-heads', 'attention-cube', 'attention-lines']

/** Makes the elements known. @param {import('@playwright/test').Page} page */
function define(page) {
  return page.evaluate(() => import(/** @type {string} */ ('/web/elements/define.js')))
}

/**
 * Puts an element into the page.
 *
 * @param {import('@playwright/test').Page} page
 * @param {string} name
 * @param {object} properties
 * @param {Record<string, string>} [attributes]
 */
async function place(page, name, properties, attributes = {}) {
  await page.evaluate(([name, properties, attributes]) => {
    const element = document.createElement(name)
    Object.assign(element, properties)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    document.getElementById('figure')?.append(element)
  }, /** @type {const} */ ([name, properties, attributes]))
  await settle(page)
}

test('attributes alone make a figure', async ({ page }) => {
  await open(page, 'elements')
  await define(page)
  await place(
    page,
    'attention-heatmap',
    {},
    {
      attention: '[[0.25, 0.75], [1, null]]',
      tokens: 'left right',
      colormap: 'viridis',
      domain: '0 1',
      causal: '',
    },
  )
  await page.locator('[role=gridcell]').focus()
  await expect(page.locator('[role=gridcell]:focus')).toHaveText(
    'query 1 “left”, key 1 “left”: 0.25',
  )
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('[role=gridcell]:focus')).toContainText('masked')
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[role=gridcell]:focus')).toContainText('NaN')
})

test('properties set before the element is defined are taken over', async ({ page }) => {
  await open(page, 'elements')
  await place(page, 'attention-cube', { attention, tokens: words, emphasizedHead: 2 })
  await define(page)
  await expect(page.getByRole('button', { name: 'head 3' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('attention-cube')).toHaveAttribute('emphasized-head', '2')
})

test('the chosen head is a property and an attribute, live in both directions', async ({
  page,
}) => {
  await open(page, 'elements')
  await define(page)
  for (const name of ['attention-cube', 'attention-heads', 'attention-lines']) {
    await place(page, name, { attention })
    const element = page.locator(name)
    await expect(element).toHaveAttribute('emphasized-head', '-1')
    await page.evaluate((name) => {
      const element = /** @type {any} */ (document.querySelector(name))
      Object.assign(window, { heard: [] })
      element.addEventListener('headchange', (/** @type {CustomEvent} */ event) =>
        /** @type {any} */ (window).heard.push([
          event.detail.head,
          element.emphasizedHead,
          event.target === element,
        ]),
      )
    }, name)
    await element.getByRole('button', { name: 'head 2' }).click()
    expect(await page.evaluate(() => /** @type {any} */ (window).heard)).toEqual([[1, 1, true]])
    await expect(element).toHaveAttribute('emphasized-head', '1')
    await element.evaluate((node) => node.setAttribute('emphasized-head', '3'))
    await expect(element.getByRole('button', { name: 'head 4' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await element.evaluate((node) => node.remove())
  }
})

test('the selected query is a property and an attribute, live in both directions', async ({
  page,
}) => {
  await open(page, 'elements')
  await define(page)
  const { attention } = golden.heads[1]
  await place(page, 'attention-lines', { attention, tokens: words }, { threshold: '0.09' })
  const element = page.locator('attention-lines')
  await expect(element).toHaveAttribute('selected-query', '-1')
  await expect(element.locator('.note')).toHaveText('Weights below 0.09 have no line.')
  await element.evaluate((node) => {
    Object.assign(window, { heard: [] })
    node.addEventListener('querychange', (event) =>
      /** @type {any} */ (window).heard.push([
        /** @type {CustomEvent} */ (event).detail.query,
        /** @type {any} */ (node).selectedQuery,
      ]),
    )
  })
  await element.locator('[role=gridcell]').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => /** @type {any} */ (window).heard)).toEqual([[1, 1]])
  await expect(element).toHaveAttribute('selected-query', '1')
  await element.evaluate((node) => node.setAttribute('selected-query', '3'))
  await expect(element.locator('.tag.chosen')).toHaveText(words[3])
  for (const [name, value, message] of [
    ['selected-query', 'it', 'selectedQuery: expected a whole number'],
    ['threshold', '-1', 'threshold: expected a number from 0, got -1'],
  ]) {
    await element.evaluate(
      (node, [name, value]) => {
        node.setAttribute('selected-query', '0')
        node.setAttribute('threshold', '0')
        node.setAttribute(name, value)
      },
      [name, value],
    )
    await expect(element.getByRole('alert')).toContainText(message)
  }
  await element.evaluate((node) => node.removeAttribute('threshold'))
  await expect(element.locator('.tag.chosen')).toHaveText(words[0])
})

test('what the reader does is told with tokens and value, out of all shadow roots', async ({
  page,
}) => {
  await open(page, 'elements')
  await define(page)
  await page.evaluate(() => {
    Object.assign(window, { heard: [] })
    for (const type of ['cellhover', 'cellselect', 'cellleave']) {
      document.addEventListener(type, (event) =>
        /** @type {any} */ (window).heard.push([
          type,
          /** @type {Element} */ (event.target).localName,
          /** @type {CustomEvent} */ (event).detail?.queryToken,
          /** @type {CustomEvent} */ (event).detail?.value,
        ]),
      )
    }
  })
  await place(page, 'attention-heatmap', { attention: [[0.25, 0.75]], queryTokens: ['<b>'] })
  await page.locator('canvas.matrix').click({ position: { x: 80, y: 60 } })
  await page.mouse.move(1, 1)
  await page.locator('[role=gridcell]').blur()
  expect(await page.evaluate(() => /** @type {any} */ (window).heard)).toEqual([
    ['cellhover', 'attention-heatmap', '<b>', 0.25],
    ['cellselect', 'attention-heatmap', '<b>', 0.25],
    ['cellleave', 'attention-heatmap', undefined, undefined],
  ])
})

test('a wrong value is reported in the figure’s place, and the next good one is drawn', async ({
  page,
}) => {
  await open(page, 'elements')
  await define(page)
  for (const name of names) {
    await place(page, name, { attention: [[0.25], [0.5, 0.25]] })
    const element = page.locator(name)
    await expect(element.getByRole('alert')).toContainText('rows differ in length')
    for (const [property, value, message] of [
      ['attention', { data: [1], shape: [2, 2] }, 'needs 4 numbers'],
      ['attention', 'weights', 'expected a tensor'],
      ['attention', 7, 'expected a tensor'],
      ['tokens', ['one', 'two', 'three'], 'tokens: 3 given'],
      ['colormap', 'rainbow', 'there is no "rainbow"'],
    ]) {
      await element.evaluate(
        (node, [property, value]) =>
          Object.assign(node, {
            attention: [
              [0.5, 0.5],
              [1, 0],
            ],
            [String(property)]: value,
          }),
        [property, value],
      )
      await expect(element.getByRole('alert')).toContainText(String(message))
      await element.evaluate(
        (node, property) => Object.assign(node, { [property]: undefined }),
        String(property),
      )
    }
    await element.evaluate((node) =>
      Object.assign(node, {
        attention: [
          [0.5, 0.5],
          [1, 0],
        ],
      }),
    )
    await expect(element.getByRole('alert')).toHaveCount(0)
    await expect(element.locator('canvas.bar')).toBeVisible()
    await element.evaluate((node) => node.setAttribute('attention', '[[1, 2'))
    await expect(element.getByRole('alert')).toContainText('attention: expected JSON')
    await element.evaluate((node) => node.remove())
  }
})

test('an element that leaves the page frees its view, and builds it anew on coming back', async ({
  page,
}) => {
  await open(page, 'elements')
  await define(page)
  await place(page, 'attention-cube', { attention, emphasizedHead: 1 })
  await expect(page.locator('canvas.scene')).toHaveCount(1)
  const left = await page.evaluate(() => {
    const element = /** @type {HTMLElement} */ (document.querySelector('attention-cube'))
    Object.assign(window, { element })
    element.remove()
    const symbols = Object.getOwnPropertySymbols(globalThis)
    const key = symbols.find(({ description }) => description?.startsWith('attention-lab@'))
    return [
      element.shadowRoot?.querySelectorAll('.attention-view').length,
      'cubeRenderer' in /** @type {any} */ (globalThis)[/** @type {any} */ (key)],
    ]
  })
  expect(left).toEqual([0, false])
  await page.evaluate(() => document.body.append(/** @type {any} */ (window).element))
  await expect(page.getByRole('button', { name: 'head 2' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('canvas.scene')).toHaveCount(1)
  // Moving within the page is leaving and coming back at once.
  await page.evaluate(() =>
    document.getElementById('figure')?.append(/** @type {any} */ (window).element),
  )
  await expect(page.locator('canvas.scene')).toHaveCount(1)
})

test('a tensor changed in place is drawn when it is set again', async ({ page }) => {
  await open(page, 'elements')
  await define(page)
  await place(page, 'attention-heatmap', { attention: [[0.5]] })
  await page.locator('[role=gridcell]').focus()
  await page.evaluate(() => {
    const element = /** @type {any} */ (document.querySelector('attention-heatmap'))
    const { attention } = element
    attention[0][0] = 0.125
    element.attention = attention
  })
  await expect(page.locator('[role=gridcell]:focus')).toHaveText('query 1, key 1: 0.125')
})

test('an element whose name is taken is left alone, and defining twice is harmless', async ({
  page,
}) => {
  await open(page, 'elements')
  await page.evaluate(() => {
    class Taken extends HTMLElement {}
    customElements.define('attention-heads', Taken)
  })
  await define(page)
  await page.evaluate(() => import(/** @type {string} */ ('/web/elements/define.js?again')))
  expect(
    await page.evaluate(() => [
      customElements.get('attention-heads')?.name,
      Boolean(customElements.get('attention-cube')),
    ]),
  ).toEqual(['Taken', true])
})

test('only the code of the elements on the page is loaded', async ({ page }) => {
  /** @type {string[]} */
  const loaded = []
  page.on('request', (request) => loaded.push(request.url()))
  await open(page, 'elements')
  await define(page)
  expect(loaded.some((url) => url.includes('/web/views/'))).toBe(false)
  await place(page, 'attention-heatmap', { attention: [[1]] })
  await expect(page.locator('canvas.bar')).toBeVisible()
  expect(loaded.some((url) => url.includes('/heatmap.js'))).toBe(true)
  expect(loaded.some((url) => /three|\/cube\//.test(url))).toBe(false)
})

test('a strict content security policy has nothing to refuse', async ({ page }) => {
  await open(page, 'strict')
  await expect(page.locator('canvas.scene')).toBeVisible()
  await page.getByRole('button', { name: 'head 1' }).last().click()
  for (const name of ['attention-heatmap', 'attention-lines']) {
    await page.locator(`${name} [role=gridcell]`).focus()
    await page.keyboard.press('ArrowDown')
  }
  await page.evaluate(() =>
    /** @type {any} */ (document.querySelector('attention-heads')).setAttribute('attention', '[['),
  )
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await page.evaluate(() => /** @type {any} */ (window).violations)).toEqual([])
})

test('a page that unsets everything does not unset the figures', async ({ page }) => {
  await open(page, 'elements')
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { all: unset }')
    document.adoptedStyleSheets = [sheet]
  })
  await define(page)
  for (const name of names) {
    await place(page, name, { attention })
    await expect(page.locator(name)).toHaveCSS('display', 'block')
    await expect(page.locator(name).locator('canvas.bar')).toBeVisible()
    const drawing = page.locator(name).locator('canvas.matrix, canvas.scene, canvas.lines').first()
    expect((await drawing.boundingBox())?.width).toBeGreaterThan(150)
    await page.locator(name).evaluate((node) => node.remove())
  }
})

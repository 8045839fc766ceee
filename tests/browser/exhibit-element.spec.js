import { choose, expect, test } from './site-page.js'

/** @import { Page } from '@playwright/test' */

test.beforeEach(({ page }) => page.goto(''))

/**
 * Puts an exhibit at the end of the page.
 * @param {Page} page
 * @param {{ state?: object, attributes?: Record<string, string> }} [settings]
 */
async function place(page, settings = {}) {
  await page.evaluate(({ state, attributes = {} }) => {
    const element = document.createElement('feature-mixing')
    if (state) Object.assign(element, { state })
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    document.querySelector('main')?.append(element)
  }, settings)
  return page.locator('feature-mixing')
}

/** @param {import('@playwright/test').Locator} exhibit @param {number} heads */
async function expectHeads(exhibit, heads) {
  await expect(exhibit.locator('tfoot td')).toHaveCount(heads)
  await expect(exhibit.getByRole('alert')).toBeHidden()
  expect(await exhibit.evaluate((node) => /** @type {any} */ (node).state)).toEqual({
    numHeads: heads,
  })
}

const wrong = 'numHeads must be one of 1, 2, 4, 8, not 3'

test('A wrong state that was set too early is said, and the next good one is shown', async ({
  page,
}) => {
  const exhibit = await place(page, { state: { numHeads: 3 } })
  await expect(exhibit.getByRole('alert')).toContainText(wrong)
  await exhibit.evaluate((node) => Object.assign(node, { state: { numHeads: 2 } }))
  await expectHeads(exhibit, 2)
})

test('A wrong state that was set too early gives way to a good attribute', async ({ page }) => {
  const exhibit = await place(page, { state: { numHeads: 3 } })
  await expect(exhibit.getByRole('alert')).toContainText(wrong)
  await exhibit.evaluate((node) => node.setAttribute('num-heads', '8'))
  await expectHeads(exhibit, 8)
})

test('A wrong attribute gives way to a good state and to a reset, at any time', async ({
  page,
}) => {
  const exhibit = await place(page, { attributes: { 'num-heads': '3' } })
  const alert = exhibit.getByRole('alert')
  await expect(alert).toContainText(wrong)
  await exhibit.evaluate((node) => Object.assign(node, { state: { numHeads: 2 } }))
  await expectHeads(exhibit, 2)
  for (const mend of ['state', 'reset']) {
    await exhibit.evaluate((node) => node.setAttribute('num-heads', '4'))
    await exhibit.evaluate((node) => node.setAttribute('num-heads', '3'))
    await expect(alert).toContainText(wrong)
    // What has nothing to do with it does not hide what is wrong.
    await exhibit.evaluate((node) => node.setAttribute('class', 'wide'))
    await exhibit.evaluate(() => new Promise(requestAnimationFrame))
    await expect(alert).toBeVisible()
    await exhibit.evaluate((node, mend) => {
      const element = /** @type {any} */ (node)
      if (mend === 'reset') element.reset()
      else element.state = { numHeads: 1 }
    }, mend)
    await expectHeads(exhibit, mend === 'reset' ? 4 : 1)
  }
})

test('Of state and attribute the one that was set last holds, also outside of the page', async ({
  page,
}) => {
  const exhibit = await place(page, { state: { numHeads: 1 }, attributes: { 'num-heads': '8' } })
  await expectHeads(exhibit, 8)
  await exhibit.evaluate((node) => {
    node.setAttribute('num-heads', '1')
    Object.assign(node, { state: { numHeads: 2 } })
  })
  await expectHeads(exhibit, 2)
  await exhibit.evaluate((node) => {
    const place = node.parentElement
    node.remove()
    node.setAttribute('num-heads', '4')
    place?.append(node)
  })
  await expectHeads(exhibit, 4)
  // Moved without a change, it keeps what the reader chose.
  await choose(page, 'feature-mixing', 'heads', 8)
  await exhibit.evaluate((node) => node.parentElement?.prepend(node))
  await expectHeads(exhibit, 8)
})

test('Without its engine a figure says so until it can be had', async ({ page, faults }) => {
  await page.route('**/*.wasm', (route) => route.fulfill({ status: 404 }))
  await page.reload()
  const exhibit = await place(page)
  const alert = exhibit.getByRole('alert')
  await expect(alert).toContainText('could not be loaded')
  await exhibit.evaluate((node) => Object.assign(node, { state: { numHeads: 2 } }))
  await expect(alert).toContainText('could not be loaded')
  await page.unroute('**/*.wasm')
  await exhibit.evaluate((node) => Object.assign(node, { state: { numHeads: 8 } }))
  await expectHeads(exhibit, 8)
  faults.length = 0
})

test('A reader can try again to load what could not be loaded', async ({ page, faults }) => {
  await page.route('**/*.wasm', (route) => route.abort())
  await page.reload()
  const exhibit = await place(page)
  const again = exhibit.getByRole('button', { name: 'Try again' })
  await again.click()
  await expect(again).toBeVisible()
  await page.unroute('**/*.wasm')
  await again.click()
  await expectHeads(exhibit, 4)
  faults.length = 0
})

test('An exhibit that is made outside of the page gets its theme when it comes in', async ({
  page,
}) => {
  const scheme = await page.evaluate(async () => {
    document.documentElement.dataset.theme = 'dark'
    const exhibits = await import(
      /** @type {string} */ (new URL('attention-lab/exhibits.js', document.baseURI).href)
    )
    const container = document.createElement('div')
    new exhibits.ColumnBlocks(container)
    await new Promise((done) => setTimeout(done, 100))
    document.querySelector('main')?.append(container)
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    return /** @type {HTMLElement} */ (container.firstElementChild).dataset.scheme
  })
  expect(scheme).toBe('dark')
})

test('An exhibit wants an element to stand in', async ({ page }) => {
  const message = await page.evaluate(async () => {
    const exhibits = await import(
      /** @type {string} */ (new URL('attention-lab/exhibits.js', document.baseURI).href)
    )
    try {
      new exhibits.ColumnBlocks(null)
      return ''
    } catch (error) {
      return String(error)
    }
  })
  expect(message).toBe('TypeError: container: expected an element of the page')
})

test('In a row of flexible boxes, from right to left and among capitals an exhibit is itself', async ({
  page,
}) => {
  const exhibit = await place(page)
  await expectHeads(exhibit, 4)
  await exhibit.evaluate((node) => {
    const row = document.createElement('div')
    row.style.cssText =
      'display: flex; width: 900px; direction: rtl; text-transform: uppercase; letter-spacing: 1em; white-space: pre'
    node.replaceWith(row)
    row.append(node)
  })
  await expectHeads(exhibit, 4)
  expect((await exhibit.boundingBox())?.width).toBeGreaterThan(600)
  const cell = exhibit.locator('tbody th').first()
  await expect(cell).toHaveCSS('direction', 'ltr')
  await expect(cell).toHaveCSS('text-transform', 'none')
  await expect(cell).toHaveCSS('letter-spacing', 'normal')
  await expect(cell).toHaveCSS('white-space', 'normal')
  // And it gives way where there is less room.
  await exhibit.evaluate((node) => {
    if (node.parentElement) node.parentElement.style.width = '400px'
  })
  expect((await exhibit.boundingBox())?.width).toBe(400)
})

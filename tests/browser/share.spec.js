import { readFileSync } from 'node:fs'
import { accessibilityFaults, expect, resultOf, stateOf, test } from './site-page.js'

/** @import { Locator, Page } from '@playwright/test' */

const cube = 'lessons/multi-head-attention/'
const embed = 'attention-lab/embed.html'

/** @param {Page} page @param {string} name @returns {Promise<Locator>} its menu, open */
async function openMenu(page, name) {
  const exhibit = page.locator(name)
  const button = exhibit.getByRole('button', { name: 'Share or save' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await expect(exhibit.getByRole('textbox', { name: 'Link' })).toBeVisible()
  return exhibit.locator('.share-room')
}

/** @param {Page} page @param {string} name */
async function isReady(page, name) {
  await expect
    .poll(() => page.locator(name).evaluate((node) => /** @type {any} */ (node).exhibit?.isReady))
    .toBe(true)
}

test('A link opens its page with the figure exactly as it was', async ({ page, context }) => {
  await page.goto(cube)
  await isReady(page, 'multi-head-example')
  const state = { numHeads: 8, emphasizedHead: 5, scale: 'own' }
  await page
    .locator('multi-head-example')
    .evaluate((node, state) => Object.assign(node, { state }), state)
  const menu = await openMenu(page, 'multi-head-example')
  const link = await menu.getByRole('textbox', { name: 'Link' }).inputValue()
  expect(link).toBe(`${page.url()}#multi-head-example?v=1&numHeads=8&emphasizedHead=5&scale=own`)
  const other = await context.newPage()
  await other.goto(link)
  await isReady(other, 'multi-head-example')
  expect(await stateOf(other, 'multi-head-example')).toEqual(state)
  expect(await resultOf(other, 'multi-head-example')).toEqual(
    await resultOf(page, 'multi-head-example'),
  )
  await expect(other.locator('multi-head-example')).toBeInViewport()
})

test('The link follows the figure while the menu is open', async ({ page }) => {
  await page.goto(`${embed}#feature-mixing`)
  const menu = await openMenu(page, 'feature-mixing')
  const link = menu.getByRole('textbox', { name: 'Link' })
  await expect(link).toHaveValue(/numHeads=4$/)
  await page.locator('feature-mixing').getByRole('radio', { name: '8' }).check({ force: true })
  await expect(link).toHaveValue(/numHeads=8$/)
})

test('A link followed within its page changes the figure in place', async ({ page }) => {
  await page.goto(cube)
  await isReady(page, 'feature-mixing')
  const figure = page.locator('feature-mixing')
  const before = await figure.evaluateHandle((node) => /** @type {any} */ (node).exhibit)
  await page.evaluate(() => (location.hash = '#feature-mixing?v=1&numHeads=2'))
  await expect.poll(() => stateOf(page, 'feature-mixing')).toEqual({ numHeads: 2 })
  expect(
    await figure.evaluate((node, exhibit) => /** @type {any} */ (node).exhibit === exhibit, before),
  ).toBe(true)
})

for (const [why, fragment, words] of [
  ['a wrong value', '?v=1&numHeads=3', 'numHeads must be one of'],
  ['a newer version', '?v=99&numHeads=2', 'version 99'],
  ['an unknown control', '?v=1&hide=everything', "no control 'everything'"],
]) {
  test(`A link with ${why} is refused in words, and the figure stands below them`, async ({
    page,
  }) => {
    await page.goto(`${embed}#feature-mixing${fragment}`)
    await isReady(page, 'feature-mixing')
    await expect(page.getByRole('alert')).toContainText(words)
    await expect(page.locator('feature-mixing table').first()).toBeVisible()
    expect(await stateOf(page, 'feature-mixing')).toEqual({ numHeads: 4 })
  })
}

test('A second figure of a kind has a link of its own', async ({ page }) => {
  await page.goto('')
  await page.evaluate(() => {
    for (const id of ['', '', 'mine']) {
      const element = document.createElement('feature-mixing')
      if (id) element.id = id
      document.querySelector('main')?.append(element)
    }
    location.hash = '#feature-mixing~2?v=1&numHeads=8'
  })
  const states = () =>
    page
      .locator('feature-mixing')
      .evaluateAll((nodes) => nodes.map((node) => /** @type {any} */ (node).state.numHeads))
  await expect.poll(states).toEqual([4, 8, 4])
  await page.evaluate(() => (location.hash = '#mine?v=1&numHeads=1'))
  await expect.poll(states).toEqual([4, 8, 1])
})

test('A teacher hides and fixes controls, by attribute and by link', async ({ page }) => {
  await page.goto('')
  await page.evaluate(() => {
    for (const figure of document.querySelectorAll('figure')) figure.remove()
    const element = document.createElement('multi-head-example')
    element.setAttribute('num-heads', '2')
    element.setAttribute('fix', 'num-heads')
    element.setAttribute('hide', 'scale reset menu')
    document.querySelector('main')?.append(element)
  })
  const figure = page.locator('multi-head-example')
  await isReady(page, 'multi-head-example')
  await expect(figure.getByRole('radio', { name: '4' })).toBeDisabled()
  await expect(figure.getByRole('group', { name: 'colours reach to' })).toBeHidden()
  await expect(figure.getByRole('button', { name: 'Reset' })).toBeHidden()
  await expect(figure.getByRole('button', { name: 'Share or save' })).toBeHidden()

  await figure.evaluate((node) => node.removeAttribute('fix'))
  await expect(figure.getByRole('radio', { name: '4' })).toBeEnabled()
  await figure.evaluate((node) => node.setAttribute('hide', 'controls'))
  await expect(figure.getByRole('radio', { name: '4' })).toBeHidden()
  await expect(figure.getByRole('button', { name: 'Share or save' })).toBeVisible()

  await page.goto(`${embed}#attention-row?v=1&query=2&key=3&fix=query key`)
  await isReady(page, 'attention-row')
  await expect(page.locator('attention-row select')).toBeDisabled()
  // What is fixed changes by no other way either.
  await page
    .locator('attention-row canvas')
    .first()
    .click({ position: { x: 150, y: 60 } })
  expect(await stateOf(page, 'attention-row')).toEqual({ query: 2, key: 3 })
})

test('What a teacher takes away in the menu is in the link and in the code', async ({ page }) => {
  await page.goto(`${embed}#multi-head-example?v=1&numHeads=2`)
  await isReady(page, 'multi-head-example')
  const menu = await openMenu(page, 'multi-head-example')
  await menu.getByText('What readers may change').click()
  await menu.getByRole('combobox', { name: 'number of heads' }).selectOption('fixed')
  await menu.getByRole('combobox', { name: 'reset' }).selectOption('hidden')
  await expect(menu.getByRole('textbox', { name: 'Link' })).toHaveValue(/&hide=reset&fix=numHeads$/)
  const code = menu.getByRole('textbox', { name: 'Code' })
  await expect(code).toHaveValue(
    /<multi-head-example num-heads="2" hide="reset" fix="num-heads"><\/multi-head-example>$/,
  )
  await menu.getByRole('combobox', { name: 'as', exact: true }).selectOption('frame')
  await menu.getByRole('combobox', { name: 'colours', exact: true }).selectOption('dark')
  await expect(code).toHaveValue(
    /^<iframe src=".*embed\.html#multi-head-example\?v=1&amp;.*theme=dark"/,
  )
})

for (const kind of /** @type {const} */ (['element', 'frame'])) {
  test(`The code for a page, as ${kind}, works as it is pasted`, async ({ page, baseURL }) => {
    await page.goto(`${embed}#feature-mixing?v=1&numHeads=2`)
    await isReady(page, 'feature-mixing')
    const menu = await openMenu(page, 'feature-mixing')
    await menu.getByRole('combobox', { name: 'as', exact: true }).selectOption(kind)
    const code = await menu.getByRole('textbox', { name: 'Code' }).inputValue()
    await page.route('**/course.html', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><title>A course</title>${code}`,
      }),
    )
    await page.goto(`${baseURL}course.html`)
    const place = kind === 'frame' ? page.frameLocator('iframe') : page
    await expect(place.locator('feature-mixing tfoot td')).toHaveCount(2)
  })
}

test('Copied is what is shown', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${embed}#feature-mixing`)
  const menu = await openMenu(page, 'feature-mixing')
  await menu.getByRole('button', { name: 'Copy the link' }).click()
  await expect(menu.getByRole('status')).toHaveText('Copied.')
  const link = await menu.getByRole('textbox', { name: 'Link' }).inputValue()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
})

test('Where nothing can be copied the text is selected, and the reader told', async ({ page }) => {
  await page.goto(`${embed}#feature-mixing`)
  const menu = await openMenu(page, 'feature-mixing')
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
  })
  await menu.getByRole('button', { name: 'Copy the link' }).click()
  await expect(menu.getByRole('status')).toContainText('Ctrl+C')
  const field = menu.getByRole('textbox', { name: 'Link' })
  await expect(field).toBeFocused()
  expect(
    await field.evaluate((node) => {
      const { selectionStart, selectionEnd, value } = /** @type {HTMLInputElement} */ (node)
      return [selectionStart, selectionEnd, value.length]
    }),
  ).toEqual([0, (await field.inputValue()).length, (await field.inputValue()).length])
})

test('Escape closes the menu and gives back the focus', async ({ page }) => {
  await page.goto(`${embed}#feature-mixing`)
  const menu = await openMenu(page, 'feature-mixing')
  await menu.getByRole('textbox', { name: 'Link' }).focus()
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(page.getByRole('button', { name: 'Share or save' })).toBeFocused()
})

test('The numbers come as CSV and as .npy, and equal those that were computed', async ({
  page,
}) => {
  await page.goto(`${embed}#multi-head-example?v=1&numHeads=2`)
  await isReady(page, 'multi-head-example')
  const { weights } = await resultOf(page, 'multi-head-example')
  const menu = await openMenu(page, 'multi-head-example')
  /** @param {string} kind */
  const save = async (kind) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      menu.getByRole('button', { name: kind, exact: true }).click(),
    ])
    return { name: download.suggestedFilename(), content: readFileSync(await download.path()) }
  }
  const npy = await save('.npy')
  expect(npy.name).toMatch(/^multi-head-example-.*\.npy$/)
  const headerEnd = 10 + npy.content.readUInt16LE(8)
  expect(npy.content.subarray(10, headerEnd).toString()).toContain("'shape': (2, 12, 12)")
  const values = new Float32Array(Uint8Array.from(npy.content.subarray(headerEnd)).buffer)
  expect(Array.from(values)).toEqual(weights.data)

  const csv = (await save('CSV')).content.toString('utf8').trim().split(/\r?\n/)
  expect(csv[0].split(',').slice(0, 4)).toEqual(['head', 'query', 'a1', 'a2'])
  expect(csv.length).toBe(1 + 2 * 12)
  const cells = csv.slice(1).flatMap((line) => line.split(',').slice(2).map(Number))
  expect(cells.map(Math.fround)).toEqual(weights.data)
})

test('Copied as a table, the numbers are there as cells and as columns', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${embed}#feature-mixing`)
  const menu = await openMenu(page, 'feature-mixing')
  await menu.getByRole('button', { name: 'Copy as table' }).click()
  await expect(menu.getByRole('status')).toHaveText('Copied as a table.')
  const kinds = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const text = async (/** @type {string} */ type) => (await item.getType(type)).text()
    return { plain: await text('text/plain'), html: await text('text/html') }
  })
  expect(kinds.plain.split('\n')[0]).toContain('\t')
  expect(kinds.html).toContain('<table')
})

test('A picture is saved as PNG and as SVG', async ({ page }) => {
  await page.goto(`${embed}#feature-mixing`)
  const menu = await openMenu(page, 'feature-mixing')
  for (const [kind, start] of [
    ['PNG', '\x89PNG'],
    ['SVG', '<'],
  ]) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      menu.getByRole('button', { name: kind, exact: true }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`feature-mixing.${kind.toLowerCase()}`)
    const content = readFileSync(await download.path())
    expect(content.subarray(0, start.length).toString('latin1')).toBe(start)
    expect(content.length).toBeGreaterThan(2000)
  }
})

test('A view of a page’s own numbers has a menu where the page wants one', async ({ page }) => {
  await page.goto('')
  await page.evaluate(() => {
    for (const figure of document.querySelectorAll('figure')) figure.remove()
    const cube = document.createElement('attention-cube')
    cube.setAttribute('attention', '[[[0.75, 0.25], [0.5, 0.5]], [[1, 0], [0, 1]]]')
    document.querySelector('main')?.append(cube)
  })
  const cube = page.locator('attention-cube')
  const button = cube.getByRole('button', { name: 'Share or save' })
  await expect(cube.getByRole('button', { name: 'head 2' })).toBeVisible()
  await expect(button).toHaveCount(0)
  await cube.evaluate((node) => node.setAttribute('menu', ''))
  await button.click()
  await expect(cube.getByRole('textbox')).toHaveCount(0)
  for (const [kind, start] of [
    ['PNG', '\x89PNG'],
    ['CSV', 'head,query,1,2\r\n1,1,0.75,0.25\r\n'],
  ]) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      cube.getByRole('button', { name: kind, exact: true }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^attention-cube.*\.(png|csv)$/)
    const content = readFileSync(await download.path()).toString('latin1')
    expect(content.slice(0, start.length)).toBe(start)
  }
  expect(await accessibilityFaults(page)).toEqual([])
})

test('A reset leaves alone what the page has fixed or hidden', async ({ page }) => {
  await page.goto(
    `${embed}#mask-editor?v=1&preset=prefix&length=4&fill=billion&hide=preset&fix=length`,
  )
  await isReady(page, 'mask-editor')
  const before = await stateOf(page, 'mask-editor')
  expect(before).toMatchObject({ preset: 'prefix', length: 4, fill: 'billion' })
  const reset = page.locator('mask-editor').getByRole('button', { name: 'Reset' })
  await reset.click()
  expect(await stateOf(page, 'mask-editor')).toEqual({ ...before, fill: 'infinity' })
  await expect(reset).toBeDisabled()
})

test('A choice that is fixed looks like one, without the browser’s own buttons', async ({
  page,
}) => {
  await page.goto(`${embed}#feature-mixing?v=1&numHeads=2&fix=numHeads`)
  const choice = page.locator('feature-mixing').getByRole('radio', { name: '4' })
  await expect(choice).toBeDisabled()
  await expect(choice).toHaveCSS('opacity', '0')
})

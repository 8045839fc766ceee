/**
 * Every exhibit by keyboard alone: Tab goes through its controls, keys change each setting that it has, and the
 * focus is never lost on the way.
 */
import { lessons } from './lesson-list.js'
import { exhibitsOf, expect, figuresReady, stateOf, test } from './site-page.js'

/**
 * @import { Page } from '@playwright/test'
 * @typedef {object} Stop  what has the focus
 * @property {string} kind type of an input, role or name of another element
 * @property {string} name to call it by where it fails
 * @property {string[]} settings those that it says it changes
 */

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** States with controls that the first one does not have. @type {Record<string, object[]>} */
const otherStates = {
  'mask-editor': ['window', 'prefix', 'padding', 'alibi'].map((preset) => ({ preset })),
  'teacher-forcing': [{ mode: 'writing' }],
}

/**
 * What to press on each kind to change something; the second where the first finds an end.
 * @type {Record<string, string[]>}
 */
const keysOf = {
  radio: ['ArrowRight', 'ArrowLeft'],
  range: ['ArrowRight', 'ArrowLeft'],
  'select-one': ['ArrowDown', 'ArrowUp'],
  checkbox: ['Space'],
  number: ['ArrowUp'],
  button: ['Enter'],
  toolbar: ['Enter', 'End Enter'],
  gridcell: ['Enter'],
}

/** @param {Page} page @param {string} name @returns {Promise<Stop | null>} what has the focus, if it is the exhibit's */
function focusIn(page, name) {
  return page.evaluate((name) => {
    let node = document.activeElement
    if (node?.localName !== name) return null
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement
    const type = 'type' in node ? String(node.type) : ''
    const owner = /** @type {HTMLElement | null} */ (node.closest('[data-setting]'))
    const kind = node.closest('[role=toolbar]') ? 'toolbar' : node.getAttribute('role')
    return {
      kind: kind ?? (type || node.localName),
      name:
        node.getAttribute('aria-label') ??
        String((node.closest('label') ?? node).textContent)
          .replace(/\s+/g, ' ')
          .trim(),
      settings:
        node.getAttribute('aria-disabled') === 'true'
          ? []
          : (owner?.dataset.setting?.split(' ') ?? []),
    }
  }, name)
}

/** @param {Page} page @param {string} keys one after the other */
async function press(page, keys) {
  for (const key of keys.split(' ')) await page.keyboard.press(key)
}

/**
 * Goes through an exhibit in one state, changes what can be changed, and puts it back each time.
 * @param {Page} page
 * @param {string} name
 * @param {object} state
 * @returns {Promise<Record<string, object>>} for each setting that changed, a state in which it had
 */
async function walk(page, name, state) {
  const exhibit = page.locator(name)
  const put = () => exhibit.evaluate((node, state) => Object.assign(node, { state }), state)
  await put()
  await exhibit.evaluate((node) => {
    const plate = /** @type {HTMLElement} */ (node.parentElement)
    plate.tabIndex = -1
    plate.focus()
  })
  const before = await stateOf(page, name)
  /** @type {Record<string, object>} */
  const all = {}
  const changed = async () => {
    const now = await stateOf(page, name)
    const settings = Object.keys(before).filter(
      (setting) => JSON.stringify(now[setting]) !== JSON.stringify(before[setting]),
    )
    for (const setting of settings) all[setting] = now
    return settings
  }
  for (let stops = 0; ; stops++) {
    expect(stops, `${name} lets the focus go again`).toBeLessThan(100)
    await page.keyboard.press('Tab')
    const stop = await focusIn(page, name)
    if (!stop) return all
    const keys = keysOf[stop.kind] ?? []
    let back = ''
    for (const [place, key] of keys.entries()) {
      await press(page, key)
      if ((await changed()).length === 0) continue
      // Of radio buttons the one that was chosen has to have the focus when Tab goes on.
      if (stop.kind === 'radio') back = keys[1 - place]
      break
    }
    const its = stop.settings.filter((setting) => setting in before)
    if (its.length > 0) {
      const wanted = `${name}: ${stop.kind} “${stop.name}” changes what it says it does`
      // What plays takes its time.
      await expect
        .poll(async () => (await changed()).some((one) => its.includes(one)), wanted)
        .toBe(true)
    }
    if (!stop.settings.includes('reset')) {
      expect(await focusIn(page, name), `${name}: “${stop.name}” keeps the focus`).not.toBeNull()
    }
    // What plays is paused, and what was opened, such as an inspector, closed.
    if (/^Play /.test(stop.name)) await page.keyboard.press('Enter')
    if (stop.kind === 'gridcell' || stop.kind === 'button') await page.keyboard.press('Escape')
    if (back !== '') await page.keyboard.press(back)
    await put()
  }
}

for (const { title, path } of lessons) {
  test(`By keyboard: ${title}`, async ({ page }) => {
    test.setTimeout(180_000)
    await page.goto(path)
    await figuresReady(page)
    const names = await exhibitsOf(page)
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) {
      await test.step(name, async () => {
        const initial = await stateOf(page, name)
        const changed = await walk(page, name, initial)
        for (const part of otherStates[name] ?? []) {
          Object.assign(changed, await walk(page, name, { ...initial, ...part }))
        }
        expect(Object.keys(changed).sort(), `settings of ${name}`).toEqual(
          Object.keys(initial).sort(),
        )
        const [other] = Object.values(changed)
        const exhibit = page.locator(name)
        await exhibit.evaluate((node, other) => Object.assign(node, { state: other }), other)
        await exhibit.getByRole('button', { name: 'Reset' }).press('Enter')
        // Whoever goes on by keyboard goes on from here.
        await expect(exhibit.getByRole('button', { name: 'Reset' })).toBeFocused()
        expect(await stateOf(page, name)).toEqual(initial)
      })
    }
  })
}

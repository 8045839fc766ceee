/**
 * What the tests of the built site share: a page that must stay without errors, without refusals of its content
 * security policy and without requests to elsewhere; the golden figures; and an accessibility check.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test as base } from '@playwright/test'

/** @import { Page } from '@playwright/test' */

export const lesson = 'lessons/multi-head-attention/'

/** @param {string} name a file of golden figures */
export function golden(name) {
  return JSON.parse(readFileSync(new URL(`../golden/${name}.json`, import.meta.url), 'utf8'))
}

/** The notebook's output, and what was computed beyond it. */
export const attentionCube = golden('attention_cube')
export const extra = golden('extra').attention_cube

/**
 * @typedef {{ faults: string[] }} Watched  a test that provokes a fault empties the list
 * @type {import('@playwright/test').TestType<
 *   import('@playwright/test').PlaywrightTestArgs & import('@playwright/test').PlaywrightTestOptions & Watched,
 *   import('@playwright/test').PlaywrightWorkerArgs & import('@playwright/test').PlaywrightWorkerOptions>}
 */
export const test = base.extend(
  /** @type {any} */ ({
    faults: async (
      /** @type {{ context: import('@playwright/test').BrowserContext, baseURL: string }} */ {
        context,
        baseURL,
      },
      /** @type {(faults: string[]) => Promise<void>} */ use,
    ) => {
      /** @type {string[]} */
      const faults = []
      // Refusals of the policy are console errors too.
      context.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
      })
      context.on('weberror', (error) => faults.push(String(error.error())))
      context.on('request', (request) => {
        if (!request.url().startsWith(baseURL) && !/^(blob|data):/.test(request.url())) {
          faults.push(`a request to ${request.url()}`)
        }
      })
      await use(faults)
      expect(faults).toEqual([])
    },
    page: async (
      /** @type {{ page: Page, faults: string[] }} */ { page, faults: _faults },
      /** @type {(page: Page) => Promise<void>} */ use,
    ) => use(page),
  }),
)

export { expect }

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * @param {Page} page
 * @returns {Promise<string[]>} what axe-core objects to, one line each
 */
export async function accessibilityFaults(page) {
  // Evaluated by the debugger, which the page's policy does not bind.
  await page.evaluate(axeSource)
  return page.evaluate(async () => {
    // @ts-expect-error axe is a global of the script above
    const { violations } = await globalThis.axe.run(document, {
      resultTypes: ['violations'],
    })
    return violations.flatMap((/** @type {any} */ { id, help, nodes }) =>
      nodes.map((/** @type {any} */ node) => `${id}: ${help}: ${node.target.flat().join(' ')}`),
    )
  })
}

/**
 * Waits until all of a page's figures have been computed.
 * @param {Page} page
 */
export async function figuresReady(page) {
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('figure *')]
        .filter(({ localName }) => localName.includes('-'))
        .every(
          (element) =>
            element.matches(':defined') &&
            // A view's element has no exhibit; it draws what it is handed.
            (!('exhibit' in element) || /** @type {any} */ (element).exhibit?.isReady),
        ),
    undefined,
    { timeout: 45_000 },
  )
}

/** @param {Page} page @returns {Promise<string[]>} the names of a lesson's exhibits, in order */
export function exhibitsOf(page) {
  return page
    .locator('article figure *')
    .evaluateAll((nodes) =>
      nodes.filter((node) => 'exhibit' in node).map(({ localName }) => localName),
    )
}

/**
 * What an exhibit has computed, as plain arrays.
 * @param {Page} page
 * @param {string} name
 */
export function resultOf(page, name) {
  return page
    .locator(name)
    .evaluate((element) =>
      JSON.parse(
        JSON.stringify(/** @type {any} */ (element).exhibit.result, (_, value) =>
          ArrayBuffer.isView(value) ? Array.from(/** @type {Float32Array} */ (value)) : value,
        ),
      ),
    )
}

/** @param {number[]} actual @param {number[]} wanted @returns {number} ‖a − b‖ / ‖b‖ */
export function relativeError(actual, wanted) {
  expect(actual.length).toBe(wanted.length)
  const norm = (/** @type {number[]} */ values) => Math.hypot(...values)
  return norm(actual.map((value, index) => value - wanted[index])) / norm(wanted)
}

/**
 * Chooses one of an exhibit's radio buttons as a reader does.
 * @param {Page} page
 * @param {string} element the exhibit's name
 * @param {string} group name of the radio buttons
 * @param {string | number} value
 */
export async function choose(page, element, group, value) {
  await page.locator(`${element} input[name="${group}"][value="${value}"]`).check({ force: true })
}

/**
 * @param {Page} page
 * @param {string} name of the exhibit
 * @param {string} legend part of the slider's name
 */
export function slider(page, name, legend) {
  return page.locator(name).locator('label.slider').filter({ hasText: legend }).locator('input')
}

/** @param {Page} page @param {string} name @returns {Promise<any>} an exhibit's settings */
export function stateOf(page, name) {
  return page.locator(name).evaluate((element) => /** @type {any} */ (element).state)
}

/** Back to the notebook's values, by the button. @param {Page} page @param {string} name @param {object} initial */
export async function reset(page, name, initial) {
  const button = page.locator(name).getByRole('button', { name: 'Reset' })
  await button.click()
  expect(await stateOf(page, name)).toEqual(initial)
  await expect(button).toBeDisabled()
}

/** As exhibits write numbers. @param {number} value @param {number} decimals */
export function written(value, decimals) {
  const text = value.toFixed(decimals)
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−')
}

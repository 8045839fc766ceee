/**
 * What the specs of the inspector share.
 */
import { expect } from '@playwright/test'
import { focusCells, settle } from './support.js'

/** @import { Page } from '@playwright/test' */

export const kinds = /** @type {const} */ (['Heatmap', 'HeadGrid', 'AttentionCube'])

/** @param {Page} page */
export const inspector = (page) => page.locator('.inspector')

/** What has focus, through all shadow roots. @param {Page} page */
export function focused(page) {
  return page.evaluate(() => {
    let node = document.activeElement
    while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement
    return node?.getAttribute('role') ?? node?.className
  })
}

/** Opens the cell under the keyboard's cursor, after some keys. @param {Page} page @param {string[]} keys */
export async function openCell(page, ...keys) {
  await focusCells(page)
  for (const key of [...keys, 'Enter']) await page.keyboard.press(key)
  await expect(inspector(page)).toBeVisible()
}

/**
 * A view of weights that the engine has computed, with all that stands behind them: d_k = `d`, and a fault
 * planted in one of the stages.
 *
 * @param {Page} page
 * @param {(typeof kinds)[number]} kind
 * @param {{ n?: number, d?: number, isCausal?: boolean, plant?: [stage: string, index: number, value: number] }} [made]
 */
export async function mountExplained(page, kind, made = {}) {
  await page.evaluate(async ([kind, { n = 5, d = 4, isCausal = false, plant }]) => {
    const load = (/** @type {string} */ path) => import(path)
    const [{ loadEngine }, { explainCells }, views] = await Promise.all([
      load('/web/index.js'),
      load('/web/exhibits/inspection.js'),
      load('/web/views/index.js'),
    ])
    const engine = await loadEngine()
    const random = engine.random.numpyGenerator(3)
    const [query, key, value] = [0, 1, 2].map(() => random.normal(0, 1, [2, n, d]))
    const stages = {
      ...{ query, key, value },
      ...engine.scaledDotProductAttention(query, key, value, { isCausal, needStages: true }),
    }
    const optionsFor = (/** @type {typeof plant} */ fault) => {
      const own = structuredClone(stages)
      if (fault) own[fault[0]].data[fault[1]] = fault[2]
      const explain = explainCells(engine, own, { isCausal })
      return { attention: own.weights, causal: isCausal, explain }
    }
    const container = document.getElementById('figure')
    Object.assign(window, {
      view: new views[kind](container, optionsFor(plant)),
      show: (/** @type {typeof plant} */ fault) =>
        /** @type {any} */ (window).view.update(optionsFor(fault)),
    })
  }, /** @type {const} */ ([kind, made]))
  await settle(page)
}

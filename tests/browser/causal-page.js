/**
 * What the tests of 'Causal attention' share.
 */
import { figuresReady, golden } from './site-page.js'

/** @import { Locator, Page } from '@playwright/test' */

/** The notebook's output, and what was computed beyond it. */
export const causal = golden('causal')
export const extra = golden('extra').causal

export const lesson = 'lessons/causal-attention/'

/** @param {{ page: Page }} fixtures opens the lesson, with all of its figures computed */
export async function open({ page }) {
  await page.goto(lesson)
  await figuresReady(page)
}

/**
 * Puts the pointer on a cell.
 * @param {Page} page
 * @param {Locator} heatmap
 * @param {number} query
 * @param {number} key
 * @param {number} size of the square matrix
 */
export async function pointAt(page, heatmap, query, key, size) {
  await heatmap.scrollIntoViewIfNeeded()
  const frame = await heatmap.locator('.frame').boundingBox()
  if (!frame) throw new Error('nothing is drawn')
  const at = (/** @type {number} */ place) => (place + 0.5) / size
  await page.mouse.move(frame.x + frame.width * at(key), frame.y + frame.height * at(query))
}

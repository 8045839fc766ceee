/**
 * Pages of one file, opened from a disk: nothing but the file is read.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from '@playwright/test'
import { npzFile, open, shown, tensor, words } from './open-files.js'
import { figuresReady, stateOf } from './site-page.js'

/** @import { Page } from '@playwright/test' */

const site = fileURLToPath(new URL('../../build/site/', import.meta.url))

/** @param {Page} page @returns {string[]} what goes wrong, or to a network, from now on */
function watch(page) {
  /** @type {string[]} */
  const faults = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => {
    if (/^(https?|wss?):/.test(request.url())) faults.push(`a request to ${request.url()}`)
  })
  return faults
}

for (const lesson of [
  'scaled-dot-product-attention',
  'causal-attention',
  'subspaces-and-cost',
  'multi-head-attention',
]) {
  test(`The lesson ${lesson} is one file that opens from a disk, without a network`, async ({
    page,
    context,
  }, testInfo) => {
    await context.setOffline(true)
    const faults = watch(page)
    // Away from the site, so that no file beside it can be found.
    const copy = testInfo.outputPath(`${lesson}.html`)
    writeFileSync(copy, readFileSync(`${site}lessons/${lesson}/${lesson}.html`))
    await page.goto(pathToFileURL(copy).href)
    await figuresReady(page)
    expect(await page.locator('article > figure').count()).toBeGreaterThan(3)
    await expect(page.getByRole('alert')).toHaveCount(0)
    // Set in the page's own fonts, which are in the file.
    await page.evaluate(() => document.fonts.ready)
    expect(
      await page.evaluate(() =>
        [...document.fonts].filter((font) => font.status === 'loaded').map((font) => font.family),
      ),
    ).toContain('STIX Two Text')
    expect(faults).toEqual([])
  })
}

test('What is measured in a worker is measured in a lesson of one file too', async ({ page }) => {
  await page.goto(
    pathToFileURL(`${site}lessons/scaled-dot-product-attention/scaled-dot-product-attention.html`)
      .href,
  )
  await expect
    .poll(
      () =>
        page
          .locator('dot-product-variance')
          .evaluate((node) => /** @type {any} */ (node).exhibit?.result?.isRunning),
      { timeout: 40_000 },
    )
    .toBe(false)
})

/**
 * Saves a figure by its menu, and opens what was saved without a network.
 * @param {Page} page that shows it
 * @param {string} name
 * @param {string} copy where to
 */
async function openSaved(page, name, copy) {
  const figure = page.locator(name)
  await figure.getByRole('button', { name: 'Share or save' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    figure.getByRole('button', { name: 'HTML', exact: true }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`${name}.html`)
  await download.saveAs(copy)
  await page.context().setOffline(true)
  const saved = await page.context().newPage()
  const faults = watch(saved)
  await saved.goto(pathToFileURL(copy).href)
  return { saved, faults }
}

test('A figure is saved as a page of one file, as it is set', async ({ page }, testInfo) => {
  await page.goto('attention-lab/embed.html#multi-head-example?v=1&numHeads=2&hide=reset')
  const copy = testInfo.outputPath('figure.html')
  const { saved, faults } = await openSaved(page, 'multi-head-example', copy)
  await expect(saved.locator('multi-head-example .measures tbody tr')).toHaveCount(2)
  expect((await stateOf(saved, 'multi-head-example')).numHeads).toBe(2)
  await expect(saved.getByRole('button', { name: 'Reset' })).toBeHidden()
  await saved.getByRole('radio', { name: '8' }).check({ force: true })
  await expect(saved.locator('multi-head-example .measures tbody tr')).toHaveCount(8)
  expect(faults).toEqual([])
})

test('A saved page opens files of attention, with all code that reads them in it', async ({
  page,
}, testInfo) => {
  await page.goto('attention-lab/embed.html#open-attention')
  const copy = testInfo.outputPath('open.html')
  const { saved, faults } = await openSaved(page, 'open-attention', copy)
  await open(saved, await npzFile({ attention: tensor, tokens: words }))
  expect((await shown(saved)).chosen.keyTokens).toEqual(words)
  expect(faults).toEqual([])
})

/**
 * The site under the strict policy of a course platform, sent by the server: nothing is refused and nothing is asked
 * of another origin (the page's own `faults` see to both), whatever a reader does.
 */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { elementNames } from '../../web/elements/define.js'
import { expect, figuresReady, test } from './site-page.js'

const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"

test.beforeEach(async ({ page }) => {
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    await route.fulfill({
      response,
      headers: { ...response.headers(), 'content-security-policy': POLICY },
    })
  })
})

test('The policy is in force', async ({ page, faults }) => {
  await page.goto('attention-lab/embed.html#feature-mixing')
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'window.ran = true'
    document.body.append(script)
  })
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  expect(faults.join()).toContain('Content Security Policy')
  faults.length = 0
})

const site = fileURLToPath(new URL('../../build/site/', import.meta.url))
const pages = readdirSync(site, { recursive: true })
  .map(String)
  .filter((path) => path.endsWith('index.html'))

test('There are pages to look at', () => {
  expect(pages.length).toBeGreaterThan(5)
})

for (const path of pages) {
  test(`Nothing is refused on ${path}`, async ({ page }) => {
    await page.goto(path)
    await figuresReady(page)
  })
}

const exhibits = elementNames.filter(
  (name) => !/^(attention-(cube|heatmap|heads|lines)|open-attention)$/.test(name),
)

for (const name of exhibits) {
  test(`Nothing of <${name}> and of its menu is refused`, async ({ page }) => {
    await page.goto(`attention-lab/embed.html#${name}`)
    const figure = page.locator(name)
    await figure.getByRole('button', { name: 'Share or save' }).click()
    for (const kind of ['PNG', 'SVG', 'CSV', 'HTML']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        figure.getByRole('button', { name: kind, exact: true }).click(),
      ])
      expect(download.suggestedFilename()).toContain(name)
    }
  })
}

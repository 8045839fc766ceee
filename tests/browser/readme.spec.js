import { readFileSync } from 'node:fs'
import { expect, test } from './site-page.js'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const section = /^## Elements\n([\s\S]*?)(?=^## )/m.exec(readme)?.[1] ?? ''
const examples = [...section.matchAll(/```html\n([\s\S]*?)```/g)].map(([, code]) => code)

test('The README’s elements work on a page beside the package’s files, and nothing else', async ({
  page,
}) => {
  expect(examples).toHaveLength(2)
  await page.route('**/course.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,">${examples.join('')}</html>`,
    }),
  )
  await page.goto('course.html')
  const cube = page.locator('attention-cube')
  await expect(cube.locator('canvas.scene')).toBeVisible()
  await cube.getByRole('gridcell').focus()
  await expect(cube.getByRole('gridcell')).toHaveText('head 1, query 1 “left”, key 1 “left”: 0.7')
  await expect(page.locator('multi-head-example tbody tr')).toHaveCount(8)
})

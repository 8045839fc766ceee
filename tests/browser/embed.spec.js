import { accessibilityFaults, expect, stateOf, test } from './site-page.js'

const embed = 'attention-lab/embed.html'

test('The page shows one figure and nothing else', async ({ page }) => {
  await page.goto(`${embed}#feature-mixing?v=1&numHeads=8`)
  await expect(page.locator('feature-mixing tfoot td')).toHaveCount(8)
  expect(await page.evaluate(() => document.querySelectorAll('main > :not(h1)').length)).toBe(1)
  await expect(page).toHaveTitle('feature mixing')
  expect(await accessibilityFaults(page)).toEqual([])
})

test('What an exhibit leaves away is in the address', async ({ page }) => {
  await page.goto(`${embed}#multi-head-example?v=1&show=heads`)
  await expect(page.locator('multi-head-example .grid')).toBeVisible()
  await expect(page.locator('multi-head-example .cube')).toHaveCount(0)
})

test('A view draws data from the address', async ({ page }) => {
  const attention = encodeURIComponent('[[[0.75,0.25],[0.5,0.5]]]')
  await page.goto(`${embed}#attention-heads?attention=${attention}&tokens=left%20right`)
  await expect(page.getByRole('gridcell').first()).toContainText('0.75')
})

for (const [fragment, words] of [
  ['', 'names no figure'],
  ['#no-such-figure?v=1', "There is no figure 'no-such-figure'"],
  ['#img', "There is no figure 'img'"],
  ['#multi-head-example?v=1&show=all', 'show must be one of'],
]) {
  test(`What cannot be shown is said in words: ${fragment || 'no name'}`, async ({ page }) => {
    await page.goto(`${embed}${fragment}`)
    await expect(page.getByRole('alert')).toContainText(words)
  })
}

test('An address sets settings and data, and nothing else of an element', async ({ page }) => {
  await page.goto(
    `${embed}#attention-heatmap?onclick=alert(1)&style=color:red&id=x&attention=[[1]]`,
  )
  const heatmap = page.locator('attention-heatmap')
  await expect(heatmap).toHaveAttribute('attention', '[[1]]')
  expect(await heatmap.evaluate((node) => node.getAttributeNames())).toEqual(['attention'])
})

test('Another address shows another figure, or the same one changed', async ({ page }) => {
  await page.goto(`${embed}#feature-mixing?v=1&numHeads=8`)
  await expect(page.locator('feature-mixing tfoot td')).toHaveCount(8)
  await page.evaluate(() => (location.hash = '#feature-mixing?v=1&numHeads=2'))
  await expect(page.locator('feature-mixing tfoot td')).toHaveCount(2)
  await page.evaluate(() => (location.hash = '#column-blocks?v=1&projection=key&numHeads=2&head=0'))
  await expect(page.locator('feature-mixing')).toHaveCount(0)
  await expect
    .poll(() => stateOf(page, 'column-blocks'))
    .toEqual({ projection: 'key', numHeads: 2, head: 0 })
})

/** A page of another's with frames, which follow the heights that they report. */
const course = (/** @type {string[]} */ addresses) => `<!doctype html><title>A course</title>
${addresses.map((address) => `<iframe title="A figure" width="600" src="${address}"></iframe>`).join('\n')}
<script>
addEventListener('message', ({ data, source }) => {
  if (data?.type !== 'attention-lab:height') return
  for (const frame of document.querySelectorAll('iframe'))
    if (frame.contentWindow === source) frame.height = data.height
})
</script>`

test('A frame tells its page how high the figure is, whenever that changes', async ({
  page,
  baseURL,
}) => {
  const address = `${baseURL}${embed}#feature-mixing?v=1&numHeads=2`
  await page.route('**/course.html', (route) =>
    route.fulfill({ contentType: 'text/html', body: course([address, `${address}&theme=dark`]) }),
  )
  await page.goto(`${baseURL}course.html`)
  const frame = page.frameLocator('iframe').first()
  await expect(frame.locator('feature-mixing tfoot td')).toHaveCount(2)
  const cut = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('iframe')].map((frame) => {
        const root = frame.contentDocument?.documentElement
        return root && root.scrollHeight <= frame.clientHeight && root.scrollHeight > 200
      }),
    )
  await expect.poll(cut).toEqual([true, true])
  const before = await page.locator('iframe').first().getAttribute('height')
  await frame.getByRole('button', { name: 'Share or save' }).click()
  await expect(frame.getByRole('textbox', { name: 'Link' })).toBeVisible()
  await expect.poll(cut).toEqual([true, true])
  expect(await page.locator('iframe').first().getAttribute('height')).not.toBe(before)
  // And the theme that was asked for, whatever the page's is.
  const schemes = await page.evaluate(() =>
    [...document.querySelectorAll('iframe')].map((frame) => {
      const figure = frame.contentDocument?.querySelector('feature-mixing .attention-exhibit, main')
      return figure && getComputedStyle(figure).colorScheme
    }),
  )
  expect(schemes).toEqual(['light dark', 'dark'])
})

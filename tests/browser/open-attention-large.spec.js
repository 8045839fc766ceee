/**
 * The page 'Open your attention' with a file that no page could hold at once.
 */
import { address, figure } from './open-files.js'
import { expect, resultOf, slider, test } from './site-page.js'

test('A file of 604 MB opens at once, is read in parts, and the page goes on', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000)
  await page.goto(address)
  await expect(figure(page).locator('input[type=file]')).toBeVisible()
  // One buffer stands for all heads: each is uniform over the keys up to the query.
  await page.evaluate(() => {
    const n = 1024
    const plane = new Float32Array(n * n)
    for (let row = 0; row < n; row++) plane.fill(1 / (row + 1), row * n, row * n + row + 1)
    const heads = new Blob(Array.from({ length: 12 }, () => plane))
    const shape = [12, 12, n, n]
    const header = JSON.stringify({
      attention: { dtype: 'F32', shape, data_offsets: [0, 144 * plane.byteLength] },
    })
    const text = new TextEncoder().encode(header.padEnd(Math.ceil(header.length / 8) * 8))
    const length = new BigUint64Array([BigInt(text.length)])
    const file = new File(
      [length, text, ...Array.from({ length: 12 }, () => heads)],
      'large.safetensors',
    )
    Object.assign(globalThis, { file })
  })
  await browser.startTracing(page, {
    categories: ['toplevel', 'disabled-by-default-devtools.timeline'],
  })
  await figure(page).evaluate((element) => {
    ;/** @type {any} */ (element).exhibit.open([/** @type {any} */ (globalThis).file])
  })
  await expect(figure(page).locator('.facts')).toContainText('604 MB, 12 layers × 12 heads')
  await expect(figure(page).locator('.map canvas').first()).toBeVisible()
  await expect(figure(page).locator('progress')).toBeVisible()
  // In the page, since a fast machine has read all before the next look at it.
  const done = await figure(page).evaluate(async (element) => {
    const { exhibit, shadowRoot } = /** @type {any} */ (element)
    while (!(exhibit.result.survey?.done > 11)) await new Promise(requestAnimationFrame)
    const { shadowRoot: root } = shadowRoot.querySelector('.attention-exhibit')
    root.querySelector('.progress button').click()
    return exhibit.result.survey.done
  })
  await expect(figure(page).locator('.progress')).toContainText('Stopped:')
  expect(longestTask(await browser.stopTracing())).toBeLessThan(50)
  await figure(page).locator('[data-setting=layer] select').selectOption('12')
  await expect(
    figure(page).getByRole('figure', { name: 'Attention of layer 12, head 1' }),
  ).toBeVisible()
  const { chosen, survey: stopped } = await resultOf(page, 'open-attention')
  expect(stopped.done).toBe(done)
  expect(chosen.shape).toEqual([512, 512])
  expect(chosen.data.slice(512, 515)).toEqual([0.5, 0.5, 0])
  // The rest of the tokens, and of the heads.
  await expect(figure(page).locator('.done')).toContainText('Of 1,024 tokens 1 to 512 are shown.')
  await slider(page, 'open-attention', 'tokens shown from').fill('512')
  await expect(figure(page).locator('.done')).toContainText(
    'Of 1,024 tokens 513 to 1024 are shown.',
  )
  await expect
    .poll(async () => (await resultOf(page, 'open-attention')).chosen.keyTokens[0])
    .toBe('513')
  await figure(page).getByRole('button', { name: 'Read all' }).click()
  await expect(figure(page).locator('progress')).toHaveCount(0, { timeout: 120_000 })
  const { survey, rollout } = await resultOf(page, 'open-attention')
  expect(survey.done).toBe(144)
  expect(survey.sums).toMatchObject({ empty: 0, odd: 0, least: 0 })
  expect(rollout).toBe(null)
})

/**
 * The longest task of the page's main thread, by its processor's time: how busy the machine is does not count.
 * @param {Buffer} trace
 * @returns {number} ms
 */
function longestTask(trace) {
  /** @type {any[]} */
  const events = JSON.parse(trace.toString()).traceEvents
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = events.filter(
    ({ name, pid, tid, tdur }) => /RunTask$/.test(name) && tdur && threads.has(`${pid} ${tid}`),
  )
  expect(tasks.length).toBeGreaterThan(100)
  return Math.max(...tasks.map(({ tdur }) => tdur)) / 1000
}

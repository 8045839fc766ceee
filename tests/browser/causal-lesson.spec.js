import { causal, extra, lesson, open } from './causal-page.js'
import { testLessonPage } from './lesson-page.js'
import { choose, expect, resultOf, test, written } from './site-page.js'

testLessonPage({
  path: lesson,
  figures: {
    'teacher-forcing': 'Here the page predicts all tokens of a sentence',
    'two-masks': 'Here the page shows the attention weights of one sentence',
    'future-leakage': 'Here you disturb one token',
    'mask-editor': 'Here you paint a mask',
    'causal-axioms': 'Here the page measures what holds',
    'kv-cache': 'Here the page decodes five tokens',
  },
  counts: { headings: 8, claims: 6, tries: 6, figures: 6 },
})

test("What the text says of its figures is what they say, and what the notebook's numbers are", async ({
  page,
}) => {
  await open({ page })
  const text = await page.locator('article').evaluate((article) => {
    const prose = /** @type {Element} */ (article.cloneNode(true))
    prose.querySelectorAll('figure').forEach((figure) => figure.remove())
    return String(prose.textContent)
  })
  const said = (/** @type {number} */ value, /** @type {number} */ decimals) =>
    expect(text).toContain(written(value, decimals))

  const { bidirectional } = causal.demo
  said(1 - bidirectional.data[0], 3)
  const [, later] = Object.keys(extra.leakage_axioms_case)
  said(extra.leakage_axioms_case[later].unmasked.data[2], 2)
  const { module } = await resultOf(page, 'causal-axioms')
  said(module.projectedDifference, 2)

  await choose(page, 'teacher-forcing', 'model', 'peeks')
  await page.locator('teacher-forcing').getByLabel('causal mask').uncheck()
  const { training, writing } = await resultOf(page, 'teacher-forcing')
  said(training.loss, 2)
  said(training.lossAlone, 1)
  said(writing[0].probability, 3)
  // A cache of d = 4096 after as many tokens: keys and values of 4 bytes a number.
  expect(text).toContain(`${Math.floor((2 * 4 * 4096 ** 2) / 1e6)} MB`)
})

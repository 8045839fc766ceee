/**
 * The page 'Open your attention': what is done to rows, and what is said of those that are no attention.
 */
import { address, figure, open, rowsFile, shown, torchFile } from './open-files.js'
import { expect, slider, test } from './site-page.js'

test.beforeEach(async ({ page }) => {
  await page.goto(address)
  await expect(figure(page).locator('input[type=file]')).toBeVisible()
})

const counted = [
  [0.5, 0.25, 0.25],
  [0.75, 0.125, 0.125],
  [0.25, 0.5, 0.25],
]

test('Special tokens are left out of rows and columns, with rows divided by what is left or not', async ({
  page,
}) => {
  await open(page, rowsFile(counted, { tokens: ['<s>', 'a', 'b'] }))
  await figure(page).getByLabel('<s>').check()
  const said = figure(page).locator('.done')
  await expect(said).toContainText('Left out of rows and columns: <s>. Each row is divided')
  const first = await shown(page)
  expect(first.chosen.data).toEqual([0.5, 0.5, 2 / 3, 1 / 3])
  expect(first.chosen.keyTokens).toEqual(['a', 'b'])
  expect(first.survey.entropy[0]).toBeCloseTo(
    (Math.log(2) + Math.log(3) - (2 / 3) * Math.log(2)) / 2,
    14,
  )
  await figure(page).getByLabel('divide what is left').uncheck()
  await expect(said).toContainText('Rows are not divided')
  expect((await shown(page)).chosen.data).toEqual([0.125, 0.125, 0.5, 0.25])
  await figure(page).getByRole('button', { name: 'Reset' }).click()
  await expect(said).toHaveCount(0)
  expect((await shown(page)).chosen.data).toEqual(counted.flat())
})

test('Each special token has a switch of its own', async ({ page }) => {
  const names = ['[CLS]', '<|endoftext|>', '[SEP]', '[SEP]', '<pad>', '[not]']
  const row = [0.5, 0.1, 0.1, 0.1, 0.1, 0.1]
  await open(
    page,
    rowsFile(
      names.map(() => row),
      { tokens: names },
    ),
  )
  await expect(figure(page).locator('.special label')).toHaveText([
    /^\s*\[CLS\]\s*$/,
    /^\s*<\|endoftext\|>\s*$/,
    /\[SEP\]\s*× 2/,
    /^\s*<pad>\s*$/,
  ])
  await figure(page).getByLabel('[SEP]').check()
  await expect(figure(page).locator('.done')).toContainText('[SEP] (2 times)')
  expect((await shown(page)).chosen.keyTokens).toEqual(['[CLS]', '<|endoftext|>', '<pad>', '[not]'])
})

test('A threshold keeps the largest weights of each row up to a share of it', async ({ page }) => {
  await open(page, rowsFile(counted))
  await slider(page, 'open-attention', 'share of each row').fill('0.6')
  await expect(figure(page).locator('.done')).toContainText('reach 60 % of its sum')
  // 0.5 is too little, and the next two are equal; 0.75 is enough.
  expect((await shown(page)).chosen.data).toEqual([0.5, 0.25, 0.25, 1, 0, 0, 0.25, 0.5, 0.25])
  await slider(page, 'open-attention', 'share of each row').fill('0.5')
  await figure(page).getByLabel('divide what is left').uncheck()
  expect((await shown(page)).chosen.data).toEqual([0.5, 0, 0, 0.75, 0, 0, 0, 0.5, 0])
})

for (const [what, rows, message] of /** @type {[string, unknown[][], string][]} */ ([
  [
    'dropout',
    [
      [0.4, 0.43],
      [0.8, 0.4],
    ],
    'Rows sum to 0.83 … 1.20 and not to 1',
  ],
  [
    'logits',
    [
      [-3.25, 2],
      [1, 0.5],
    ],
    'The smallest number is −3.25',
  ],
  [
    'a number that is none',
    [
      [null, 1],
      [1, 0],
    ],
    '1 number is infinite or no number',
  ],
])) {
  test(`What is no attention is said loudly: ${what}`, async ({ page }) => {
    await open(page, rowsFile(/** @type {number[][]} */ (rows)))
    await expect(figure(page).locator('.sums')).toContainText(message)
    await expect(figure(page).locator('.sums')).toHaveAttribute('role', 'alert')
    // And goes with the file.
    await open(page, torchFile())
    await expect(figure(page).locator('.sums')).toHaveCount(0)
  })
}

test('Rows of 0, as of padding, and rounded ones are no fault', async ({ page }) => {
  await open(
    page,
    rowsFile([
      [0, 0],
      [0.499, 0.5],
    ]),
  )
  await expect(figure(page).locator('.sums')).toHaveCount(0)
})

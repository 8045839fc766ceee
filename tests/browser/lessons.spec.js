import { lessons } from './lesson-list.js'
import { expect, test } from './site-page.js'

test('The home page lists the lessons in their order, and its button opens the first', async ({
  page,
}) => {
  await page.goto('./')
  const links = page.locator('#lessons a')
  await expect(links).toHaveText(lessons.map(({ title }) => title))
  const numbers = page.locator('#lessons .number')
  await expect(numbers).toHaveText(lessons.map(({ order }) => String(order)))
  for (const [place, { path }] of lessons.entries()) {
    expect(await links.nth(place).getAttribute('href')).toBe(path)
  }
  await page.getByRole('link', { name: 'Read the first lesson' }).click()
  await expect(page).toHaveURL(new RegExp(`/${lessons[0].path}$`))
})

test('From lesson to lesson the links lead on to the last, and back to the first', async ({
  page,
}) => {
  await page.goto(lessons[0].path)
  for (const direction of /** @type {const} */ (['next', 'prev'])) {
    const way = direction === 'next' ? lessons : [...lessons].reverse()
    for (const { order, title, path } of way.slice(1)) {
      const link = page.locator(`a[rel="${direction}"]`)
      await expect(link).toContainText(title)
      await expect(link).toContainText(`Lesson ${order}`)
      await link.click()
      await expect(page).toHaveURL(new RegExp(`/${path}$`))
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    }
    await expect(page.locator(`a[rel="${direction}"]`)).toHaveCount(0)
  }
})

test("A lesson's masthead leads to the list of all lessons", async ({ page }) => {
  await page.goto(lessons[0].path)
  const link = page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Lessons' })
  await expect(link).toHaveAttribute('aria-current', 'true')
  await link.click()
  await expect(page).toHaveURL(/\/site\/#lessons$/)
  await expect(page.locator('#lessons')).toBeInViewport()
  await expect(link).not.toHaveAttribute('aria-current')
})

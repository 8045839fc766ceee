import { expect, test } from 'vitest'
import { inOrder } from '../../../web/site/lessons.js'

const lesson = (/** @type {string} */ inputPath, /** @type {unknown} */ order) => ({
  inputPath,
  data: { order },
})

test('Lessons come in the order of their front matter, whatever their files are called', () => {
  const lessons = [lesson('c.md', 10), lesson('a.md', 9), lesson('b.md', 1)]
  expect(inOrder(lessons).map(({ inputPath }) => inputPath)).toEqual(['b.md', 'a.md', 'c.md'])
  expect(lessons[0].inputPath).toBe('c.md')
})

test('Two lessons with the same order stop the build', () => {
  expect(() => inOrder([lesson('a.md', 1), lesson('b.md', 1)])).toThrow(
    'b.md has the same order, 1, as a.md',
  )
})

test.each([undefined, '2', 1.5])('An order of %s stops the build', (order) => {
  expect(() => inOrder([lesson('a.md', order)])).toThrow(
    `a.md: order was ${order}; it had to be a whole number`,
  )
})

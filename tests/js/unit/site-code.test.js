import { expect, test } from 'vitest'
import { renderCode } from '../../../web/site/code.js'

test('A block of code keeps its text, line by line, and may break where code does', () => {
  const source = "import { loadEngine } from 'attention-lab'\n\nengine.matmul(a && b, c)\n<p></p>\n"
  const page = renderCode(source, 'js')
  expect(page).toContain('<code class="language-js">')
  expect(page.match(/<span class="line">/g)).toHaveLength(4)
  expect(page).toContain('engine<wbr>.matmul(<wbr>a &amp;&amp; b, c)')
  expect(page).toContain('&lt;p&gt;<wbr>&lt;/p&gt;')
  const text = page
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
  expect(text).toBe(`${source}\n`)
})

test('What a block of code holds is text, never markup', () => {
  const page = renderCode('<img src=x onerror=alert(1)>\n', '"><script>')
  expect(page).not.toMatch(/<img|<script/)
})

import { expect, test } from '@playwright/test'
import {
  areasOf,
  difference,
  expectNoViolations,
  show,
  takePng,
  takeScreen,
  takeSvg,
} from './picture-page.js'
import { barColors, barIndex, golden, open, settle, update } from './support.js'

const single = golden.heads['1'].attention
const eight = golden.heads['8'].attention

/** Tokens that may break a document: markup, ends of sections, signs beyond the plane, both directions, controls. */
const hostile = [
  '<script>alert(1)</script>',
  ']]>',
  '&amp;"\'<',
  '👩‍👩‍👧‍👦',
  'שלום',
  'bell\u0007\u0000\u001b\ufffe',
  'half \ud800 pair',
  '  two  spaces ',
  '{x} ${y}',
  'مرحبا بالعالم',
  'tab\tline\nend',
  '-->',
]

/**
 * A document in the page's own, and what a parser and the page's policy say of it.
 *
 * @param {import('@playwright/test').Page} page
 * @param {string} svg
 */
function read(page, svg) {
  return page.evaluate((svg) => {
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml')
    const error = parsed.querySelector('parsererror')?.textContent ?? ''
    const links = [...parsed.querySelectorAll('image')].map(
      (image) => image.getAttribute('href') ?? '',
    )
    // This page's policy refuses addresses of data, which a document of its own may have.
    for (const image of parsed.querySelectorAll('image')) image.removeAttribute('href')
    const root = document.importNode(parsed.documentElement, true)
    root.id = 'drawn'
    document.querySelector('#drawn')?.remove()
    document.body.append(root)
    const all = [...root.querySelectorAll('*')]
    const origin = root.getBoundingClientRect()
    return {
      error,
      names: [...new Set(all.map(({ localName }) => localName))].sort(),
      attributes: [...new Set(all.flatMap((node) => node.getAttributeNames()))].sort(),
      title: root.querySelector('title')?.textContent ?? '',
      description: root.querySelector('desc')?.textContent ?? '',
      labelled: (root.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => root.querySelector(`#${id}`)?.localName), // prettier-ignore
      cells: [...root.querySelectorAll('g[shape-rendering]')].map((group) =>
        [...group.children].map((cell) => {
          const { left, top, width, height } = cell.getBoundingClientRect()
          const fill = cell.getAttribute('fill')
          return { fill, x: left - origin.left, y: top - origin.top, width, height }
        }),
      ),
      images: [...root.querySelectorAll('image')].map((image, index) => ({
        rendering: image.getAttribute('image-rendering'),
        href: links[index].slice(0, 22),
      })),
      texts: [...root.querySelectorAll('text:not([aria-hidden])')].map((text) => {
        const { left, top, right, bottom } = text.getBoundingClientRect()
        const [x, y] = [left - origin.left, top - origin.top]
        return { text: text.textContent ?? '', family: text.getAttribute('font-family') ?? '', x, y, right: right - origin.left, bottom: bottom - origin.top } // prettier-ignore
      }),
    }
  }, svg)
}

/** @param {number[]} color */
function hex(color) {
  return `#${color.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** What may be in a document. */
const NAMES = ['circle', 'clipPath', 'desc', 'g', 'image', 'linearGradient', 'path', 'rect', 'stop', 'text', 'title'] // prettier-ignore

test('eight heads are 8 times 144 rectangles of the colours of their values, in their places', async ({
  page,
}) => {
  await show(page, 'HeadGrid', { attention: eight, domain: [0, 0.2] })
  const bar = await barColors(page)
  const frames = await areasOf(page, '.frame')
  const { error, cells, title, description, labelled } = await read(page, await takeSvg(page))
  expect(error).toBe('')
  const heads = cells.filter((group) => group.length === 144)
  expect(heads).toHaveLength(8)
  expect(cells.filter((group) => group.length === 256)).toHaveLength(1)
  heads.forEach((group, head) => {
    const { x, y, width, height } = frames[head].picture
    group.forEach((cell, index) => {
      expect(cell.fill).toBe(hex(bar[barIndex(eight.data[144 * head + index], 0, 0.2)]))
      expect(Math.abs(cell.x - (x + ((index % 12) * width) / 12))).toBeLessThan(1)
      expect(Math.abs(cell.y - (y + (Math.floor(index / 12) * height) / 12))).toBeLessThan(1)
    })
  })
  expect(title).toBe('Attention heads')
  expect(description).toMatch(/8 heads/)
  expect(labelled).toEqual(['title', 'desc'])
  await expectNoViolations(page)
})

test('more cells than 64 × 64 are one crisp image', async ({ page }) => {
  const data = Array.from({ length: 80 * 80 }, (_, index) => (index % 81) / 81)
  await show(page, 'Heatmap', { attention: { data, shape: [80, 80] } })
  const { images, cells } = await read(page, await takeSvg(page))
  expect(images).toEqual([{ rendering: 'pixelated', href: 'data:image/png;base64,' }])
  expect(cells.map((group) => group.length)).toEqual([256])
})

for (const kind of /** @type {const} */ ([
  'Heatmap',
  'HeadGrid',
  'AttentionLines',
  'AttentionCube',
])) {
  test(`${kind}: hostile tokens are text, and the document stays whole`, async ({ page }) => {
    const attention = kind === 'Heatmap' ? single : eight
    await show(page, kind, { attention, tokens: hostile, label: '<b>&]]>\u0001' })
    const svg = await takeSvg(page)
    // eslint-disable-next-line no-control-regex
    expect(svg).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u)
    const { error, names, attributes, texts, title } = await read(page, svg)
    expect(error).toBe('')
    expect(names.filter((name) => !NAMES.includes(name))).toEqual([])
    expect(attributes.filter((name) => /^on|^style$|^class$/.test(name))).toEqual([])
    expect(title).toBe('<b>&]]>')
    const written = texts.map(({ text }) => text)
    for (const token of [']]>', '👩‍👩‍👧‍👦', 'שלום', 'bell', '-->']) expect(written).toContain(token)
    expect(written.some((text) => text.startsWith('<scr'))).toBe(true)
    for (const { family } of texts) expect(family).toMatch(/(?:sans-serif|serif|monospace)$/)
    await expectNoViolations(page)
  })
}

for (const [name, kind] of /** @type {const} */ ([
  ['a chart with its table', 'residual-norm'],
  ['a table', 'head-ranks'],
  ['formulas in tables', 'attention-row'],
])) {
  test(`${name}: every text of the page stands in the SVG where it stands on the page`, async ({
    page,
  }) => {
    await show(page, kind)
    const { texts, error } = await read(page, await takeSvg(page))
    expect(error).toBe('')
    const places = await areasOf(page, 'td, th, svg text')
    const wanted = await page.evaluate(() => {
      /** @type {string[]} */
      const found = []
      const visit = (/** @type {Element | ShadowRoot} */ root) => {
        if (root instanceof Element && root.shadowRoot) visit(root.shadowRoot)
        for (const child of root.children) {
          if (child.matches('td, th, svg text')) found.push(child.textContent?.trim() ?? '')
          visit(child)
        }
      }
      visit(/** @type {any} */ (window).pictured)
      return found
    })
    expect(wanted.length).toBe(places.length)
    expect(wanted.length).toBeGreaterThan(10)
    wanted.forEach((text, index) => {
      if (text === '') return
      const { x, y, width, height } = places[index].picture
      const inside = texts.filter(
        (each) => each.x > x - 2 && each.right < x + width + 2 && each.y > y - 2 && each.bottom < y + height + 2, // prettier-ignore
      )
      // Indices are painted after the line that they belong to.
      const letters = (/** @type {string} */ words) => [...words.replace(/\s/g, '')].sort().join('')
      expect(letters(inside.map((each) => each.text).join(''))).toBe(letters(text))
    })
  })
}

test('an SVG looks like the PNG', async ({ page }) => {
  await show(page, 'multi-head-example')
  const png = await takePng(page)
  const svg = await takeSvg(page)
  await open(page, 'blank')
  const area = await page.evaluate((svg) => {
    const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml')
    document.body.replaceChildren(document.importNode(documentElement, true))
    const { left, top, width, height } = document.body.children[0].getBoundingClientRect()
    return { x: left, y: top, width, height }
  }, svg)
  await settle(page)
  const screen = await takeScreen(page, area)
  expect([screen.width, screen.height]).toEqual([png.width, png.height])
  const { mean, changed } = difference(screen, png, { ...area, x: 0, y: 0 })
  // Letters of an SVG are set between pixels, too.
  expect(mean).toBeLessThan(2)
  expect(changed).toBeLessThan(0.03)
})

test('what is looked at is in the picture: the framed cell and its value', async ({ page }) => {
  await show(page, 'Heatmap', { attention: single })
  await update(page, { selected: { query: 3, key: 4 } })
  const { texts } = await read(page, await takeSvg(page))
  const value = single.data[3 * 12 + 4]
  expect(texts.map(({ text }) => text).join(' ')).toContain(String(Number(value.toPrecision(9))))
})

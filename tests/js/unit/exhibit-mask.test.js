import { expect, test } from 'vitest'
import { MaskBrush } from '../../../web/exhibits/mask-brush.js'
import { additiveMask, emptyRows, maskCells, withCell } from '../../../web/exhibits/mask-cells.js'

test('A painted mask is a text of 0 and 1, a cell each, or empty', () => {
  const { allows } = maskCells(2)
  expect(['', '0000', '1011'].map(allows)).toEqual([true, true, true])
  expect(['101', '10110', '10x1', 1011, null].map(allows)).toEqual(new Array(5).fill(false))
})

test('Rows in which nothing is open are empty', () => {
  expect(emptyRows('1000')).toEqual([1])
  expect(emptyRows('1111')).toEqual([])
  expect(emptyRows('0000')).toEqual([0, 1])
})

test('A cell is opened or closed, and the others stay', () => {
  expect(withCell('1000', 2, true)).toBe('1010')
  expect(withCell('1010', 2, true)).toBe('1010')
  expect(withCell('1010', 0, false)).toBe('0010')
})

test('Closed cells add what closes them, open ones nothing or their bias', () => {
  expect([...additiveMask('1001', -Infinity, null).data]).toEqual([0, -Infinity, -Infinity, 0])
  expect(additiveMask('1001', -1e9, [1, 2, 3, 4])).toEqual({
    data: Float32Array.of(1, -1e9, -1e9, 4),
    shape: [2, 2],
  })
})

/** A row of ten cells, 10 px wide each. */
function paintedRow() {
  const open = new Array(10).fill(false)
  const brush = new MaskBrush({
    cellAt: (x) => (x >= 0 && x < 100 ? Math.floor(x / 10) : -1),
    paint: (cell, isOpen) => (open[cell] = isOpen),
  })
  const event = (/** @type {number} */ x, more = {}) =>
    /** @type {any} */ ({
      clientX: x,
      clientY: 0,
      button: 0,
      pointerId: 1,
      currentTarget: { setPointerCapture() {} },
      ...more,
    })
  const isOpen = (/** @type {number} */ cell) => open[cell]
  return { open, brush, event, isOpen }
}

test('A stroke gives every cell the state that its first one took, and ends with the pointer', () => {
  const { open, brush, event, isOpen } = paintedRow()
  open[4] = true
  brush.start(event(25), isOpen)
  brush.move(event(35))
  brush.move(event(45))
  brush.move(event(150))
  brush.end()
  brush.move(event(75))
  expect(open).toEqual([false, false, true, true, true, false, false, false, false, false])
  // The click that follows the stroke turns nothing over.
  brush.press(2, true)
  expect(open[2]).toBe(true)
  // A key's does.
  brush.press(2, true)
  expect(open[2]).toBe(false)
})

test('A quick stroke skips no cell that the browser knows of', () => {
  const { open, brush, event, isOpen } = paintedRow()
  brush.start(event(5), isOpen)
  brush.move(event(45, { getCoalescedEvents: () => [15, 25, 35, 45].map((x) => event(x)) }))
  expect(open.slice(0, 6)).toEqual([true, true, true, true, true, false])
})

test('Another button than the first, or the ground beside the cells, begins no stroke', () => {
  const { open, brush, event, isOpen } = paintedRow()
  brush.start(event(5, { button: 2 }), isOpen)
  brush.start(event(-5), isOpen)
  brush.move(event(15))
  expect(open).not.toContain(true)
})

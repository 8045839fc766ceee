import { html } from 'lit/html.js'
import { colorMap, colorOf } from '../views/color-map.js'
import { formatColor, luminance } from '../views/color.js'
import { formatExact, formatInCell } from '../views/numbers.js'

/**
 * A small matrix as a table of numbers on their colours, with column blocks set apart and one of them framed.
 *
 * @import { TemplateResult } from 'lit/html.js'
 * @import { Tensor } from '../engine/tensor.js'
 */

/** Above this luminance black text has the higher contrast, below it white. */
const BLACK_ABOVE = 0.179

/**
 * The colours of a cell in both themes at once: the style sheet's `color-scheme` picks one.
 * @param {number} value
 * @param {number} reach the scale runs from −reach to reach
 */
export function cellStyle(value, reach) {
  const [light, dark] = [false, true].map((isDark) => {
    const color = colorOf(colorMap('puor', { dark: isDark }), value, [-reach, reach])
    return [formatColor(color), luminance(color) > BLACK_ABOVE ? '#000' : '#fff']
  })
  return `background: light-dark(${light[0]}, ${dark[0]}); color: light-dark(${light[1]}, ${dark[1]})`
}

/** Room that the rows' names may take, in letters. */
const MOST_LETTERS = 12

/** Two decimals, without a sign where they are all that is left. @param {number} value */
function inCell(value) {
  const text = formatInCell(value)
  return text === '−0.00' ? '0.00' : text
}

/**
 * @param {object} options
 * @param {unknown} options.caption
 * @param {Tensor} options.matrix (rows, columns)
 * @param {readonly string[]} options.rows
 * @param {string} options.column what a column is called before its number
 * @param {number} options.reach the colour scale runs from −reach to reach
 * @param {number} [options.blocks] how many column blocks of equal width to set apart
 * @param {number} [options.framed] which of them has a frame; −1 = none
 * @param {readonly unknown[]} [options.footer] one entry for each block
 * @param {unknown} [options.footerLabel]
 * @param {(row: number, column: number) => boolean} [options.isMarked] cells with a ring
 * @param {(row: number, column: number) => boolean} [options.isShown] others are left empty
 * @param {(row: number, column: number) => void} [options.onSelect] called for a click: offer the keyboard
 *   another way to the same
 * @returns {TemplateResult}
 */
export function numberTable({
  caption,
  matrix,
  rows,
  column,
  reach,
  blocks = 1,
  framed = -1,
  footer,
  footerLabel,
  isMarked = () => false,
  isShown = () => true,
  onSelect,
}) {
  const [count, columns] = matrix.shape
  const width = columns / blocks
  const places = Array.from({ length: columns }, (_, place) => place)
  const classOf = (/** @type {number} */ place) => {
    const isFramed = Math.floor(place / width) === framed
    const isFirst = place % width === 0
    const isLast = place % width === width - 1
    return [
      isFirst && place > 0 && 'first',
      isFramed && 'framed',
      isFramed && isFirst && 'left',
      isFramed && isLast && 'right',
    ]
      .filter(Boolean)
      .join(' ')
  }
  const longest = Math.max(...rows.slice(0, count).map((row) => row.length))
  return html`<table
    class="numbers ${onSelect ? 'selectable' : ''}"
    .style=${`--label: ${Math.min(longest, MOST_LETTERS)}`}
  >
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <td></td>
        ${places.map((place) => html`<th scope="col">${column}${place + 1}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${Array.from(
        { length: count },
        (_, row) =>
          html`<tr>
            <th scope="row">${rows[row]}</th>
            ${places.map((place) => {
              const value = matrix.data[row * columns + place]
              const select = onSelect && (() => onSelect(row, place))
              const classes = `${classOf(place)}${isMarked(row, place) ? ' marked' : ''}`
              return isShown(row, place)
                ? html`<td
                    class=${classes}
                    title=${formatExact(value)}
                    .style=${cellStyle(value, reach)}
                    @click=${select}
                  >
                    ${inCell(value)}
                  </td>`
                : html`<td class="${classes} empty" @click=${select}></td>`
            })}
          </tr>`,
      )}
    </tbody>
    ${
      footer
        ? html`<tfoot>
            <tr>
              <th scope="row">${footerLabel}</th>
              ${footer.map((entry) => html`<td colspan=${width}>${entry}</td>`)}
            </tr>
          </tfoot>`
        : null
    }
  </table>`
}

export const numberTableStyles = `
  .numbers {
    width: 100%;
    table-layout: fixed;
    border-collapse: separate;
    border-spacing: 0;
    font-size: clamp(10.5px, 3.8cqi, 12px);
    line-height: 1;
  }

  /* The row that a fixed layout takes its widths from. */
  .numbers thead td {
    width: calc(0.65em * var(--label) + 0.6em);
    padding: 0;
  }

  .numbers caption {
    padding-bottom: 0.5em;
    font-size: 15px;
    line-height: 1.35;
    text-align: start;
  }

  .numbers th {
    padding: 0.35em 0.4em 0.35em 0;
    font-size: 0.95em;
  }

  .numbers thead th {
    padding-inline: 0;
    text-align: center;
  }

  /* Without their colours on paper, white numbers would vanish. */
  .numbers tbody td {
    print-color-adjust: exact;
    padding: 0.62em 0;
    text-align: center;
    white-space: nowrap;
  }

  .numbers .first {
    border-inline-start: 2px solid var(--surface);
  }

  /* A frame takes no room: the same rows stand level in tables with and without one. */
  .numbers .framed {
    box-shadow:
      inset var(--left, 0) 0 0 var(--accent),
      inset var(--right, 0) 0 0 var(--accent),
      inset 0 var(--top, 0) 0 var(--accent),
      inset 0 var(--bottom, 0) 0 var(--accent);
  }

  .numbers .framed.left {
    --left: 2px;
  }

  .numbers .framed.right {
    --right: -2px;
  }

  .numbers tbody tr:first-child .framed {
    --top: 2px;
  }

  .numbers tbody tr:last-child .framed {
    --bottom: -2px;
  }

  .numbers .marked {
    outline: 2px solid var(--accent);
    outline-offset: -2px;
  }

  .numbers .empty {
    background: var(--wash);
  }

  .selectable tbody td {
    cursor: pointer;
  }

  .numbers tfoot td,
  .numbers tfoot th {
    padding-top: 0.6em;
    font-size: 1em;
    line-height: 1.3;
    text-align: center;
  }

  @media (forced-colors: active) {
    .numbers tbody td {
      forced-color-adjust: none;
    }
  }
`

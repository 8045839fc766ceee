import { html } from 'lit/html.js'
import { formatExact, formatShort } from '../views/numbers.js'
import { cellStyle } from './number-table.js'

/** @import { TemplateResult } from 'lit/html.js' */

/**
 * A vector as a row of colours, without its numbers, which the pointer finds.
 * @param {ArrayLike<number>} values
 * @param {number} reach colours run from −reach to reach
 * @param {string} name for screen readers
 * @returns {TemplateResult}
 */
export function strip(values, reach, name) {
  const numbers = Array.from(values)
  const ends = `${formatShort(Math.min(...numbers))} to ${formatShort(Math.max(...numbers))}`
  return html`<span
    class="strip"
    role="img"
    aria-label="${name}: ${numbers.length} numbers from ${ends}"
    >${numbers.map((value) => html`<i title=${formatExact(value)} .style=${cellStyle(value, reach)}></i>`)}</span
  >`
}

/** Where a vector will stand. */
export const emptyStrip = html`<span class="strip empty"></span>`

export const stripStyles = `
  .strip {
    display: flex;
    height: 1.45em;
    forced-color-adjust: none;
  }

  .strip i {
    flex: 1;
  }

  .strip.empty {
    border: 1px dashed var(--rule);
  }
`

/**
 * Copying, also where a browser or a frame allows none: then the reader is told what to do.
 *
 * @import { ShownTable } from './shown-tables.js'
 */

/**
 * @param {string} text
 * @param {Event} event of a button beside the field that shows the text
 * @returns {Promise<string>} what to say
 */
export async function copyText(text, event) {
  const button = /** @type {HTMLElement} */ (event.currentTarget)
  try {
    await navigator.clipboard.writeText(text)
    return 'Copied.'
  } catch {
    const field = button.parentElement?.querySelector('input, textarea')
    const shown = /** @type {HTMLInputElement | null | undefined} */ (field)
    shown?.focus()
    shown?.select()
    return 'This page may not write to the clipboard. The text is selected: copy it with Ctrl+C or ⌘C.'
  }
}

/**
 * For a spreadsheet, which takes columns between tabs, and for a text, which takes a table.
 *
 * @param {ShownTable} table
 * @returns {Promise<string>} what to say
 */
export async function copyTable(table) {
  const { htmlTable, tsvText } = await import('../data/index.js')
  const text = tsvText(table)
  try {
    if (typeof ClipboardItem === 'undefined') {
      await navigator.clipboard.writeText(text)
    } else {
      const item = new ClipboardItem({
        'text/plain': new Blob([text], { type: 'text/plain' }),
        'text/html': new Blob([htmlTable(table)], { type: 'text/html' }),
      })
      await navigator.clipboard.write([item])
    }
    return 'Copied as a table.'
  } catch {
    return 'This page may not write to the clipboard. Save the numbers as CSV instead.'
  }
}

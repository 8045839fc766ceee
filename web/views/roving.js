/**
 * A group of buttons that is one stop for Tab; arrow keys move within it (ARIA's 'roving tabindex').
 *
 * @param {HTMLElement} group
 * @param {() => readonly HTMLElement[]} items in order
 * @param {AbortSignal} signal
 * @param {() => number} [columns] how many stand in a line, for arrows up and down
 */
export function rove(group, items, signal, columns = () => 0) {
  group.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
      const all = items()
      const index = all.indexOf(/** @type {HTMLElement} */ (event.target))
      if (index < 0) return
      const line = columns() || 1
      /** @type {Record<string, number>} */
      const targets = {
        ArrowLeft: index - 1,
        ArrowRight: index + 1,
        ArrowUp: index - line,
        ArrowDown: index + line,
        Home: 0,
        End: all.length - 1,
      }
      const target = targets[event.key]
      if (target === undefined) return
      event.preventDefault()
      if (target >= 0 && target < all.length) all[target].focus()
    },
    { signal },
  )
  group.addEventListener(
    'focusin',
    ({ target }) => {
      if (items().includes(/** @type {HTMLElement} */ (target))) {
        setStop(items(), /** @type {HTMLElement} */ (target))
      }
    },
    { signal },
  )
}

/**
 * Makes one item the group's stop for Tab.
 *
 * @param {readonly HTMLElement[]} items
 * @param {HTMLElement | undefined} stop
 */
export function setStop(items, stop) {
  for (const item of items) item.tabIndex = item === stop ? 0 : -1
}

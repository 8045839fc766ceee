/**
 * The menu of a view's element: its picture and its numbers. Its code is loaded where a page wants one.
 */
import { ShareMenu, shareMenuStyles } from '../share/share-menu.js'
import { adoptStyles } from '../views/dom.js'

/**
 * @param {HTMLElement} element
 * @param {ShadowRoot} root with its view in `.view`
 * @param {() => import('../views/tables.js').Table[]} tables
 * @returns {ShareMenu}
 */
export function figureMenu(element, root, tables) {
  adoptStyles(root, shareMenuStyles)
  const figure = {
    ...{ root, tables, name: element.localName, address: null, state: {}, options: {} },
    ...{ kind: { settings: {}, options: {}, version: 1 }, rules: { hide: [], fix: [] } },
    node: /** @type {HTMLElement} */ (root.querySelector('.view')),
  }
  // It goes with its element, whose nodes alone it listens to.
  return new ShareMenu(figure, new AbortController().signal)
}

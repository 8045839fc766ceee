/**
 * Runs in pages that `jupyter nbconvert --to html` or `marimo export html` wrote, and draws our figures there from
 * what was saved of them. The hosts' own programs are fetched from servers, so that without a network, or behind
 * a firewall, nothing is drawn.
 */
import { pageRegistry } from '../page-registry.js'
import { drawJupyterPage } from './jupyter-page.js'
import { drawMarimoPage } from './marimo-page.js'

const registry = pageRegistry()
// A page is read once; in a notebook that runs it was read long before a figure came.
if (document.readyState === 'loading' && !registry.exportedPage) {
  registry.exportedPage = true
  document.addEventListener(
    'DOMContentLoaded',
    () => {
      drawJupyterPage()
      drawMarimoPage()
    },
    { once: true },
  )
}

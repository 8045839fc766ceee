/**
 * A page of `marimo export html`, which `python -m attention_lab.offline` put the script into: what the cells
 * put out stands there as text and figures. Should marimo's own program come, it takes the place over.
 */
import { drawSaved, isOurs, SavedModel } from './saved-model.js'

/**
 * @import { SavedState } from './saved-model.js'
 * @typedef {{ model_id: string, message: { state: SavedState['state'], buffers: string[],
 *   buffer_paths: (string | number)[][], esm_spec: { url: string } | null } }} ModelNotification
 * @typedef {{ type: string, data: Record<string, string> }} CellOutput
 * @typedef {object} MarimoPage  what marimo writes into the page
 * @property {{ modelNotifications: ModelNotification[], files: Record<string, string> }} [__MARIMO_STATIC__]
 * @property {{ session: { cells: { outputs: CellOutput[] }[] } | null }} [__MARIMO_MOUNT_CONFIG__]
 */

const STYLE =
  'max-width: 46rem; margin: 0 auto; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;'

export function drawMarimoPage() {
  const page = /** @type {MarimoPage} */ (globalThis)
  const root = document.getElementById('root')
  const cells = page.__MARIMO_MOUNT_CONFIG__?.session?.cells
  if (!root || !cells || !page.__MARIMO_STATIC__) return
  const outputs = document.createElement('main')
  outputs.style.cssText = STYLE
  outputs.append(...cells.flatMap((cell) => cell.outputs).flatMap(outputNode))
  root.replaceChildren(outputs)
  const { modelNotifications: models, files } = page.__MARIMO_STATIC__
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (
    outputs.querySelectorAll('marimo-anywidget')
  )) {
    const id = JSON.parse(place.dataset.modelId ?? 'null')
    const message = models.find(({ model_id }) => model_id === id)?.message
    if (message && isOurs(message.state)) drawMessage(place, message, files)
  }
}

/** @param {CellOutput} output @returns {HTMLElement[]} */
function outputNode({ type, data }) {
  if (type !== 'data') return []
  const node = document.createElement('div')
  // marimo has made HTML of its Markdown, and the page is its author's as a whole.
  const html = data['text/html'] ?? data['text/markdown']
  if (html) node.innerHTML = html
  else node.textContent = data['text/plain'] ?? ''
  return [node]
}

/**
 * @param {HTMLElement} place
 * @param {ModelNotification['message']} message
 * @param {Record<string, string>} files addresses of code that was left out of the message
 */
async function drawMessage(place, { state, buffers, buffer_paths: paths, esm_spec: spec }, files) {
  const saved = buffers.map((data, index) => ({
    ...{ path: paths[index], data },
    encoding: /** @type {const} */ ('base64'),
  }))
  const model = new SavedModel({ state, buffers: saved })
  const address = spec?.url ?? ''
  const code = await fetch(files[address] ?? address)
  place.style.display = 'block'
  drawSaved(place, model, await code.text())
}

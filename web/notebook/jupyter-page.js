/**
 * The figures in a page of `jupyter nbconvert --to html`: each brings the script along with its output.
 */
import { drawSaved, isOurs, SavedModel } from './saved-model.js'

/** @import { SavedState } from './saved-model.js' */

const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]'
const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]'

export function drawJupyterPage() {
  /** @type {Record<string, SavedState>} */
  const saved = JSON.parse(document.querySelector(STATE)?.textContent ?? '{}').state ?? {}
  /** @type {Map<string, SavedModel>} */
  const models = new Map()
  /** @param {string} id @returns {SavedModel} */
  const modelOf = (id) => {
    const model = models.get(id) ?? new SavedModel(saved[id], modelOf)
    models.set(id, model)
    return model
  }
  for (const script of document.querySelectorAll(VIEW)) {
    const { model_id: id } = JSON.parse(script.textContent ?? '{}')
    if (!saved[id] || !isOurs(saved[id].state)) continue
    const place = document.createElement('div')
    // Jupyter's program, should it come, looks for these scripts: the figure must not stand there twice.
    script.replaceWith(place)
    const model = modelOf(id)
    drawSaved(place, model, model.get('_esm'))
  }
}

import { problemOf } from '../problem.js'
import { importText } from './text-module.js'

/**
 * A widget's model in a page that was exported: what was saved of its traits, with no Python behind it.
 *
 * @import { HostModel, Widget } from './host-model.js'
 * @typedef {{ path: (string | number)[], data: string, encoding: 'base64' | 'hex' }} SavedBuffer
 * @typedef {{ state: Record<string, any>, buffers?: SavedBuffer[] }} SavedState
 * @implements {HostModel}
 */
export class SavedModel {
  #traits
  #events = new EventTarget()

  /**
   * @param {SavedState} saved
   * @param {(id: string) => HostModel} [modelOf] where models refer to others
   */
  constructor({ state, buffers = [] }, modelOf) {
    this.#traits = structuredClone(state)
    for (const buffer of buffers) putBuffer(this.#traits, buffer)
    this.widget_manager = modelOf && {
      get_model: async (/** @type {string} */ id) => modelOf(id),
    }
  }

  /** @param {string} name */
  get(name) {
    return this.#traits[name]
  }

  /** @param {string} name @param {unknown} value */
  set(name, value) {
    this.#traits[name] = value
    // Several views of one model follow one another.
    this.#events.dispatchEvent(new Event(`change:${name}`))
  }

  save_changes() {}

  /** @param {string} event @param {() => void} listener */
  on(event, listener) {
    this.#events.addEventListener(event, listener)
  }

  /** @param {string} event @param {() => void} listener */
  off(event, listener) {
    this.#events.removeEventListener(event, listener)
  }
}

/** @param {any} traits @param {SavedBuffer} buffer */
function putBuffer(traits, { path, data, encoding }) {
  const parent = path.slice(0, -1).reduce((node, key) => node[key], traits)
  parent[path[path.length - 1]] = new DataView(decode(data, encoding).buffer)
}

/** @param {string} data @param {SavedBuffer['encoding']} encoding */
function decode(data, encoding) {
  return encoding === 'hex'
    ? Uint8Array.from(data.match(/../g) ?? [], (pair) => parseInt(pair, 16))
    : Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
}

/**
 * @param {HTMLElement} el
 * @param {SavedModel} model
 * @param {string} code the widget's module
 */
export async function drawSaved(el, model, code) {
  try {
    /** @type {Widget} */
    const widget = await importText(code, code)
    await widget.render({ model, el })
  } catch (error) {
    const words = problemOf(error)
    el.textContent = `This figure could not be drawn: ${words}`
  }
}

/** Whether a widget is one of this package's, or of a class that was made from it. @param {Record<string, any>} state */
export function isOurs(state) {
  return '_attention_lab_code' in state
}

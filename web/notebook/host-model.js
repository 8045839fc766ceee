/**
 * A widget's model as its host has it, taken with care: hosts differ in what they pass and in what throws.
 *
 * @typedef {object} HostModel  what anywidget's specification promises, and `widget_manager`
 * @property {(name: string) => any} get
 * @property {(name: string, value: unknown) => void} set
 * @property {() => void} save_changes
 * @property {(event: string, listener: () => void) => void} on
 * @property {(event: string, listener: () => void) => void} off
 * @property {{ get_model(id: string): Promise<HostModel> }} [widget_manager]
 *
 * @typedef {object} RenderProps
 * @property {HostModel} model
 * @property {HTMLElement} el
 * @property {AbortSignal} [signal] some hosts pass none and call the returned function instead
 *
 * @typedef {object} Widget  the default export of a module that a host imports
 * @property {() => void} [initialize]
 * @property {(props: RenderProps) => (() => void) | Promise<() => void>} render returns its cleanup
 */

/**
 * A lifetime that ends when the host says so, by its signal or by calling the function, whichever comes first.
 *
 * @param {AbortSignal} [signal]
 * @returns {{ signal: AbortSignal, end: () => void }}
 */
export function lifetime(signal) {
  const controller = new AbortController()
  const end = () => controller.abort()
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end, { once: true, signal: controller.signal })
  return { signal: controller.signal, end }
}

/**
 * Calls a function whenever a trait changes, until the signal says that it is enough.
 *
 * @param {HostModel} model
 * @param {string} trait
 * @param {() => void} listener
 * @param {AbortSignal} signal
 */
export function listen(model, trait, listener, signal) {
  const event = `change:${trait}`
  const onChange = () => {
    // Where `off` throws the host goes on calling.
    if (!signal.aborted) listener()
  }
  model.on(event, onChange)
  const stop = () => attempt(() => model.off(event, onChange))
  signal.addEventListener('abort', stop, { once: true })
}

/**
 * Tells Python what the reader did. In a page that was exported there is no Python to tell.
 *
 * @param {HostModel} model
 * @param {string} trait
 * @param {unknown} value
 */
export function save(model, trait, value) {
  attempt(() => {
    model.set(trait, value)
    model.save_changes()
  })
}

/** @param {() => void} action */
function attempt(action) {
  try {
    action()
  } catch {
    // The figure shows what it shows all the same.
  }
}

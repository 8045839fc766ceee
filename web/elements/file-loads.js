import { problemOf } from '../problem.js'
import { FileAttribute, InvalidAttribute } from './attributes.js'

/**
 * The files that a figure's attributes name: loads each, and ends what a newer value has made needless. The code
 * that reads files comes with the first of them.
 */
export class FileLoads {
  /** By property. @type {Map<string, { attribute: FileAttribute, stop: AbortController }>} */
  #running = new Map()
  #onLoaded

  /** @param {(name: string, value: unknown) => void} onLoaded what a file held, or an InvalidAttribute */
  constructor(onLoaded) {
    this.#onLoaded = onLoaded
  }

  /**
   * @param {Record<string, unknown>} values the figure's properties, as they are now
   * @param {string} base that addresses are relative to
   * @returns {string} what is being loaded, in words, or ''
   */
  update(values, base) {
    for (const [name, { attribute, stop }] of this.#running) {
      if (values[name] === attribute) continue
      stop.abort()
      this.#running.delete(name)
    }
    for (const [name, value] of Object.entries(values)) {
      if (value instanceof FileAttribute && !this.#running.has(name)) this.#start(name, value, base)
    }
    const addresses = Array.from(this.#running.values(), ({ attribute }) => attribute.address)
    return addresses.length === 0 ? '' : `Loading ${[...new Set(addresses)].join(' and ')} …`
  }

  /** Ends everything; what is named still is loaded by the next update. */
  stop() {
    for (const { stop } of this.#running.values()) stop.abort()
    this.#running.clear()
  }

  /** @param {string} name @param {FileAttribute} attribute @param {string} base */
  async #start(name, attribute, base) {
    const stop = new AbortController()
    this.#running.set(name, { attribute, stop })
    /** @type {unknown} */
    let value
    try {
      const { readFileAttribute } = await import('./file-attribute.js')
      value = await readFileAttribute(name, attribute.address, { base, signal: stop.signal })
    } catch (error) {
      const problem = problemOf(error)
      value = new InvalidAttribute(attribute.address, problem)
    }
    if (stop.signal.aborted) return
    this.#running.delete(name)
    this.#onLoaded(name, value)
  }
}

/**
 * What the checks need of a browser, whichever it is.
 *
 * @import { PageTools } from './page-tools.js'
 * @typedef {'light' | 'dark'} Scheme
 *
 * @typedef {object} Driver
 * @property {(address: string) => Promise<void>} open  resolves when the page's own files are loaded
 * @property {(code: string) => Promise<any>} run  the value of an expression in the page, awaited, as JSON has it
 * @property {(element: string) => Promise<void>} click  on what an expression in the page names, as a reader does
 * @property {(key: string, modifier?: 'Control') => Promise<void>} press  by the name that the key's event has
 * @property {() => string[]} faults  what the browser itself told of errors since the last call, where it does
 * @property {() => Promise<void>} close
 */

/** Of a busy machine, ms. */
const PATIENCE = 60_000
const PAUSE = 50

/** A page in a browser, with the tests' tools in it. */
export class Page {
  #driver
  /** Of pages that were left. @type {string[]} */
  #faults = []

  /** @param {Driver} driver */
  constructor(driver) {
    this.#driver = driver
  }

  /** Opens a page whose figures are to be computed. @param {string} address */
  async open(address) {
    this.#faults.push(...(await this.#told()))
    // The same page with another fragment is to be loaded anew.
    await this.#driver.open('about:blank')
    await this.#driver.open(address)
    await this.until((tools) => tools.isReady())
  }

  /**
   * @template Value
   * @template {unknown[]} Args
   * @param {(tools: PageTools, ...args: Args) => Value} look runs in the page: nothing around it is there
   * @param {Args} args as JSON has them
   * @returns {Promise<Awaited<Value>>} as JSON has it
   */
  see(look, ...args) {
    return this.#driver.run(callOf(look, args))
  }

  /**
   * Waits until something holds in the page.
   *
   * @template {unknown[]} Args
   * @param {(tools: PageTools, ...args: Args) => unknown} look
   * @param {Args} args
   */
  async until(look, ...args) {
    const end = performance.now() + PATIENCE
    while (!(await this.#driver.run(`Promise.resolve(${callOf(look, args)}).then(Boolean)`))) {
      if (performance.now() > end)
        throw new Error(`waited in vain for ${look} of ${JSON.stringify(args)}`)
      await new Promise((done) => setTimeout(done, PAUSE))
    }
  }

  /** @param {string[]} path @param {string} [text] */
  async click(path, text) {
    await this.until((tools, path, text) => tools.find(path, text), path, text)
    await this.#driver.click(callOf((tools, path, text) => tools.find(path, text), [path, text]))
  }

  /** Moves the keyboard's focus, as Tab does. @param {string[]} path @param {string} [text] */
  async focus(path, text) {
    await this.until((tools, path, text) => tools.find(path, text), path, text)
    await this.see((tools, path, text) => tools.find(path, text).focus(), path, text)
  }

  /** @param {string} key @param {'Control'} [modifier] */
  press(key, modifier) {
    return this.#driver.press(key, modifier)
  }

  /** Two frames: what was asked for has been drawn. */
  settle() {
    return this.see(
      () =>
        new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0)))),
    )
  }

  /** @returns {Promise<string[]>} what went wrong in all pages since the last call */
  async faults() {
    return [...this.#faults.splice(0), ...(await this.#told()), ...this.#driver.faults()]
  }

  /** @returns {Promise<string[]>} an empty page tells nothing */
  #told() {
    return this.#driver.run('window.pageTools?.faults.splice(0) ?? []')
  }
}

/**
 * @param {(tools: PageTools, ...args: any[]) => unknown} look
 * @param {unknown[]} args
 * @returns {string} an expression
 */
function callOf(look, args) {
  const list = args.map((arg) => (arg === undefined ? 'undefined' : JSON.stringify(arg)))
  return `(${look})(${['window.pageTools', ...list].join(', ')})`
}

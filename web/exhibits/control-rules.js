/**
 * Which controls of an exhibit a page takes away from its readers: a teacher who wants one thing seen hides what
 * leads away from it, or fixes what his text relies on.
 *
 * @import { Setting, State } from './settings.js'
 * @typedef {{ hide?: readonly string[], fix?: readonly string[] }} ControlChoice
 *   names of settings: `hide` takes their controls away, `fix` shows them but lets nobody change the setting.
 *   `hide` also knows `reset`, `menu` and `controls`, which stands for all controls and the reset.
 */

/** What can be hidden beside controls of settings. */
const others = ['reset', 'menu', 'controls']

/** Words between spaces or commas, written as attributes or as settings are: `num-heads` is `numHeads`. @param {string | null} text */
export function namesIn(text) {
  return (text ?? '')
    .split(/[\s,]+/)
    .filter((name) => name !== '')
    .map((name) => name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase()))
}

/** The rules of one exhibit. */
export class ControlRules {
  #hidden
  #fixed
  /** What was changed by these rules, and how it was before. @type {WeakMap<Element, { hidden?: boolean, disabled?: boolean }>} */
  #touched = new WeakMap()

  /**
   * @param {Record<string, Setting>} settings
   * @param {ControlChoice} [choice]
   * @throws {RangeError} naming what there is
   */
  constructor(settings, { hide = [], fix = [] } = {}) {
    const names = Object.keys(settings)
    refuseUnknown('hide', hide, [...names, ...others])
    refuseUnknown('fix', fix, names)
    this.#hidden = new Set(hide.includes('controls') ? [...hide, ...names, 'reset'] : hide)
    this.#fixed = new Set(fix)
  }

  /** Whether there is a menu. */
  get hasMenu() {
    return !this.#hidden.has('menu')
  }

  /** @returns {{ hide: string[], fix: string[] }} */
  get choice() {
    return { hide: [...this.#hidden], fix: [...this.#fixed] }
  }

  /**
   * What a reader may change of a part of the state.
   * @param {State} part
   * @returns {State}
   */
  allowed(part) {
    return Object.fromEntries(Object.entries(part).filter(([name]) => !this.#fixed.has(name)))
  }

  /**
   * What a reset changes of a state: a reader could not undo what it does to a setting without a control.
   * @param {State} initial
   * @returns {State}
   */
  resettable(initial) {
    const free = Object.entries(this.allowed(initial)).filter(([name]) => !this.#hidden.has(name))
    return Object.fromEntries(free)
  }

  /**
   * Puts the rules into practice on what has just been rendered.
   * @param {ParentNode} root
   */
  apply(root) {
    for (const control of controlsIn(root)) {
      const names = (control.dataset.setting ?? '').split(' ')
      const isOf = (/** @type {Set<string>} */ set) => names.some((name) => set.has(name))
      if (isOf(this.#hidden)) this.#touch(control, 'hidden')
      if (isOf(this.#fixed)) for (const part of fieldsOf(control)) this.#touch(part, 'disabled')
    }
  }

  /**
   * Gives the controls back as they were.
   * @param {ParentNode} root
   */
  lift(root) {
    for (const control of controlsIn(root)) {
      for (const part of [control, ...fieldsOf(control)]) {
        Object.assign(part, this.#touched.get(part))
        this.#touched.delete(part)
      }
    }
  }

  /** @param {HTMLElement} part @param {'hidden' | 'disabled'} flag */
  #touch(part, flag) {
    const is = /** @type {Record<string, boolean>} */ (/** @type {unknown} */ (part))
    this.#touched.set(part, { [flag]: is[flag], ...this.#touched.get(part) })
    is[flag] = true
  }
}

/** @param {ParentNode} root @returns {Iterable<HTMLElement>} */
function controlsIn(root) {
  return root.querySelectorAll('[data-setting]')
}

/** @param {HTMLElement} control @returns {HTMLElement[]} what can be disabled of it */
function fieldsOf(control) {
  const fields = 'input, select, button, fieldset'
  const inside = /** @type {HTMLElement[]} */ ([...control.querySelectorAll(fields)])
  return control.matches(fields) ? [control, ...inside] : inside
}

/** @param {string} what @param {readonly string[]} names @param {string[]} known */
function refuseUnknown(what, names, known) {
  for (const name of names) {
    if (!known.includes(name)) {
      throw new RangeError(`${what}: there is no control '${name}'; there are ${known.join(', ')}`)
    }
  }
}

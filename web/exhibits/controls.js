import { html, nothing } from 'lit/html.js'

/**
 * One of a few values, all in sight: radio buttons, so that arrow keys, labels and screen readers work as
 * everywhere.
 *
 * @template {string | number} Value
 * @param {object} options
 * @param {string} options.setting what it changes: a page may hide or fix it by this name
 * @param {unknown} options.legend text or template
 * @param {string} options.name unique in the exhibit
 * @param {readonly Value[]} options.values
 * @param {Value} options.value
 * @param {(value: Value) => unknown} [options.label]
 * @param {(value: Value) => void} options.onChange
 */
export function segments({ setting, legend, name, values, value, label = String, onChange }) {
  return html`<fieldset data-setting=${setting}>
    <legend>${legend}</legend>
    <div class="segments">
      ${values.map(
        (item) =>
          html`<label>
            <input
              type="radio"
              name=${name}
              value=${item}
              .checked=${item === value}
              @change=${() => onChange(item)}
            />
            <span>${label(item)}</span>
          </label>`,
      )}
    </div>
  </fieldset>`
}

/**
 * One of many values.
 *
 * @param {object} options
 * @param {string} options.setting what it changes: a page may hide or fix it by this name
 * @param {unknown} options.legend
 * @param {readonly string[]} options.items
 * @param {number} options.index which item is chosen
 * @param {(index: number) => void} options.onChange
 */
export function picker({ setting, legend, items, index, onChange }) {
  return html`<label data-setting=${setting}>
    <span class="name">${legend}</span>
    <select
      .selectedIndex=${index}
      @change=${(/** @type {Event} */ event) =>
        onChange(/** @type {HTMLSelectElement} */ (event.currentTarget).selectedIndex)}
    >
      ${items.map((item, place) => html`<option ?selected=${place === index}>${item}</option>`)}
    </select>
  </label>`
}

/**
 * A number in a range, with its value beside its name.
 *
 * @param {object} options
 * @param {string} options.setting what it changes: a page may hide or fix it by this name
 * @param {unknown} options.legend text or template
 * @param {number} options.low
 * @param {number} options.high
 * @param {number} options.step
 * @param {number} options.value
 * @param {(value: number) => string} [options.format]
 * @param {(value: number) => void} options.onChange called while the reader drags
 */
export function slider({ setting, legend, low, high, step, value, format = String, onChange }) {
  // The input comes first, as a label belongs to the first that it holds of inputs and outputs.
  return html`<label class="slider" data-setting=${setting}>
    <input
      type="range"
      min=${low}
      max=${high}
      step=${step}
      .value=${String(value)}
      aria-valuetext=${format(value)}
      @input=${(/** @type {Event} */ event) =>
        onChange(/** @type {HTMLInputElement} */ (event.currentTarget).valueAsNumber)}
    />
    <span class="name">${legend} <output aria-hidden="true">${format(value)}</output></span>
  </label>`
}

/**
 * On or off.
 *
 * @param {object} options
 * @param {string} options.setting what it changes: a page may hide or fix it by this name
 * @param {unknown} options.legend
 * @param {boolean} options.value
 * @param {(value: boolean) => void} options.onChange
 */
export function toggle({ setting, legend, value, onChange }) {
  return html`<label class="toggle" data-setting=${setting}>
    <input
      type="checkbox"
      .checked=${value}
      @change=${(/** @type {Event} */ event) =>
        onChange(/** @type {HTMLInputElement} */ (event.currentTarget).checked)}
    />
    <span>${legend}</span>
  </label>`
}

/**
 * Steps in an order, forward and back: two buttons, and the arrow keys while either has the focus.
 *
 * @param {object} options
 * @param {string} options.setting what it changes: a page may hide or fix it by this name
 * @param {string} options.what that is stepped through, such as 'step'
 * @param {number} options.index
 * @param {number} options.count
 * @param {unknown} [options.name] of the current one
 * @param {(index: number) => void} options.onChange
 */
export function stepper({ setting, what, index, count, name, onChange }) {
  const go = (/** @type {number} */ to) => {
    if (to >= 0 && to < count && to !== index) onChange(to)
  }
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const to = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      Home: 0,
      End: count - 1,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    go(to)
  }
  return html`<div
    class="stepper"
    role="group"
    data-setting=${setting}
    aria-label=${what}
    @keydown=${onKey}
  >
    <button
      type="button"
      aria-label="Previous ${what}"
      aria-disabled=${String(index === 0)}
      @click=${() => go(index - 1)}
    >
      ←
    </button>
    <span class="where">${name ?? nothing} <small>${index + 1} of ${count}</small></span>
    <button
      type="button"
      aria-label="Next ${what}"
      aria-disabled=${String(index === count - 1)}
      @click=${() => go(index + 1)}
    >
      →
    </button>
  </div>`
}

/** The number of heads: every exhibit that has one offers the same. */
export const headCounts = /** @type {const} */ ([1, 2, 4, 8])

/** @param {number} value @param {(value: number) => void} onChange */
export function headCount(value, onChange) {
  return segments({
    setting: 'numHeads',
    legend: html`number of heads <i>h</i>`,
    name: 'heads',
    values: headCounts,
    value,
    onChange,
  })
}

/** @param {() => void} onReset @param {boolean} isInitial nothing to take back */
export function resetButton(onReset, isInitial) {
  // Not `disabled`, which would take the focus from a reader who has just pressed it.
  return html`<button
    class="last"
    type="button"
    data-setting="reset"
    aria-disabled=${String(isInitial)}
    @click=${() => {
      if (!isInitial) onReset()
    }}
  >
    Reset
  </button>`
}

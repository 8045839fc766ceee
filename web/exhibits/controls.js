import { html } from 'lit/html.js'

/**
 * One of a few values, all in sight: radio buttons, so that arrow keys, labels and screen readers work as
 * everywhere.
 *
 * @template {string | number} Value
 * @param {object} options
 * @param {unknown} options.legend text or template
 * @param {string} options.name unique in the exhibit
 * @param {readonly Value[]} options.values
 * @param {Value} options.value
 * @param {(value: Value) => unknown} [options.label]
 * @param {(value: Value) => void} options.onChange
 */
export function segments({ legend, name, values, value, label = String, onChange }) {
  return html`<fieldset>
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
 * @param {unknown} options.legend
 * @param {readonly string[]} options.items
 * @param {number} options.index which item is chosen
 * @param {(index: number) => void} options.onChange
 */
export function picker({ legend, items, index, onChange }) {
  return html`<label>
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

/** The number of heads: every exhibit that has one offers the same. */
export const headCounts = /** @type {const} */ ([1, 2, 4, 8])

/** @param {number} value @param {(value: number) => void} onChange */
export function headCount(value, onChange) {
  return segments({
    legend: html`number of heads <i>h</i>`,
    name: 'heads',
    values: headCounts,
    value,
    onChange,
  })
}

/** @param {() => void} onReset @param {boolean} isInitial nothing to take back */
export function resetButton(onReset, isInitial) {
  return html`<button class="last" type="button" ?disabled=${isInitial} @click=${onReset}>
    Reset
  </button>`
}

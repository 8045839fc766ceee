/**
 * What stands around the figures of opened attention: where files are dropped, what is open, its tokens.
 *
 * @import { OpenedData } from './opened-data.js'
 * @import { ShownHeads } from './shown-heads.js'
 */
import { html, nothing } from 'lit/html.js'
import { sizeWords } from './open-words.js'

const KINDS = '.json,.npy,.npz,.safetensors'

/**
 * @param {OpenedData} data
 */
export function dropPanel(data) {
  const onChange = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.currentTarget)
    const files = [...(input.files ?? [])]
    // So that the same file can be chosen again, once it was mended.
    input.value = ''
    data.open(files)
  }
  const stop = (/** @type {Event} */ { currentTarget }) => {
    const panel = /** @type {HTMLElement} */ (currentTarget).closest('.drop')
    data.stop()
    // The button is gone.
    panel?.querySelector('input')?.focus()
  }
  return html`<div class="drop">
    <label>
      <span class="name">Drop files here, or choose them: .safetensors, .npz, .npy or JSON</span>
      <input class="files" type="file" multiple accept=${KINDS} @change=${onChange} />
    </label>
    <p class="promise">They are read in this page and go nowhere.</p>
    ${
      data.reading
        ? html`<p class="reading" role="status">
            Opening ${data.reading} …
            <button type="button" @click=${stop}>Stop</button>
          </p>`
        : nothing
    }
    ${data.note ? html`<p class="note" role="status">${data.note}</p>` : nothing}
    ${
      data.problem
        ? html`<p class="failure" role="alert">
            <strong>This could not be opened.</strong> ${sentence(data.problem)}
            ${data.source ? html`What was open is below, as it was.` : nothing}
          </p>`
        : nothing
    }
  </div>`
}

/** @param {OpenedData} data */
export function openedPanel(data) {
  const { source } = data
  if (!source) return nothing
  const [layers, heads, queries, keys] = source.shape
  return html`<div class="opened">
    <p class="facts">
      <strong>${data.fileName}</strong>: ${source.dtype}, ${sizeWords(source.bytes)},
      ${counted(layers, 'layer')} × ${counted(heads, 'head')} ×
      ${counted(queries, 'query', 'queries')} × ${counted(keys, 'key')}
    </p>
    ${
      data.choices.length > 1
        ? html`<label class="array">
            <span class="name">array in this file</span>
            <select
              .selectedIndex=${data.choice}
              @change=${(/** @type {Event} */ event) =>
                data.choose(/** @type {HTMLSelectElement} */ (event.currentTarget).selectedIndex)}
            >
              ${data.choices.map(
                ({ name, shape, members }, place) =>
                  html`<option ?selected=${place === data.choice}>
                    ${name} (${shape.join(' × ')})${members.length > 1 ? ', stacked' : ''}
                  </option>`,
              )}
            </select>
          </label>`
        : nothing
    }
    ${tokensPanel(data, queries !== keys)}
  </div>`
}

/** @param {OpenedData} data @param {boolean} isCross */
function tokensPanel(data, isCross) {
  const { from, problems } = data.tokens
  return html`<div class="tokens">
    ${from ? html`<p class="from">${from}</p>` : nothing}
    ${problems.map((problem) => html`<p class="warning" role="alert">${problem}</p>`)}
    <details>
      <summary>Other tokens</summary>
      <p>
        Words, one a line, or a JSON list; or open a file of them, or the
        <code>tokenizer.json</code> of the model if the file has <code>input_ids</code>.
      </p>
      ${tokensField(data, 'query', isCross ? 'tokens of the queries' : 'tokens')}
      ${isCross ? tokensField(data, 'key', 'tokens of the keys') : nothing}
    </details>
  </div>`
}

/** @param {OpenedData} data @param {'query' | 'key'} axis @param {string} name */
function tokensField(data, axis, name) {
  return html`<label>
    <span class="name">${name}</span>
    <textarea
      rows="3"
      spellcheck="false"
      .value=${data.typed[axis]}
      @change=${(/** @type {Event} */ event) =>
        data.type(axis, /** @type {HTMLTextAreaElement} */ (event.currentTarget).value)}
    ></textarea>
  </label>`
}

/**
 * How far the survey of all heads is.
 *
 * @param {ShownHeads} shown
 * @param {number} planes
 */
export function progressPanel(shown, planes) {
  const done = shown.survey?.done ?? 0
  if (!shown.isSurveying && !shown.wasStopped) return nothing
  return html`<p class="progress">
    ${
      shown.isSurveying
        ? html`<progress max=${planes} value=${done} aria-label="Heads that were read"></progress> `
        : nothing
    }
    <button type="button" @click=${() => (shown.isSurveying ? shown.stop() : shown.start())}>
      ${shown.isSurveying ? 'Stop' : 'Read all'}
    </button>
    ${shown.wasStopped ? 'Stopped: ' : ''}${done} of ${counted(planes, 'head')} read
  </p>`
}

/** With its end. @param {string} message */
function sentence(message) {
  return /[.!?]$/.test(message) ? message : `${message}.`
}

/** @param {number} count @param {string} one @param {string} [many] */
function counted(count, one, many = `${one}s`) {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

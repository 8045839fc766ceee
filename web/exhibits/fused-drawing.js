import { html, svg } from 'lit/html.js'

/**
 * The way from X to the heads' queries, in four drawings of the actual shapes: a width stands for features, a
 * height for tokens, a sheet for an entry of the batch.
 */

export const steps = /** @type {const} */ (['X', 'X·W', 'reshape', 'permute'])

/** A box of the drawing, in px of its own. */
const unit = { feature: 4, token: 9, sheet: 9 }

/** @param {readonly number[]} shape @returns {string} as Python has it */
export function written(shape) {
  return `(${shape.join(', ')})`
}

/**
 * @param {readonly number[]} shape of the queries: (B, h, N, d_k)
 * @param {number} step up to which the way has been gone
 */
export function drawWay(shape, step) {
  const [batch, numHeads, tokens, width] = shape
  const features = numHeads * width
  // No box is too small for its name, none too wide for its place.
  const boxWidth = Math.max(52, Math.min(200, features * unit.feature))
  const boxHeight = Math.max(20, tokens * unit.token)
  const whole = [batch, tokens, features]
  const shapes = [whole, whole, [batch, tokens, numHeads, width], shape]
  const operations = [
    html`<i>X</i> <small>(B, N, d)</small>`,
    html`<i>X W<sub>Q</sub></i> <small>(B, N, d)</small>`,
    html`reshape <small>(B, N, h, d/h)</small>`,
    html`permute <small>(B, h, N, d/h)</small>`,
  ]
  const undivided = [{ x: 0, width: boxWidth, kind: 'whole', name: `${tokens} × ${features}` }]
  const pictures = [
    sheets(batch, boxWidth, boxHeight, undivided),
    sheets(batch, boxWidth, boxHeight, undivided),
    sheets(batch, boxWidth, boxHeight, headBoxes(numHeads, boxWidth)),
    stack(batch, numHeads, boxWidth / numHeads, boxHeight),
  ]
  return html`<div class="way">
    ${pictures.map(
      (picture, place) =>
        html`<figure class=${place === step ? 'now' : place > step ? 'ahead' : ''}>
          <div class="picture">${picture}</div>
          <figcaption>
            ${operations[place]}<br /><code data-shape=${steps[place]}
              >${written(shapes[place])}</code
            >
          </figcaption>
        </figure>`,
    )}
  </div>`
}

/** @typedef {{ x: number, width: number, kind: string, name: string }} Box */

/** @param {number} heads @param {number} width of all of them @returns {Box[]} */
function headBoxes(heads, width) {
  return Array.from({ length: heads }, (_, head) => ({
    x: (head * width) / heads,
    width: width / heads,
    kind: head % 2 === 0 ? 'even' : 'odd',
    name: heads > 4 && width < 100 ? '' : `${head + 1}`,
  }))
}

/**
 * The entries of a batch, each behind the one before.
 * @param {number} batch @param {number} width @param {number} height @param {Box[]} boxes
 */
function sheets(batch, width, height, boxes) {
  const room = unit.sheet * (batch - 1)
  const places = Array.from({ length: batch }, (_, entry) => batch - 1 - entry)
  return framed(
    width + room,
    height + room,
    places.map((entry) =>
      boxes.map((box) =>
        drawn(
          { ...box, x: box.x + entry * unit.sheet, name: entry === 0 ? box.name : '' },
          room - entry * unit.sheet,
          height,
        ),
      ),
    ),
  )
}

/** Heads below one another. @param {number} batch @param {number} heads @param {number} width @param {number} height */
function stack(batch, heads, width, height) {
  const room = unit.sheet * (batch - 1)
  const pitch = height + 5
  const narrow = Math.max(width, 14)
  const places = Array.from({ length: batch }, (_, entry) => batch - 1 - entry)
  return framed(
    narrow + room,
    heads * pitch + room,
    places.map((entry) =>
      Array.from({ length: heads }, (_, head) =>
        drawn(
          {
            x: entry * unit.sheet,
            width: narrow,
            kind: head % 2 === 0 ? 'even' : 'odd',
            name: entry === 0 ? `${head + 1}` : '',
          },
          room - entry * unit.sheet + head * pitch,
          height,
        ),
      ),
    ),
  )
}

/** @param {number} width @param {number} height @param {unknown} content */
function framed(width, height, content) {
  return html`<svg
    viewBox="-1 -1 ${width + 2} ${height + 2}"
    .style=${`max-width: ${width + 2}px`}
    aria-hidden="true"
  >
    ${content}
  </svg>`
}

/** @param {Box} box @param {number} y @param {number} height */
function drawn({ x, width, kind, name }, y, height) {
  return svg`<rect class=${kind} x=${x} y=${y} width=${width} height=${height}></rect>
    <text x=${x + width / 2} y=${y + height / 2}>${name}</text>`
}

export const drawingStyles = `
      .way {
        display: grid;
        gap: 1.6em 2.2em;
        margin: 1.1em 0 0.4em;
      }

      .way figure {
        position: relative;
        display: grid;
        gap: 0.5em;
        align-content: end;
        min-width: 0;
        margin: 0;
        padding: 0.7em 0.3em;
        border-radius: 0.4em;
        text-align: center;
      }

      .way figure.now {
        background: var(--wash);
      }

      .way figure.ahead {
        visibility: hidden;
      }

      .way figure + figure::before {
        content: '↓';
        position: absolute;
        inset: -1.45em 0 auto;
        color: var(--quiet);
      }

      .way svg {
        display: block;
        width: 100%;
        height: auto;
        margin: 0 auto;
        overflow: visible;
      }

      .way small {
        color: var(--quiet);
        font-size: 0.84em;
        white-space: nowrap;
      }

      .way rect {
        stroke: var(--quiet);
        stroke-width: 1;
      }

      .way text {
        fill: var(--ink);
        font-size: 12px;
        text-anchor: middle;
        dominant-baseline: central;
      }

      .way code {
        font: inherit;
        font-weight: 600;
      }

      .even {
        fill: light-dark(#d9ccef, #4a3a68);
      }

      .odd {
        fill: light-dark(#f3e0c6, #5a4324);
      }

      .whole {
        fill: light-dark(#e8e6ee, #34303f);
      }

      @container (width >= 44em) {
        .way {
          grid-template-columns: repeat(4, minmax(0, 1fr));
        }

        .way figure + figure::before {
          content: '→';
          inset: auto auto 3.7em -1.6em;
        }
      }
`

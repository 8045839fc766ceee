import { html, svg } from 'lit/html.js'
import { convexHull, planeOf } from './plane.js'
import { words } from './polysemy.js'

/**
 * The vectors of both sentences in the plane of 'river' and 'investment', the hulls of the two sentences, and
 * where the outputs for 'bank' lie in them.
 *
 * @import { Point } from './plane.js'
 * @import { Reading, Sense, Vectors } from './polysemy.js'
 */

/** @type {Sense[]} */
const senses = ['river', 'investment']

/**
 * @param {Vectors} vectors
 * @param {Record<Sense, Reading>} readings
 */
export function polysemyPlane(vectors, readings) {
  const see = planeOf(vectors.river, vectors.investment)
  const seen = words.map((word) => ({ word, at: see(vectors[word]) }))
  const outputs = senses.map((sense) => ({ sense, at: see(readings[sense].output) }))
  const place = scaled([...seen, ...outputs].map(({ at }) => at))
  const bank = place(see(vectors.bank))
  const corners = (/** @type {Sense} */ sense) =>
    convexHull(readings[sense].words.map((word) => see(vectors[word])))
      .map((point) => place(point).join(' '))
      .join(',')
  const [river, investment] = outputs.map(({ at }) => at.map((value) => value.toFixed(2)))
  const label = `The plane of river and investment. Along river and along investment the output for bank lies at ${river.join(' and ')} in the sentence with river, at ${investment.join(' and ')} in the one with investment, each within the hull of its sentence.`
  return html`<div class="plane" role="img" aria-label=${label}>
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      ${senses.map((sense) => svg`<polygon class=${sense} points=${corners(sense)}></polygon>`)}
      ${outputs.map(({ sense, at }) => {
        const [x, y] = place(at)
        return svg`<line class=${sense} x1=${bank[0]} y1=${bank[1]} x2=${x} y2=${y}></line>`
      })}
    </svg>
    ${seen.map(({ word, at }) => dot(place(at), 'word', word))}
    ${outputs.map(({ sense, at }) => dot(place(at), `output ${sense}`, `${sense} bank`))}
    <span class="axis across">along “river” →</span>
    <span class="axis up">along “investment” →</span>
  </div>`
}

/**
 * @param {Point} at in percent
 * @param {string} kind
 * @param {string} name
 */
function dot([x, y], kind, name) {
  return html`<span
    class="dot ${kind} ${x > 70 ? 'before' : ''}"
    .style=${`left: ${x}%; top: ${y}%`}
    ><span>${name}</span></span
  >`
}

/**
 * One scale for both axes, with the origin and all points in sight, and room around them.
 * @param {Point[]} points
 * @returns {(point: Point) => [x: number, y: number]} in percent, from the upper left corner
 */
function scaled(points) {
  const low = [0, 1].map((axis) => Math.min(0, ...points.map((point) => point[axis])))
  const high = [0, 1].map((axis) => Math.max(0, ...points.map((point) => point[axis])))
  const range = Math.max(high[0] - low[0], high[1] - low[1], 1e-9)
  const percent = (/** @type {number} */ value, /** @type {number} */ axis) =>
    Math.round(1000 * (8 + (84 * (value - low[axis])) / range)) / 1000
  return ([x, y]) => [percent(x, 0), 100 - percent(y, 1)]
}

export const polysemyPlaneStyles = `
  .plane {
    --river: light-dark(#0f766e, #5fd0c3);
    --investment: light-dark(#b45309, #f5a65b);
    position: relative;
    aspect-ratio: 1;
    width: 100%;
    max-width: 30em;
    margin-inline: auto;
    border-block-end: 1px solid var(--rule);
    border-inline-start: 1px solid var(--rule);
    line-height: 1.2;
  }

  .plane svg {
    position: absolute;
    width: 100%;
    height: 100%;
  }

  .plane .river {
    --color: var(--river);
  }

  .plane .investment {
    --color: var(--investment);
  }

  .plane polygon {
    fill: var(--color);
    fill-opacity: 0.1;
    stroke: var(--color);
    stroke-opacity: 0.6;
    vector-effect: non-scaling-stroke;
  }

  .plane polygon.investment {
    stroke-dasharray: 5 3;
  }

  .plane line {
    stroke: var(--color);
    stroke-width: 2;
    vector-effect: non-scaling-stroke;
  }

  .plane .dot {
    position: absolute;
    width: 0;
    height: 0;
  }

  .plane .dot::before {
    content: '';
    position: absolute;
    inset: -0.28em;
    border-radius: 50%;
    background: var(--ink);
  }

  .plane .output::before {
    inset: -0.45em;
    border: 2px solid var(--surface);
    background: var(--color);
  }

  .plane .dot > span {
    position: absolute;
    bottom: 0.2em;
    left: 0.5em;
    white-space: nowrap;
    text-shadow:
      0 0 3px var(--surface),
      0 0 3px var(--surface),
      0 0 3px var(--surface);
  }

  .plane .before > span {
    right: 0.5em;
    left: auto;
  }

  .plane .output > span {
    top: 0.4em;
    bottom: auto;
    color: var(--color);
    font-weight: 600;
  }

  .plane .axis {
    position: absolute;
    color: var(--quiet);
    font-size: 0.84em;
  }

  .plane .across {
    inset: auto 0.3em 0.3em auto;
  }

  .plane .up {
    top: 0.3em;
    left: 0.3em;
    rotate: 180deg;
    writing-mode: vertical-rl;
    text-orientation: sideways;
  }

  @media (forced-colors: active) {
    .plane .dot::before {
      forced-color-adjust: none;
    }
  }
`

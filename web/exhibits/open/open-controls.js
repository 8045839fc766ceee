/**
 * What can be set of opened attention.
 *
 * @import { AttentionSource } from './attention-source.js'
 * @import { OpenedData } from './opened-data.js'
 * @import { View, Wanted } from './shown-heads.js'
 * @typedef {Omit<Wanted, 'source' | 'tokens'> & { overview: 'weights' | 'entropy' }} Own  the settings
 */
import { html, nothing } from 'lit/html.js'
import { picker, segments, slider, toggle } from '../controls.js'
import { percent } from './open-words.js'
import { MOST_TOKENS } from './shown-heads.js'

/** @type {Record<View, string>} */
const VIEWS = { map: 'heatmap', lines: 'lines', cube: 'cube', rollout: 'rollout' }

/**
 * @param {AttentionSource} source
 * @param {Own} own
 * @param {OpenedData['special']} special tokens that can be left out
 * @param {(part: Partial<Own>) => void} change
 * @param {unknown} reset the button that takes it all back
 */
export function openControls(source, own, special, change, reset) {
  const [layers, heads, queries, keys] = source.shape
  const numbers = (/** @type {number} */ count) =>
    Array.from({ length: count }, (_, index) => String(index + 1))
  const most = MOST_TOKENS[own.view]
  const leaveOut = (/** @type {string} */ text, /** @type {boolean} */ isLeftOut) =>
    change({
      leftOut: [...own.leftOut.filter((other) => other !== text), ...(isLeftOut ? [text] : [])],
    })
  return html`<div class="controls">
    ${segments({
      ...{ setting: 'view', legend: 'show', name: 'view', value: own.view },
      values: /** @type {View[]} */ (Object.keys(VIEWS)),
      label: (view) => VIEWS[view],
      onChange: (view) => change({ view }),
    })}
    ${segments({
      ...{ setting: 'overview', legend: 'of all heads', name: 'overview', value: own.overview },
      values: ['weights', 'entropy'],
      onChange: (overview) => change({ overview }),
    })}
    ${picker({
      ...{ setting: 'layer', legend: 'layer', items: numbers(layers), index: own.layer },
      onChange: (layer) => change({ layer }),
    })}
    ${picker({
      ...{ setting: 'head', legend: 'head', items: numbers(heads), index: own.head },
      onChange: (head) => change({ head }),
    })}
    ${slider({
      ...{ setting: 'mass', legend: 'share of each row kept', low: 0.05, high: 1, step: 0.05 },
      ...{ value: own.mass, format: percent, onChange: (mass) => change({ mass }) },
    })}
    ${
      Math.max(queries, keys) > most && own.view !== 'rollout'
        ? slider({
            ...{ setting: 'firstToken', legend: 'tokens shown from', low: 0, step: 1 },
            ...{ high: Math.max(queries, keys) - most, value: own.firstToken },
            format: (first) => String(first + 1),
            onChange: (firstToken) => change({ firstToken }),
          })
        : nothing
    }
    ${
      special.length > 0
        ? html`<fieldset data-setting="leftOut">
            <legend>leave out</legend>
            <div class="special">
              ${special.map(({ text, count }) =>
                toggle({
                  setting: 'leftOut',
                  legend: html`<bdi>${text}</bdi>${count > 1 ? ` × ${count}` : ''}`,
                  value: own.leftOut.includes(text),
                  onChange: (isLeftOut) => leaveOut(text, isLeftOut),
                }),
              )}
            </div>
          </fieldset>`
        : nothing
    }
    ${toggle({
      setting: 'renormalize',
      legend: 'divide what is left by its sum',
      value: own.renormalize,
      onChange: (renormalize) => change({ renormalize }),
    })}
    ${reset}
  </div>`
}

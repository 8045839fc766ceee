/**
 * Curves and a table of how the softmax saturates with d_k.
 *
 * @import { SaturationRow } from '../engine/saturation.js'
 * @import { ChartOptions, LineSeries } from '../views/charts/chart.js'
 */
import { html } from 'lit/html.js'
import { fixed } from './format.js'

/** The notebook calls a softmax saturated when its mean p(1 − p) is below this, whatever the number of keys. */
export const NOTEBOOK_THRESHOLD = 0.03
/** The same for any number of keys: this share of what uniform attention has. For 10 keys both are one. */
const SATURATED_SHARE = 1 / 3

/** p(1 − p) of uniform attention. @param {number} keys */
export function uniformDiagonal(keys) {
  return (1 / keys) * (1 - 1 / keys)
}

/** @param {SaturationRow} row */
export function isSaturated({ unscaled }) {
  return unscaled.relativeToUniform < SATURATED_SHARE
}

/**
 * @param {readonly SaturationRow[]} rows
 * @param {'meanDiagonal' | 'jacobianNorm'} measure
 * @returns {LineSeries[]}
 */
function lines(rows, measure) {
  const x = rows.map(({ dK }) => dK)
  return [
    {
      name: 'scaled by 1/√d_k',
      x,
      y: rows.map(({ scaled }) => scaled[measure]),
      markers: true,
      color: 0,
    },
    {
      name: 'unscaled',
      x,
      y: rows.map(({ unscaled }) => unscaled[measure]),
      markers: true,
      dashed: true,
      color: 1,
    },
  ]
}

/**
 * The notebook's curve: the mean of the Jacobian's diagonal.
 * @param {readonly SaturationRow[]} rows
 * @param {number} keys
 * @returns {Pick<ChartOptions, 'lines' | 'rules' | 'y' | 'summary'>}
 */
export function diagonalChart(rows, keys) {
  const uniform = uniformDiagonal(keys)
  return {
    lines: lines(rows, 'meanDiagonal'),
    rules: [
      { axis: 'y', value: uniform, name: 'uniform attention' },
      { axis: 'y', value: NOTEBOOK_THRESHOLD, name: '0.03' },
    ],
    y: { label: 'mean of p(1 − p)', domain: [0, Math.max(0.12, 1.2 * uniform)] },
    summary: summarize(rows, 'meanDiagonal', 'The mean of p(1 − p)'),
  }
}

/**
 * @param {readonly SaturationRow[]} rows
 * @returns {Pick<ChartOptions, 'lines' | 'summary'>}
 */
export function normChart(rows) {
  return {
    lines: lines(rows, 'jacobianNorm'),
    summary: summarize(rows, 'jacobianNorm', 'The norm of the Jacobian'),
  }
}

/**
 * @param {readonly SaturationRow[]} rows
 * @param {'meanDiagonal' | 'jacobianNorm'} measure
 * @param {string} what
 */
function summarize(rows, measure, what) {
  const [first, last] = [rows[0], rows[rows.length - 1]]
  if (!Number.isFinite(last?.scaled[measure])) return 'Measuring.'
  const range = (/** @type {'scaled' | 'unscaled'} */ kind) =>
    `from ${fixed(first[kind][measure], 4)} to ${fixed(last[kind][measure], 4)}`
  return `${what}, from d_k ${first.dK} to ${last.dK}: scaled ${range('scaled')}, unscaled ${range('unscaled')}.`
}

/** @param {readonly SaturationRow[]} rows */
export function saturationTable(rows) {
  return html`<table class="measured">
    <thead>
      <tr>
        <th scope="col">
          <i>d<sub>k</sub></i>
        </th>
        <th scope="col">mean <i>p</i>(1 − <i>p</i>), scaled</th>
        <th scope="col">unscaled</th>
        <th scope="col">ratio</th>
        <th scope="col" class="spare">unscaled, of uniform</th>
        <th scope="col" class="spare">largest weight, unscaled</th>
        <th scope="col" class="verdict">regime</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => {
        const { dK, trials, scaled, unscaled } = row
        const known = trials > 0
        const number = (/** @type {number} */ value, /** @type {number} */ digits) =>
          known ? fixed(value, digits) : ''
        const saturated = known && isSaturated(row)
        return html`<tr data-size=${dK}>
          <th scope="row">${dK}</th>
          <td>${number(scaled.meanDiagonal, 5)}</td>
          <td>${number(unscaled.meanDiagonal, 5)}</td>
          <td>${known ? `${fixed(scaled.meanDiagonal / unscaled.meanDiagonal, 1)}×` : ''}</td>
          <td class="spare">${known ? `${fixed(100 * unscaled.relativeToUniform, 0)} %` : ''}</td>
          <td class="spare">${number(unscaled.largestWeight, 3)}</td>
          <td class="verdict ${saturated ? 'breaks' : 'holds'}">
            ${known ? (saturated ? 'saturated' : 'open') : ''}
          </td>
        </tr>`
      })}
    </tbody>
  </table>`
}

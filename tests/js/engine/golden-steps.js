import { expect } from 'vitest'
import { expectClose } from '../compare.js'
import { figures } from '../golden.js'

/** @typedef {import('../../../web/engine/reference.js').Explanation} Explanation */

/**
 * One row of attention, explained in float64, against its golden steps.
 * @param {Explanation} row
 * @param {any} wanted
 */
export function expectExplained(row, wanted) {
  const close = { tolerance: 1e-12 }
  expectClose(figures([...row.raw]), wanted.raw, close)
  expectClose(figures([...row.scaled]), wanted.scaled, close)
  expectClose(figures([...row.masked]), wanted.masked, close)
  expectClose(figures([...row.exp]), wanted.exp, close)
  expectClose(figures([...row.weights]), wanted.weights, close)
  expectClose(figures([...row.contributionNorms]), wanted.contribution_norms, close)
  expectClose(figures([...row.shareAlongOutput]), wanted.share_along_output, close)
  expectClose(figures([...row.output]), wanted.output, close)
  expect([...row.rankInRow]).toEqual(wanted.rank_in_row)
  expect(row.rowMax).toBeCloseTo(wanted.row_max, 12)
  expect(row.rowSum).toBeCloseTo(wanted.row_sum, 12)
}

/**
 * The same row of a forward pass with stages, in float32.
 * @param {any} found the pass's result
 * @param {any} wanted
 * @param {number} tolerance
 */
export function expectStages(found, wanted, tolerance) {
  /** @param {string} name */
  const row = (name) => {
    const { data, shape } = found[name]
    const width = name.startsWith('row') ? 1 : shape.at(-1)
    return figures([...data.slice(wanted.query_row * width, (wanted.query_row + 1) * width)])
  }
  expectClose(row('scores'), wanted.masked, { tolerance })
  expectClose(row('exp'), wanted.exp, { tolerance })
  expectClose(row('weights'), wanted.weights, { tolerance })
  expectClose(row('output'), wanted.output, { tolerance })
  expectClose(row('logits'), wanted.raw, { tolerance })
  expectClose(row('rowMax'), figures([wanted.row_max]), { tolerance })
  expectClose(row('rowSum'), figures([wanted.row_sum]), { tolerance })
}

/**
 * From the page to the picture. Things are measured from the left top corner of the element that is pictured, so that
 * a page that is scrolled meanwhile does no harm; the picture begins where there is something to see, and bands that
 * controls left empty are taken out.
 */

/**
 * @import { Box } from '../views/dom.js'
 * @typedef {{ top: number, bottom: number }} Band
 */

/** Around a picture's content, px. */
const MARGIN = 8
/** What stays of a band that is taken out, px. */
const LEAST_GAP = 16

export class Place {
  #snap
  #bands
  #left
  #top

  /**
   * @param {Box} bounds of what is seen
   * @param {readonly Band[]} bands taken out, from top to bottom
   * @param {number} pixels of the picture to a CSS pixel: edges lie on whole ones
   */
  constructor({ left, top, width, height }, bands, pixels) {
    this.#snap = pixels
    this.#bands = bands
    this.#left = Math.floor(left) - MARGIN
    this.#top = Math.floor(top) - MARGIN
    this.width = Math.ceil(left + width) - this.#left + MARGIN
    const end = Math.ceil(top + height) + MARGIN
    this.height = Math.ceil(this.y(end))
  }

  /** @param {number} x */
  x(x) {
    return x - this.#left
  }

  /** @param {number} y */
  y(y) {
    let gone = 0
    for (const { top, bottom } of this.#bands) {
      if (y > top) gone += Math.min(y, bottom) - top
    }
    return y - this.#top - gone
  }

  /** @param {number} length @returns {number} on a whole pixel */
  snap(length) {
    return Math.round(length * this.#snap) / this.#snap
  }

  /** @param {Box} box @returns {Box} on whole pixels */
  box({ left, top, width, height }) {
    const [x, y] = [this.snap(this.x(left)), this.snap(this.y(top))]
    return {
      ...{ left: x, top: y },
      ...{
        width: this.snap(this.x(left + width)) - x,
        height: this.snap(this.y(top + height)) - y,
      },
    }
  }
}

/**
 * Bands across the whole picture in which there was nothing but controls that are left out.
 *
 * @param {readonly Box[]} inks what is seen
 * @param {readonly Box[]} holes where something was left out
 * @returns {Band[]}
 */
export function emptyBands(inks, holes) {
  /** @type {Band[]} */
  const bands = []
  const sorted = [...inks].sort((a, b) => a.top - b.top)
  let bottom = Infinity
  for (const ink of sorted) {
    // Whole pixels, so that what follows keeps its place between pixels.
    const gap = {
      top: Math.ceil(bottom + LEAST_GAP / 2),
      bottom: Math.floor(ink.top - LEAST_GAP / 2),
    }
    const inGap = holes.filter((hole) => hole.top + hole.height > gap.top && hole.top < gap.bottom)
    if (gap.bottom > gap.top && inGap.length > 0) bands.push(gap)
    bottom = Math.max(bottom === Infinity ? -Infinity : bottom, ink.top + ink.height)
  }
  return bands
}

/** @param {readonly Box[]} boxes @returns {Box} around all */
export function around(boxes) {
  const left = Math.min(...boxes.map((box) => box.left))
  const top = Math.min(...boxes.map((box) => box.top))
  const right = Math.max(...boxes.map((box) => box.left + box.width))
  const bottom = Math.max(...boxes.map((box) => box.top + box.height))
  return { left, top, width: right - left, height: bottom - top }
}

/** Whether one box lies in the other, from top to bottom. @param {Box} box @param {Box} inner @returns {boolean} */
export function holds(box, inner) {
  return box.top <= inner.top && box.top + box.height >= inner.top + inner.height
}

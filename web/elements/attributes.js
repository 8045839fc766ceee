/**
 * Attributes for data: JSON for small tensors and tokens. An attribute is written by hand, so what cannot
 * be read is kept as such and reported in the figure's place, where its author sees it.
 */

/** What an attribute held that could not be read. */
export class InvalidAttribute {
  /** @param {string} text @param {string} problem */
  constructor(text, problem) {
    this.text = text
    this.problem = problem
  }
}

/** @param {string} text @returns {unknown} */
function readJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    const start = text.length > 30 ? `${text.slice(0, 29)}…` : text
    return new InvalidAttribute(text, `expected JSON, got ${JSON.stringify(start)}`)
  }
}

/** `[[0.2, 0.8], [1, 0]]`, or `{ "data": […], "shape": […] }`. */
export const jsonAttribute = {
  /** @param {string | null} text */
  fromAttribute: (text) => (text === null ? undefined : readJson(text)),
}

/** JSON, or words between spaces. */
export const tokensAttribute = {
  /** @param {string | null} text */
  fromAttribute: (text) => {
    if (text === null) return undefined
    return text.trim().startsWith('[') ? readJson(text) : text.trim().split(/\s+/)
  },
}

/** `0 1`, `0, 1` or `[0, 1]`. */
export const domainAttribute = {
  /** @param {string | null} text */
  fromAttribute: (text) => {
    if (text === null) return undefined
    const numbers = text
      .replace(/[[\]]/g, ' ')
      .trim()
      .split(/[\s,]+/)
    return numbers.map(Number)
  },
}

/** A number; anything else is NaN, which the view reports. */
export const numberAttribute = {
  /** @param {string | null} text */
  fromAttribute: (text) => (text === null ? undefined : Number(text)),
  /** @param {unknown} value */
  toAttribute: (value) => (value === undefined || value === null ? null : String(value)),
}

/** `on` or `off`; an attribute that is missing, or has no value, says on. */
export const switchAttribute = {
  /** @param {string | null} text */
  fromAttribute: (text) => {
    if (text === null || text === '' || text === 'on') return true
    return text === 'off'
      ? false
      : new InvalidAttribute(text, `expected on or off, got ${JSON.stringify(text)}`)
  },
}

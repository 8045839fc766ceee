/**
 * Attributes for data: JSON for small tensors and tokens, the address of a file for others. An attribute is
 * written by hand, so what cannot be read is kept as such and reported in the figure's place, where its author
 * sees it.
 */

/** What an attribute held that could not be read. */
export class InvalidAttribute {
  /** @param {string} text @param {string} problem */
  constructor(text, problem) {
    this.text = text
    this.problem = problem
  }
}

/** The address of a file, which is still to be loaded: what is in it takes this one's place. */
export class FileAttribute {
  /** @param {string} address relative to the page; after `#` the name of one array in the file */
  constructor(address) {
    this.address = address
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

/**
 * A text that begins with `[` or `{` is JSON: `[[0.2, 0.8], [1, 0]]`, or `{ "data": […], "shape": […] }`. Any
 * other is the address of a file, relative to the page: `weights.npy`, or `weights.npz#layer-3`, where the file
 * holds several arrays.
 */
export const dataAttribute = {
  /** @param {string | null} text */
  fromAttribute: (text) => {
    if (text === null) return undefined
    if (/^\s*[[{]/.test(text)) return readJson(text)
    return text.trim() === ''
      ? new InvalidAttribute(text, 'expected JSON or the address of a file, got nothing')
      : new FileAttribute(text)
  },
}

/**
 * JSON, or words between spaces. Never an address, since any word may be a token: files of tokens have an
 * attribute of their own, `tokens-src`.
 */
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

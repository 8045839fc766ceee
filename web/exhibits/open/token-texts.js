/**
 * Tokens as people can read them: from text, and from how vocabularies write them.
 */

/**
 * Tokens from what someone typed: a JSON list, one a line, or words between spaces.
 *
 * @param {string} text
 * @returns {string[] | null} null where there is nothing
 * @throws {TypeError} for JSON that is no list of texts
 */
export function tokensFromText(text) {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (/^\[\s*("|\])/.test(trimmed)) return tokensFromJson(trimmed)
  // A token of spaces may stand on a line, and the last line has an end.
  if (/[\r\n]/.test(trimmed)) return text.replace(/(\r?\n)+$/, '').split(/\r?\n/)
  return trimmed.split(/\s+/)
}

/**
 * @param {string} text
 * @returns {string[]}
 * @throws {TypeError}
 */
export function tokensFromJson(text) {
  /** @type {unknown} */
  let value
  try {
    value = JSON.parse(text)
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    throw new TypeError(`tokens: expected a JSON list of texts: ${message}`, { cause: error })
  }
  if (Array.isArray(value) && value.every((token) => typeof token === 'string')) return value
  throw new TypeError('tokens: expected a JSON list of texts, such as ["the", "cat"]')
}

/**
 * How a vocabulary writes tokens: `bytes`, a letter for each byte, so that a space is `Ġ` (GPT-2, Llama 3, …);
 * `sentencepiece`, with `▁` for a space (T5, Llama 2, …); or as they are.
 *
 * @typedef {'bytes' | 'sentencepiece' | 'plain'} Spelling
 */

/** @param {readonly string[]} tokens @returns {Spelling} as far as tokens show it */
export function spellingOf(tokens) {
  if (tokens.some((token) => /^[ĠĊ]/.test(token))) return 'bytes'
  return tokens.some((token) => token.startsWith('▁')) ? 'sentencepiece' : 'plain'
}

/** @param {string} token @param {Spelling} spelling @returns {string} */
export function readable(token, spelling) {
  if (spelling === 'bytes') return fromBytes(token)
  if (spelling !== 'sentencepiece') return token
  const byte = /^<0x([0-9A-F]{2})>$/.exec(token)
  if (byte) return textOf(Uint8Array.of(Number.parseInt(byte[1], 16)))
  return token.replaceAll('▁', ' ')
}

/** @type {Map<string, number> | undefined} */
let bytesOfLetters

/** The letters that GPT-2 gave to bytes: printable ones are themselves, others come from U+0100 on, in order. */
function letters() {
  if (bytesOfLetters) return bytesOfLetters
  const map = new Map()
  let next = 256
  for (let byte = 0; byte < 256; byte++) {
    const isPrintable =
      (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255)
    map.set(String.fromCharCode(isPrintable ? byte : next++), byte)
  }
  return (bytesOfLetters = map)
}

/** @param {string} token */
function fromBytes(token) {
  const map = letters()
  const bytes = Array.from(token, (letter) => map.get(letter))
  // What was added to a vocabulary is not written in bytes.
  return bytes.includes(undefined)
    ? token
    : textOf(Uint8Array.from(/** @type {number[]} */ (bytes)))
}

/** A part of a letter stays bytes. @param {Uint8Array} bytes */
function textOf(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return Array.from(
      bytes,
      (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    ).join('')
  }
}

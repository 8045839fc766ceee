/**
 * The vocabulary of a `tokenizer.json`, as Hugging Face's tokenizers write it. Nothing is tokenized here: a file of
 * attention brings the numbers of its tokens (`input_ids`), and only their texts are looked up.
 *
 * @import { Spelling } from './token-texts.js'
 * @typedef {object} Vocabulary
 * @property {Map<number, string>} texts by number, as the vocabulary writes them
 * @property {ReadonlySet<string>} special texts of special tokens
 * @property {Spelling} spelling
 */

/**
 * @param {unknown} json
 * @param {string} where for messages
 * @returns {Vocabulary}
 * @throws {TypeError} in words, if it is none
 */
export function readVocabulary(json, where) {
  const { model, added_tokens, decoder, pre_tokenizer } = object(json)
  const { vocab } = object(model)
  /** @type {Map<number, string>} */
  const texts = new Map()
  if (Array.isArray(vocab)) {
    // Unigram: texts with their scores, in order.
    vocab.forEach((entry, id) => Array.isArray(entry) && texts.set(id, String(entry[0])))
  } else {
    for (const [text, id] of Object.entries(object(vocab))) {
      if (Number.isInteger(id)) texts.set(/** @type {number} */ (id), text)
    }
  }
  /** @type {Set<string>} */
  const special = new Set()
  for (const added of Array.isArray(added_tokens) ? added_tokens : []) {
    const { id, content, special: isSpecial } = object(added)
    if (!Number.isInteger(id) || typeof content !== 'string') continue
    texts.set(/** @type {number} */ (id), content)
    if (isSpecial === true) special.add(content)
  }
  if (texts.size === 0) {
    throw new TypeError(
      `${where}: expected a tokenizer.json with a vocabulary, and found none in it`,
    )
  }
  return { texts, special, spelling: spelling([decoder, pre_tokenizer], texts) }
}

/** @param {unknown} value @returns {Record<string, unknown>} */
function object(value) {
  return typeof value === 'object' && value !== null
    ? /** @type {Record<string, unknown>} */ (value)
    : {}
}

/** @param {unknown[]} parts that say so @param {Map<number, string>} texts @returns {Spelling} */
function spelling(parts, texts) {
  const types = JSON.stringify(parts)
  if (types.includes('"ByteLevel"')) return 'bytes'
  const isMetaspace = types.includes('"Metaspace"') || types.includes('"▁"')
  return isMetaspace || [...texts.values()].includes('▁') ? 'sentencepiece' : 'plain'
}

/**
 * @param {Vocabulary} vocabulary
 * @param {ArrayLike<number>} ids
 * @returns {string[]} a number that it does not have is shown as such
 */
export function lookUp({ texts }, ids) {
  return Array.from(ids, (id) => texts.get(id) ?? `#${id}`)
}

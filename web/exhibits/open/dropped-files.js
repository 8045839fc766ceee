/**
 * What is in files that someone chose or dropped: attention, tokens, a tokenizer's vocabulary.
 *
 * @import { TensorFile } from '../../data/tensor-file.js'
 * @import { AttentionChoice } from './attention-source.js'
 * @import { Vocabulary } from './tokenizer-vocabulary.js'
 *
 * @typedef {object} FileTokens  what a file of attention tells of its tokens
 * @property {string[] | null} tokens
 * @property {string[] | null} queryTokens
 * @property {string[] | null} keyTokens
 * @property {number[] | null} ids numbers in a vocabulary
 *
 * @typedef {object} OpenedAttention
 * @property {TensorFile} file
 * @property {AttentionChoice[]} choices
 * @property {FileTokens} tokens
 *
 * @typedef {object} Dropped
 * @property {OpenedAttention | null} attention
 * @property {{ list: string[], name: string } | null} tokens of a file that has nothing else
 * @property {{ name: string, vocabulary: Vocabulary } | null} tokenizer
 */
import { openTensorFile } from '../../data/open.js'
import { formatShape } from '../../engine/errors.js'
import { sizeOf } from '../../engine/tensor.js'
import { attentionChoices } from './attention-source.js'
import { readVocabulary } from './tokenizer-vocabulary.js'
import { tokensFromJson } from './token-texts.js'

/** More tokens than attention is ever computed for. */
const MOST_TOKENS = 2 ** 20

/**
 * @param {readonly File[]} files
 * @param {AbortSignal} signal
 * @returns {Promise<Dropped>}
 * @throws {TypeError | RangeError} in words, if one of them cannot be read or is none of these
 */
export async function readDropped(files, signal) {
  /** @type {Dropped} */
  const dropped = { attention: null, tokens: null, tokenizer: null }
  try {
    for (const file of files) {
      const part = await readOne(file, signal)
      for (const [kind, value] of Object.entries(part)) {
        if (!value) continue
        if (dropped[/** @type {keyof Dropped} */ (kind)]) {
          if (part.attention) part.attention.file.close()
          throw new TypeError(`${file.name}: is a second file with ${kind}; open one at a time`)
        }
        Object.assign(dropped, { [kind]: value })
      }
    }
    return dropped
  } catch (error) {
    dropped.attention?.file.close()
    throw error
  }
}

/** @param {File} blob @param {AbortSignal} signal @returns {Promise<Partial<Dropped>>} */
async function readOne(blob, signal) {
  const file = await openTensorFile(blob, { signal })
  if (file.kind === 'json' && file.arrays.some(({ name }) => name === 'model')) {
    file.close()
    const vocabulary = readVocabulary(JSON.parse(await blob.text()), file.name)
    return { tokenizer: { name: file.name, vocabulary } }
  }
  try {
    const choices = attentionChoices(file)
    const tokens = await tokensIn(file, signal)
    if (choices.length > 0) return { attention: { file, choices, tokens } }
    if (tokens.tokens) {
      file.close()
      return { tokens: { list: tokens.tokens, name: file.name } }
    }
    throw new TypeError(`${file.name}: ${whyNone(file)}`)
  } catch (error) {
    file.close()
    throw error
  }
}

/** @param {TensorFile} file */
function whyNone({ arrays }) {
  const damaged = arrays.find(({ problem }) => problem !== undefined)
  if (damaged) return `holds nothing that can be shown: ${damaged.problem}`
  const shown = arrays
    .slice(0, 6)
    .map(({ name, dtype, shape }) => `“${name}” ${dtype} ${formatShape(shape)}`)
  if (arrays.length > 6) shown.push(`${arrays.length - 6} more`)
  return `expected attention, floats of shape (N, M), (h, N, M) or (layers, h, N, M); it holds ${shown.join(', ') || 'nothing'}`
}

/** @param {TensorFile} file @param {AbortSignal} signal @returns {Promise<FileTokens>} */
async function tokensIn(file, signal) {
  const lists = file.arrays.filter(
    ({ dtype, shape, problem }) => dtype === 'str' && !problem && sizeOf(shape) <= MOST_TOKENS,
  )
  /** @param {string[]} names @param {boolean} [orAny] */
  const strings = async (names, orAny = false) => {
    const found = lists.find(({ name }) => names.includes(name)) ?? (orAny ? lists[0] : undefined)
    if (found) return file.strings(found.name, { signal })
    const text = names.map((name) => file.metadata[name]).find((value) => value !== undefined)
    return text === undefined ? null : tokensFromJson(text)
  }
  const queryTokens = await strings(['query_tokens', 'queryTokens'])
  const keyTokens = await strings(['key_tokens', 'keyTokens'])
  const tokens = await strings(['tokens'], !queryTokens && !keyTokens)
  return { tokens, queryTokens, keyTokens, ids: await idsIn(file, signal) }
}

/** @param {TensorFile} file @param {AbortSignal} signal @returns {Promise<number[] | null>} */
async function idsIn(file, signal) {
  const found = file.arrays.find(
    ({ name, dtype, shape, problem }) =>
      name === 'input_ids' && dtype !== 'str' && !problem && sizeOf(shape) <= MOST_TOKENS,
  )
  return found ? Array.from((await file.read(found.name, { signal })).data) : null
}

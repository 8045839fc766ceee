/**
 * Which tokens stand at the axes: what was typed before what was opened, and before what the file itself tells.
 *
 * @import { Dropped, FileTokens } from './dropped-files.js'
 * @typedef {object} TokenSources
 * @property {{ query: string, key: string }} typed `key`: where it is empty, `query` stands for both
 * @property {Dropped['tokens']} list of a file of tokens
 * @property {Dropped['tokenizer']} tokenizer
 * @property {FileTokens | null} own the attention file's
 *
 * @typedef {object} ChosenTokens
 * @property {string[] | null} query null: numbers stand in their place
 * @property {string[] | null} key
 * @property {string} from where they come from, in words
 * @property {string[]} problems in words
 */
import { readable, spellingOf, tokensFromText } from './token-texts.js'
import { lookUp } from './tokenizer-vocabulary.js'

/**
 * @param {TokenSources} sources
 * @param {{ queries: number, keys: number }} sizes
 * @returns {ChosenTokens}
 */
export function chooseTokens(sources, { queries, keys }) {
  /** @type {string[]} */
  const problems = []
  const found = pick(sources, problems)
  if (!found)
    return {
      query: null,
      key: null,
      from: 'There are no tokens: numbers stand in their place.',
      problems,
    }
  const { query, key, where } = found
  const fits = { query: query?.length === queries, key: key?.length === keys }
  for (const [axis, list, isFit, count, name] of /** @type {const} */ ([
    ['query', query, fits.query, queries, 'queries'],
    ['key', key, fits.key, keys, 'keys'],
  ])) {
    if (!list || isFit) continue
    // One list for both axes of another length can only be that of one of them.
    if (query === key && queries !== keys && (fits.query || fits.key)) continue
    if (query === key && axis === 'key' && queries === keys) continue
    problems.push(
      `${list.length} ${list.length === 1 ? 'token' : 'tokens'} ${where}, but the attention has ${count} ${name}. Numbers stand in their place.`,
    )
  }
  return {
    query: fits.query ? query : null,
    key: fits.key ? key : null,
    from: fits.query || fits.key ? `Tokens ${where}.` : '',
    problems,
  }
}

/**
 * @param {TokenSources} sources
 * @param {string[]} problems is added to
 * @returns {{ query: string[] | null, key: string[] | null, where: string } | null}
 */
function pick({ typed, list, tokenizer, own }, problems) {
  try {
    const query = tokensFromText(typed.query)
    const key = tokensFromText(typed.key) ?? query
    if (query || key) return { query, key, where: 'as you wrote them' }
  } catch (error) {
    problems.push(/** @type {Error} */ (error).message)
  }
  if (list) return both(list.list, `from ${list.name}`)
  if (tokenizer && own?.ids) {
    const { vocabulary, name } = tokenizer
    const texts = lookUp(vocabulary, own.ids).map((token) =>
      vocabulary.special.has(token) ? token : readable(token, vocabulary.spelling),
    )
    return { query: texts, key: texts, where: `of input_ids, looked up in ${name}` }
  }
  if (tokenizer) {
    problems.push(
      `${tokenizer.name}: has texts for numbers, but the file of attention has no input_ids.`,
    )
  }
  if (!own) return null
  const { tokens, queryTokens, keyTokens } = own
  if (queryTokens || keyTokens) {
    const query = spelled(queryTokens ?? tokens)
    return { query, key: spelled(keyTokens ?? tokens), where: 'from the file' }
  }
  return tokens ? both(tokens, 'from the file') : null
}

/** @param {string[]} tokens @param {string} where */
function both(tokens, where) {
  const texts = spelled(tokens)
  return { query: texts, key: texts, where }
}

/** @template {string[] | null} List @param {List} tokens @returns {List} */
function spelled(tokens) {
  if (!tokens) return tokens
  const spelling = spellingOf(tokens)
  return /** @type {List} */ (tokens.map((token) => readable(token, spelling)))
}

/**
 * What a reader has opened: attention, and the tokens at its axes. Something that cannot be opened leaves everything
 * as it was, and a message.
 *
 * @import { AttentionChoice } from './attention-source.js'
 * @import { OpenedAttention } from './dropped-files.js'
 * @import { ChosenTokens, TokenSources } from './token-choice.js'
 */
import { problemOf } from '../../problem.js'
import { AttentionSource } from './attention-source.js'
import { readDropped } from './dropped-files.js'
import { specialTokens } from './row-changes.js'
import { chooseTokens } from './token-choice.js'

export class OpenedData {
  #signal
  #onChange
  /** @type {OpenedAttention | null} */
  #attention = null
  /** @type {TokenSources} */
  #tokenSources = { typed: { query: '', key: '' }, list: null, tokenizer: null, own: null }
  /** @type {AbortController | null} */
  #reading = null

  /** @type {AttentionSource | null} */
  source = null
  /** Which of the file's `choices` the source is. */
  choice = 0
  /** @type {ChosenTokens} */
  tokens = { query: null, key: null, from: '', problems: [] }
  /** What is still missing, in words, or ''. */
  note = ''
  /** What could not be opened, in words, or ''. */
  problem = ''
  /** What is being opened, or ''. */
  reading = ''

  /** @param {AbortSignal} signal ends with the figure @param {() => void} onChange */
  constructor(signal, onChange) {
    this.#signal = signal
    this.#onChange = onChange
    signal.addEventListener(
      'abort',
      () => {
        this.#reading?.abort()
        this.#attention?.file.close()
      },
      { once: true },
    )
  }

  get fileName() {
    return this.#attention?.file.name ?? ''
  }

  /** @returns {readonly AttentionChoice[]} */
  get choices() {
    return this.#attention?.choices ?? []
  }

  /** What was typed as tokens. */
  get typed() {
    return this.#tokenSources.typed
  }

  /** The special ones among the tokens. */
  get special() {
    const { query, key } = this.tokens
    const lists = [query, key].flatMap((list) => (list ? [list] : []))
    return specialTokens(lists, this.#tokenSources.tokenizer?.vocabulary.special)
  }

  /**
   * Opens files: one of attention, or one of tokens or a tokenizer for what is open, or both at once.
   * @param {readonly File[]} files
   */
  async open(files) {
    if (files.length === 0) return
    this.#reading?.abort()
    const stop = new AbortController()
    this.#reading = stop
    this.reading = files.map(({ name }) => name).join(', ')
    this.problem = ''
    this.note = ''
    this.#onChange()
    try {
      const { attention, tokens, tokenizer } = await readDropped(files, stop.signal)
      if (stop.signal.aborted || this.#signal.aborted) {
        attention?.file.close()
        return
      }
      const news = { ...(tokens && { list: tokens }), ...(tokenizer && { tokenizer }) }
      await this.#take(attention, news, stop.signal)
    } catch (error) {
      if (stop.signal.aborted) return
      this.problem = problemOf(error)
    }
    if (this.#reading !== stop) return
    this.#reading = null
    this.reading = ''
    this.#onChange()
  }

  /** Ends the opening; what was open stays. */
  stop() {
    this.#reading?.abort()
    this.#reading = null
    this.reading = ''
    this.#onChange()
  }

  /** Shows another of the file's arrays. @param {number} choice */
  choose(choice) {
    if (!this.#attention) return
    try {
      this.source = sourceOf(this.#attention, choice)
      this.choice = choice
      this.problem = ''
    } catch (error) {
      this.problem = problemOf(error)
    }
    this.#setTokens()
    this.#onChange()
  }

  /** Takes tokens that were typed. @param {'query' | 'key'} axis @param {string} text */
  type(axis, text) {
    this.#tokenSources = {
      ...this.#tokenSources,
      typed: { ...this.#tokenSources.typed, [axis]: text },
    }
    this.#setTokens()
    this.#onChange()
  }

  /**
   * @param {OpenedAttention | null} attention
   * @param {Partial<TokenSources>} news
   * @param {AbortSignal} signal
   */
  async #take(attention, news, signal) {
    if (attention) {
      let source
      try {
        source = sourceOf(attention, 0)
        // A head is read before anything else goes: what is cut off shows itself.
        await source.rows(source.planes - 1, source.shape[2] - 1, source.shape[2], signal)
        await source.rows(0, 0, 1, signal)
      } catch (error) {
        attention.file.close()
        throw error
      }
      // Tokens of the file before say nothing of this one; a tokenizer may.
      const old = this.#attention ? { typed: { query: '', key: '' }, list: null } : {}
      this.#attention?.file.close()
      this.#attention = attention
      this.source = source
      this.choice = 0
      this.#tokenSources = { ...this.#tokenSources, ...old, own: attention.tokens }
    }
    this.#tokenSources = { ...this.#tokenSources, ...news }
    this.#setTokens()
    if (!attention && !this.source) {
      this.note = 'Now open a file of attention to see them at its axes.'
    }
  }

  #setTokens() {
    if (!this.source) return
    const [, , queries, keys] = this.source.shape
    this.tokens = chooseTokens(this.#tokenSources, { queries, keys })
  }
}

/** @param {OpenedAttention} attention @param {number} choice */
function sourceOf({ file, choices }, choice) {
  return new AttentionSource(file, choices[choice])
}

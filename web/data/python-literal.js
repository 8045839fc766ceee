/**
 * Python's literals, as far as headers of .npy files have them: dictionaries, tuples, lists, strings, whole
 * numbers, True, False and None. Read by a grammar, never run.
 */

/** Deeper than any header goes. */
const MOST_DEPTH = 8

const TOKEN =
  /\s*(?:([{}()[\],:])|'([^'\\\n]*)'|"([^"\\\n]*)"|(-?\d+)L?(?![\w.])|(True|False|None)(?!\w))/y

const WORDS = new Map([
  ['True', true],
  ['False', false],
  ['None', null],
])

/**
 * @param {string} text one literal, with white space around it
 * @returns {unknown} a dictionary as a Map, tuples and lists as arrays
 * @throws {SyntaxError} that says where the text is no such literal
 */
export function parsePythonLiteral(text) {
  let at = 0

  /** @param {string} wanted @returns {never} */
  const fail = (wanted) => {
    const found = text.slice(at).trimStart().slice(0, 20)
    throw new SyntaxError(
      `expected ${wanted} at character ${at}, got ${found === '' ? 'the end' : JSON.stringify(found)}`,
    )
  }

  /** The next token, or undefined. @param {string} [mark] only this one */
  const next = (mark) => {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (!match || (mark !== undefined && match[1] !== mark)) return undefined
    at = TOKEN.lastIndex
    return match
  }

  /** @param {string} close @param {number} depth @param {(depth: number) => void} item */
  const items = (close, depth, item) => {
    if (depth > MOST_DEPTH) fail('nothing nested so deep')
    while (!next(close)) {
      item(depth)
      if (!next(',')) {
        if (next(close)) return
        fail(`a comma or ${close}`)
      }
    }
  }

  /** @param {number} depth @returns {unknown} */
  const value = (depth) => {
    const match = next() ?? fail('a value')
    const [, mark, single, double, number, word] = match
    if (single !== undefined || double !== undefined) return single ?? double
    if (number !== undefined) return Number(number)
    if (word !== undefined) return WORDS.get(word)
    if (mark === '{') return dictionary(depth)
    if (mark !== '(' && mark !== '[') {
      at -= 1
      fail('a value')
    }
    /** @type {unknown[]} */
    const list = []
    items(mark === '(' ? ')' : ']', depth + 1, (inner) => list.push(value(inner)))
    return list
  }

  /** @param {number} depth */
  const dictionary = (depth) => {
    const entries = new Map()
    items('}', depth + 1, (inner) => {
      const key = value(inner)
      if (typeof key !== 'string') fail('a key that is a string')
      if (entries.has(key)) fail(`another key than ${JSON.stringify(key)}, which was there before,`)
      if (!next(':')) fail('a colon')
      entries.set(key, value(inner))
    })
    return entries
  }

  const result = value(0)
  if (text.slice(at).trim() !== '') fail('nothing more')
  return result
}

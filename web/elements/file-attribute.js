/**
 * What is in the file that an attribute names. Loaded when an attribute names one.
 */
import { attentionArrays } from '../data/attention-arrays.js'
import { openTensorFile } from '../data/open.js'

/**
 * @import { ListedArray } from '../data/entry.js'
 * @import { TensorFile } from '../data/tensor-file.js'
 */

/**
 * Which array of a file is taken: the one that the address names after `#`; else the only one of the attribute's
 * kind; of several the one with the attribute's own name, such as "attention"; else none, and the error tells
 * their names.
 *
 * @param {string} name of the property: 'attention', 'mask', or one of tokens
 * @param {string} address
 * @param {{ base: string, signal: AbortSignal }} options `base`: what the address is relative to
 * @returns {Promise<unknown>} a tensor, without an axis for a batch of one, or tokens
 * @throws {TypeError | RangeError} in words that may be shown
 */
export async function readFileAttribute(name, address, { base, signal }) {
  const url = URL.canParse(address, base) ? new URL(address, base) : null
  if (!url) throw new TypeError(`expected the address of a file, got ${JSON.stringify(address)}`)
  const arrayName = decoded(url.hash.slice(1))
  const file = await openTensorFile(url, { signal })
  try {
    if (name === 'attention') return await readAttention(file, arrayName, signal)
    if (name === 'mask') return await readMask(file, arrayName, signal)
    return await readTokens(file, arrayName, name, signal)
  } finally {
    file.close()
  }
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** @param {TensorFile} file @param {string} arrayName @param {AbortSignal} signal */
async function readAttention(file, arrayName, signal) {
  const candidates = attentionArrays(file)
  const wanted = arrayName || pick(file, candidates, 'attention', 'attention, (h, N, M) or alike')
  const { data, shape } = await file.read(wanted, { signal })
  const candidate = candidates.find(({ name }) => name === wanted)
  return { data, shape: candidate?.attentionShape ?? shape }
}

/** @param {TensorFile} file @param {string} arrayName @param {AbortSignal} signal */
function readMask(file, arrayName, signal) {
  const candidates = file.arrays.filter(({ dtype, problem }) => dtype !== 'str' && !problem)
  return file.read(arrayName || pick(file, candidates, 'mask', 'a mask'), { signal })
}

/** @param {TensorFile} file @param {string} arrayName @param {string} own @param {AbortSignal} signal */
function readTokens(file, arrayName, own, signal) {
  const candidates = file.arrays.filter(({ dtype }) => dtype === 'str')
  return file.strings(arrayName || pick(file, candidates, own, 'tokens, a list of texts'), {
    signal,
  })
}

/**
 * @param {TensorFile} file
 * @param {readonly ListedArray[]} candidates
 * @param {string} own the attribute's name
 * @param {string} what is looked for
 * @returns {string} the name of one
 */
function pick(file, candidates, own, what) {
  if (candidates.length === 1) return candidates[0].name
  if (candidates.some(({ name }) => name === own)) return own
  if (candidates.length > 1) {
    const [{ name }] = candidates
    throw new TypeError(
      `${file.name}: several arrays can be it: ${listed(candidates)}; name one, as in ${file.name}#${name}`,
    )
  }
  // Where nothing but one damaged array is in the file, that is the reason.
  if (file.arrays.length === 1 && file.arrays[0].problem)
    throw new TypeError(file.arrays[0].problem)
  throw new TypeError(
    `${file.name}: expected ${what}; it holds ${listed(file.arrays) || 'nothing'}`,
  )
}

/** @param {readonly ListedArray[]} arrays */
function listed(arrays) {
  const shown = arrays
    .slice(0, 12)
    .map(({ name, dtype, shape }) => `"${name}" ${dtype} (${shape.join(', ')})`)
  if (arrays.length > 12) shown.push(`${arrays.length - 12} more`)
  return shown.join(', ')
}

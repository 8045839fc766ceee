/** Reading what computed styles write. */

/** @typedef {{ color: string, x: number, y: number, blur: number, spread: number, isInset: boolean }} Shadow  px */

/**
 * Parts of a list, such as the layers of a background; commas within brackets belong to a part.
 *
 * @param {string} list
 * @param {RegExp} [mark] what stands between parts
 * @returns {string[]}
 */
export function splitList(list, mark = /,/) {
  const parts = ['']
  let depth = 0
  for (const sign of list) {
    if (sign === '(') depth++
    if (sign === ')') depth--
    if (depth === 0 && mark.test(sign)) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** @param {string} value `4px`, `50%`, `none` @param {number} [whole] of a percentage @returns {number} px */
export function pixels(value, whole = 0) {
  const number = parseFloat(value)
  if (!Number.isFinite(number)) return 0
  return value.endsWith('%') ? (number * whole) / 100 : number
}

/**
 * @param {string} value of `box-shadow` or `text-shadow`
 * @returns {Shadow[]} the first is on top
 */
export function readShadows(value) {
  if (value === '' || value === 'none') return []
  return splitList(value).map((shadow) => {
    const parts = splitList(shadow, / /)
    const lengths = parts.filter((part) => /^-?[\d.]+px$/.test(part)).map(parseFloat)
    const color = parts.find((part) => part !== 'inset' && !/^-?[\d.]+px$/.test(part)) ?? '#000'
    const [x = 0, y = 0, blur = 0, spread = 0] = lengths
    return { color, x, y, blur, spread, isInset: parts.includes('inset') }
  })
}

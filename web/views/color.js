/**
 * Colours as triples of sRGB bytes, and the little arithmetic that figures need: contrast (WCAG 2),
 * compositing, and OKLab, in which lightness can be changed without changing the hue.
 *
 * @typedef {[red: number, green: number, blue: number]} Rgb  bytes, 0 to 255
 */

/**
 * Reads `#rgb`, `#rrggbb` and `rgb(r, g, b)`, the forms in which d3 and computed styles give colours.
 *
 * @param {string} text
 * @returns {Rgb}
 * @throws {RangeError} for any other form
 */
export function parseColor(text) {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())
  if (hex) {
    const digits = hex[1].length === 3 ? hex[1].replace(/./g, '$&$&') : hex[1]
    const bits = Number.parseInt(digits, 16)
    return [bits >> 16, (bits >> 8) & 255, bits & 255]
  }
  const rgb = /^rgba?\(\s*([\d.]+)[\s,]+([\d.]+)[\s,]+([\d.]+)\s*\)$/i.exec(text.trim())
  if (!rgb) throw new RangeError(`colour: expected #rrggbb or rgb(r, g, b), got ${text}`)
  return [Number(rgb[1]), Number(rgb[2]), Number(rgb[3])]
}

/**
 * @param {Rgb} rgb
 * @param {number} [alpha]
 * @returns {string} a CSS colour
 */
export function formatColor([red, green, blue], alpha = 1) {
  return alpha === 1
    ? `rgb(${red}, ${green}, ${blue})`
    : `rgba(${red}, ${green}, ${blue}, ${alpha})`
}

/** @param {number} byte @returns {number} linear light, 0 to 1 */
function linearize(byte) {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** @param {number} light linear, 0 to 1 @returns {number} sRGB, 0 to 1 */
function delinearize(light) {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055
}

/**
 * Relative luminance, WCAG 2.
 *
 * @param {Rgb} rgb
 * @returns {number} 0 (black) to 1 (white)
 */
export function luminance([red, green, blue]) {
  return 0.2126 * linearize(red) + 0.7152 * linearize(green) + 0.0722 * linearize(blue)
}

/**
 * Contrast ratio, WCAG 2.
 *
 * @param {Rgb} a
 * @param {Rgb} b
 * @returns {number} 1 to 21; text wants 4.5
 */
export function contrast(a, b) {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

/** @type {Rgb} */
const BLACK = [0, 0, 0]
/** @type {Rgb} */
const WHITE = [255, 255, 255]

/**
 * Black or white, whichever reads better. One of them always has a contrast of at least 4.58.
 *
 * @param {Rgb} background
 * @returns {Rgb}
 */
export function inkOn(background) {
  return contrast(BLACK, background) >= contrast(WHITE, background) ? BLACK : WHITE
}

/**
 * What `color` at opacity `alpha` looks like over `background`. It is computed on the encoded bytes,
 * as canvas and WebGL blend them.
 *
 * @param {Rgb} color
 * @param {Rgb} background
 * @param {number} alpha
 * @returns {Rgb}
 */
export function composite(color, background, alpha) {
  const mix = (/** @type {number} */ channel) =>
    Math.round(color[channel] * alpha + background[channel] * (1 - alpha))
  return [mix(0), mix(1), mix(2)]
}

/**
 * sRGB to OKLab (Björn Ottosson, 'A perceptual color space for image processing', 2020).
 *
 * @param {Rgb} rgb
 * @returns {[lightness: number, a: number, b: number]}
 */
export function toOklab(rgb) {
  const [red, green, blue] = rgb.map(linearize)
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

/**
 * OKLab to sRGB. A colour that a screen cannot show loses chroma until it can; its lightness and hue stay.
 *
 * @param {[lightness: number, a: number, b: number]} lab
 * @returns {Rgb}
 */
export function fromOklab([lightness, a, b]) {
  for (let chroma = 1; chroma > 0; chroma -= 0.02) {
    const channels = oklabToSrgb(lightness, a * chroma, b * chroma)
    if (channels.every((value) => value > -0.002 && value < 1.002)) return toBytes(channels)
  }
  return toBytes(oklabToSrgb(lightness, 0, 0))
}

/**
 * @param {number} lightness
 * @param {number} a
 * @param {number} b
 * @returns {number[]} sRGB, 0 to 1 where a screen can show it
 */
function oklabToSrgb(lightness, a, b) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map(delinearize)
}

/** @param {number[]} channels @returns {Rgb} */
function toBytes(channels) {
  const byte = (/** @type {number} */ value) => Math.round(255 * Math.min(1, Math.max(0, value)))
  return [byte(channels[0]), byte(channels[1]), byte(channels[2])]
}

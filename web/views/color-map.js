/**
 * Colour maps: 256 colours each, built once from d3-scale-chromatic. Cells and colour bars both read
 * this one table, so a drawn cell has exactly its bar's colour.
 *
 * A map that starts at white ('purples', 'blues', …) says 'nothing' by vanishing into the paper. On a
 * dark page white would shout instead, so there such a map keeps its hues and runs from the dark surface
 * up to a light tint. Maps that are dark at their low end ('viridis', 'cividis', …) are the same on both.
 */
import {
  interpolateBlues,
  interpolateCividis,
  interpolateGreens,
  interpolateGreys,
  interpolateInferno,
  interpolateMagma,
  interpolateOranges,
  interpolatePlasma,
  interpolatePuOr,
  interpolatePurples,
  interpolateViridis,
} from 'd3-scale-chromatic'
import { fromOklab, parseColor, toOklab } from './color.js'

/**
 * @import { Rgb } from './color.js'
 * @typedef {'purples' | 'blues' | 'greens' | 'oranges' | 'greys' | 'viridis' | 'cividis' | 'magma' | 'inferno' | 'plasma' | 'puor'} ColorMapName
 * @typedef {object} ColorMap
 * @property {ColorMapName} name
 * @property {boolean} diverging  the middle of the table means zero
 * @property {readonly Rgb[]} colors  256 of them, from the domain's low end to its high end
 * @property {Rgb} nan  a value that is not a number
 * @property {Rgb} nanMark  the cross on it
 * @property {Rgb} masked  a cell that may not be attended to
 * @property {Rgb} maskedMark  the hatching on it
 */

export const COLORS_PER_MAP = 256

/** @type {Record<ColorMapName, { interpolate: (t: number) => string, onPaper?: boolean, diverging?: boolean }>} */
const maps = {
  purples: { interpolate: interpolatePurples, onPaper: true },
  blues: { interpolate: interpolateBlues, onPaper: true },
  greens: { interpolate: interpolateGreens, onPaper: true },
  oranges: { interpolate: interpolateOranges, onPaper: true },
  greys: { interpolate: interpolateGreys, onPaper: true },
  viridis: { interpolate: interpolateViridis },
  cividis: { interpolate: interpolateCividis },
  magma: { interpolate: interpolateMagma },
  inferno: { interpolate: interpolateInferno },
  plasma: { interpolate: interpolatePlasma },
  puor: { interpolate: interpolatePuOr, onPaper: true, diverging: true },
}

/** @type {readonly ColorMapName[]} */
export const colorMapNames = Object.freeze(/** @type {ColorMapName[]} */ (Object.keys(maps)))

/** @type {{ light: Record<'nan' | 'nanMark' | 'masked' | 'maskedMark', Rgb>, dark: Record<'nan' | 'nanMark' | 'masked' | 'maskedMark', Rgb> }} */
const special = {
  light: {
    nan: [214, 64, 30],
    nanMark: [255, 255, 255],
    masked: [238, 237, 241],
    maskedMark: [176, 173, 186],
  },
  dark: {
    nan: [255, 128, 92],
    nanMark: [30, 12, 8],
    masked: [40, 38, 47],
    maskedMark: [92, 89, 105],
  },
}

/** The default dark surface, #16151b, where the dark tables start. @type {Rgb} */
const DARK_SURFACE = [22, 21, 27]
/** Lightness (OKLab) of the brightest colour of a dark table: short of white, so that it keeps a hue. */
const DARK_TOP = 0.9

/** @type {Map<string, ColorMap>} */
const built = new Map()

/**
 * The table of a colour map.
 *
 * @param {string} [name]
 * @param {{ dark?: boolean }} [options] `dark`: for a dark page
 * @returns {ColorMap}
 * @throws {RangeError} for a name that is not in `colorMapNames`
 */
export function colorMap(name = 'purples', { dark = false } = {}) {
  if (!Object.hasOwn(maps, name)) {
    throw new RangeError(
      `colormap: there is no ${JSON.stringify(name)}; choose one of ${colorMapNames.join(', ')}`,
    )
  }
  const known = /** @type {ColorMapName} */ (name)
  const key = `${known}/${dark ? 'dark' : 'light'}`
  const found = built.get(key)
  if (found) return found
  const { interpolate, onPaper = false, diverging = false } = maps[known]
  const light = Array.from({ length: COLORS_PER_MAP }, (_, index) =>
    parseColor(interpolate(index / (COLORS_PER_MAP - 1))),
  )
  const map = Object.freeze({
    name: known,
    diverging,
    colors: Object.freeze(dark && onPaper ? onDarkSurface(light, diverging) : light),
    ...special[dark ? 'dark' : 'light'],
  })
  built.set(key, map)
  return map
}

/**
 * Turns a table's lightness over: its lightest colour becomes the dark surface and its darkest a light
 * tint; hues stay. The two arms of a diverging table both reach that tint, though on paper one ends darker
 * than the other: equal magnitudes must be equally bright.
 *
 * @param {Rgb[]} colors
 * @param {boolean} diverging
 * @returns {Rgb[]}
 */
function onDarkSurface(colors, diverging) {
  const lab = colors.map(toOklab)
  const surface = toOklab(DARK_SURFACE)
  const lightest = Math.max(...lab.map(([lightness]) => lightness))
  const paper = lab.find(([lightness]) => lightness === lightest) ?? surface
  const middle = lab.length / 2
  const arms = diverging ? [lab.slice(0, middle), lab.slice(middle)] : [lab]
  return arms.flatMap((arm) => {
    const darkest = Math.min(...arm.map(([lightness]) => lightness))
    return arm.map(([lightness, a, b]) => {
      const t = (lightest - lightness) / (lightest - darkest)
      // The surface's faint tint takes the place of the paper's, and fades as the map's hue comes in.
      return fromOklab([
        surface[0] + t * (DARK_TOP - surface[0]),
        a + (surface[1] - paper[1]) * (1 - t),
        b + (surface[2] - paper[2]) * (1 - t),
      ])
    })
  })
}

/**
 * Where a value falls in a table: the one place where values become colours.
 *
 * @param {number} value not NaN; ±∞ and values outside of the domain take the end's colour
 * @param {readonly [low: number, high: number]} domain low < high
 * @returns {number} 0 … 255
 */
export function colorIndex(value, [low, high]) {
  const t = (value - low) / (high - low)
  return t <= 0 ? 0 : t >= 1 ? COLORS_PER_MAP - 1 : Math.round(t * (COLORS_PER_MAP - 1))
}

/**
 * @param {ColorMap} map
 * @param {number} value
 * @param {readonly [low: number, high: number]} domain
 * @returns {Rgb}
 */
export function colorOf(map, value, domain) {
  return Number.isNaN(value) ? map.nan : map.colors[colorIndex(value, domain)]
}

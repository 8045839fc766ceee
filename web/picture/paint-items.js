/**
 * @import { Place } from './place.js'
 * @import { Slices } from './slices.js'
 * @import { Clip, Item } from './layers.js'
 */

/**
 * @param {CanvasRenderingContext2D} context in CSS pixels
 * @param {readonly Item[]} items
 * @param {Place} place
 * @param {Slices} slices
 */
export async function paintItems(context, items, place, slices) {
  /** @type {Clip | null} */
  let clip = null
  for (const item of items) {
    if (item.clip !== clip) {
      if (clip) context.restore()
      clip = item.clip
      if (clip) {
        context.save()
        applyClip(context, clip, place)
      }
    }
    context.save()
    context.globalAlpha = item.opacity
    item.paint(context, place)
    context.restore()
    await slices.breathe()
  }
  if (clip) context.restore()
}

/** @param {CanvasRenderingContext2D} context @param {Clip} clip @param {Place} place */
function applyClip(context, { box, radius, outer }, place) {
  if (outer) applyClip(context, outer, place)
  const { left, top, width, height } = place.box(box)
  context.beginPath()
  context.roundRect(left, top, width, height, radius)
  context.clip()
}

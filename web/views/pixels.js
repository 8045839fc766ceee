/** @import { Box } from './dom.js' */

/** @type {HTMLCanvasElement | null} */
let buffer = null

/**
 * Draws an image stretched to a box, each of its pixels a rectangle with sharp edges. A context that draws vectors
 * takes the pixels as they are.
 *
 * @param {CanvasRenderingContext2D & { drawPixels?: (image: ImageData, box: Box) => void }} context
 * @param {ImageData} image
 * @param {Box} box
 */
export function drawPixels(context, image, box) {
  if (context.drawPixels) return context.drawPixels(image, box)
  buffer ??= document.createElement('canvas')
  if (buffer.width < image.width) buffer.width = image.width
  if (buffer.height < image.height) buffer.height = image.height
  buffer.getContext('2d')?.putImageData(image, 0, 0)
  const { left, top, width, height } = box
  context.imageSmoothingEnabled = false
  context.drawImage(buffer, 0, 0, image.width, image.height, left, top, width, height)
}

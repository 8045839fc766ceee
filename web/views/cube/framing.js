import { Vector3 } from 'three'
import { heightOf } from './stack.js'

/**
 * @import { PerspectiveCamera } from 'three'
 * @import { Stack } from './stack.js'
 * @typedef {{ left: number, right: number, top: number, bottom: number }} Margins  px, for labels
 */

/** The opening view: from the front, a little from the right, and from above. Radians. */
const AZIMUTH = (27 * Math.PI) / 180
const ELEVATION = (33 * Math.PI) / 180

/** @returns {Vector3} from the stack's middle to the camera, of length 1 */
export function openingDirection() {
  return new Vector3(
    Math.cos(ELEVATION) * Math.sin(AZIMUTH),
    Math.sin(ELEVATION),
    Math.cos(ELEVATION) * Math.cos(AZIMUTH),
  )
}

/** @param {Stack} stack */
export function cornersOf(stack) {
  const corners = []
  for (const head of [0, stack.heads - 1]) {
    for (const x of [-0.5, 0.5]) {
      for (const z of [-0.5, 0.5]) {
        corners.push(new Vector3(x * stack.width, heightOf(stack, head), z * stack.depth))
      }
    }
  }
  return corners
}

/**
 * Sets the camera's projection so that the stack, seen from the opening direction, fills the drawing up
 * to the margins.
 *
 * @param {PerspectiveCamera} camera its position and projection are changed
 * @param {Stack} stack
 * @param {{ width: number, height: number }} size CSS pixels
 * @param {Margins} margins
 * @returns {{ distance: number, shiftX: number, shiftY: number }} from which distance it does, world
 *   units, and how far the picture is moved for it, px
 */
export function frameStack(camera, stack, size, margins) {
  const { width, height } = size
  const corners = cornersOf(stack)
  const room = {
    width: Math.max(40, width - margins.left - margins.right),
    height: Math.max(40, height - margins.top - margins.bottom),
  }
  camera.aspect = width / height
  camera.clearViewOffset()
  /** @param {number} distance */
  const boundsFrom = (distance) => {
    camera.position.copy(openingDirection().multiplyScalar(distance))
    camera.lookAt(0, 0, 0)
    camera.updateMatrixWorld()
    camera.updateProjectionMatrix()
    const points = corners.map((corner) => corner.clone().project(camera))
    const x = points.map((point) => ((point.x + 1) / 2) * width)
    const y = points.map((point) => ((1 - point.y) / 2) * height)
    return {
      left: Math.min(...x),
      right: Math.max(...x),
      top: Math.min(...y),
      bottom: Math.max(...y),
    }
  }
  let near = 4
  let far = 400
  for (let step = 0; step < 30; step++) {
    const middle = Math.sqrt(near * far)
    const { left, right, top, bottom } = boundsFrom(middle)
    if (right - left > room.width || bottom - top > room.height) near = middle
    else far = middle
  }
  const { left, right, top, bottom } = boundsFrom(far)
  // The middle of what is seen goes to the middle of the room between the margins.
  const shiftX = (left + right) / 2 - (margins.left + room.width / 2)
  const shiftY = (top + bottom) / 2 - (margins.top + room.height / 2)
  return { distance: far, shiftX, shiftY }
}

/**
 * Moves the picture into the room between its labels. They change sides with the camera: seen from the
 * other side or from below, the picture and its margins are mirrored.
 *
 * @param {PerspectiveCamera} camera
 * @param {{ width: number, height: number }} size
 * @param {{ shiftX: number, shiftY: number }} shift for the opening view
 */
export function shiftView(camera, { width, height }, { shiftX, shiftY }) {
  const direction = scratch.copy(camera.position).normalize()
  const azimuth = Math.atan2(direction.x, direction.z)
  const share = (/** @type {number} */ value) => Math.max(-1, Math.min(1, value))
  const x = shiftX * share(Math.sin(2 * azimuth) / Math.sin(2 * AZIMUTH))
  const y = shiftY * share(direction.y / Math.sin(ELEVATION))
  camera.setViewOffset(width, height, x, y, width, height)
}

/**
 * Where a point of space is drawn.
 *
 * @param {PerspectiveCamera} camera
 * @param {readonly [number, number, number]} point
 * @param {{ width: number, height: number }} size CSS pixels
 * @returns {{ x: number, y: number, visible: boolean }} `visible`: in front of the camera
 */
export function project(camera, point, { width, height }) {
  const projected = scratch.set(...point).project(camera)
  return {
    x: ((projected.x + 1) / 2) * width,
    y: ((1 - projected.y) / 2) * height,
    visible: projected.z < 1,
  }
}

const scratch = new Vector3()

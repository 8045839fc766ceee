import { PerspectiveCamera, Raycaster, Scene, Vector2 } from 'three'
import { fitCanvas, h, pointOn } from '../dom.js'
import { setPaint } from '../repaint.js'
import { drawOverlay, headLabelRoom } from './labels.js'
import { project } from './framing.js'
import { Orbit } from './orbit.js'
import { Planes } from './planes.js'
import { acquireRenderer } from './shared-renderer.js'
import { pick, pointOf, stackOf } from './stack.js'

/**
 * @import { AttentionData } from '../attention-data.js'
 * @import { ColorMap } from '../color-map.js'
 * @import { Box } from '../dom.js'
 * @import { Domain } from '../domain.js'
 * @import { Theme } from '../theme.js'
 * @import { TokenLabels } from '../tokens.js'
 * @import { CubeCell } from './labels.js'
 * @import { SharedRenderer } from './shared-renderer.js'
 * @import { Stack } from './stack.js'
 * @typedef {object} CubePicture
 * @property {AttentionData} attention
 * @property {TokenLabels} tokens
 * @property {ColorMap} map
 * @property {Domain} domain
 * @property {Theme} theme
 * @property {number} emphasized
 * @property {{ width: number, height: number }} size  CSS pixels
 * @property {{ query: number, key: number }} room  for the labels of each axis, px
 * @property {CubeCell | null} looked
 * @property {boolean} focused
 */

/** A screen's pixels beyond this many to a CSS pixel are not seen. */
const MOST_RATIO = 2
/** A pointer that moved less between down and up has clicked, px. */
const CLICK_REACH = 5

/**
 * The three-dimensional part of a cube: scene, camera, its canvas, and what the pointer does on it.
 */
export class CubeStage {
  node = h('div', { class: 'stage' })
  #canvas = h('canvas', { class: 'scene', 'aria-hidden': 'true' })
  #scene = new Scene()
  #camera = new PerspectiveCamera(32, 1, 0.1, 500)
  #planes = new Planes()
  #raycaster = new Raycaster()
  /** @type {Stack} */
  #stack = stackOf({ heads: 1, queries: 1, keys: 1 })
  #framed = ''
  /** @type {readonly unknown[]} */
  #painted = []
  /** @type {CubePicture | null} */
  #picture = null
  #renderer
  #user
  #orbit

  /**
   * @param {object} options
   * @param {AbortSignal} options.signal
   * @param {(cell: CubeCell | null) => void} options.onHover
   * @param {(cell: CubeCell) => void} options.onClick
   * @param {() => void} options.onChange ask for a frame
   * @param {() => void} options.onGone the WebGL context is lost for good
   */
  constructor({ signal, onHover, onClick, onChange, onGone }) {
    this.#user = { onReady: onChange, onRestored: () => this.#repaint(onChange), onGone }
    this.#renderer = acquireRenderer(this.#user)
    this.#scene.add(this.#planes.group)
    this.node.append(this.#canvas)
    this.#orbit = new Orbit(this.#camera, this.#canvas, this.node, signal, onChange)
    this.#listen(signal, onHover, onClick)
    setPaint(this.#canvas, (context) => this.#paintOn(context))
  }

  /** Whether there is WebGL to draw with. */
  get available() {
    return this.#renderer !== null
  }

  get turned() {
    return this.#orbit.turned
  }

  resetView() {
    this.#orbit.reset()
  }

  /**
   * @param {AbortSignal} signal
   * @param {(cell: CubeCell | null) => void} onHover
   * @param {(cell: CubeCell) => void} onClick
   */
  #listen(signal, onHover, onClick) {
    const canvas = this.#canvas
    let down = { x: 0, y: 0 }
    const on = (
      /** @type {'pointermove' | 'pointerdown' | 'pointerleave'} */ type,
      /** @type {(event: PointerEvent) => void} */ listener,
    ) => canvas.addEventListener(type, listener, { signal })
    on('pointermove', (event) => {
      // While the cube is being turned no cell is meant.
      if (event.buttons === 0) onHover(this.#cellAt(event))
    })
    on('pointerdown', (event) => {
      down = { x: event.clientX, y: event.clientY }
    })
    on('pointerleave', (event) => {
      if (event.pointerType !== 'touch') onHover(null)
    })
    canvas.addEventListener(
      'click',
      (event) => {
        if (Math.hypot(event.clientX - down.x, event.clientY - down.y) > CLICK_REACH) return
        const cell = this.#cellAt(event)
        if (cell) onClick(cell)
        else onHover(null)
      },
      { signal },
    )
  }

  /** @param {MouseEvent} event @returns {CubeCell | null} */
  #cellAt(event) {
    if (!this.#picture) return null
    const { width, height } = this.#picture.size
    const { x, y } = pointOn(event, this.#canvas)
    const at = new Vector2((x / width) * 2 - 1, 1 - (y / height) * 2)
    this.#raycaster.setFromCamera(at, this.#camera)
    return pick(this.#stack, this.#raycaster.ray, this.#picture.emphasized)
  }

  /**
   * Draws, as far as anything has changed.
   *
   * @param {CubePicture} picture
   * @param {boolean} atOnce as for paper, which waits for nothing
   * @returns {boolean} whether the camera is on its way, and another frame is needed
   */
  draw(picture, atOnce) {
    const renderer = this.#renderer
    if (!renderer) return false
    const { theme, size } = picture
    const moving = this.#prepare(picture, renderer)
    if (renderer.lost) return false
    const ratio = Math.min(devicePixelRatio, MOST_RATIO)
    const context = fitCanvas(this.#canvas, size.width, size.height, ratio)
    const isDrawn = renderer.draw(this.#scene, this.#camera, theme.surface, context, atOnce)
    if (!isDrawn) return moving
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    drawOverlay(context, { ...picture, stack: this.#stack, camera: this.#camera })
    return moving
  }

  /** What is to be drawn, while the cube is out of sight and nobody sees the drawing. @param {CubePicture} picture */
  keep(picture) {
    this.#picture = picture
  }

  /** Planes as an image, and what is written over them. @param {CanvasRenderingContext2D} context @returns {boolean} false without WebGL */
  #paintOn(context) {
    const picture = this.#picture
    const renderer = this.#renderer
    if (!picture || !renderer || renderer.lost) return false
    const { size, theme } = picture
    this.#prepare(picture, renderer)
    const planes = fitCanvas(h('canvas'), size.width, size.height, MOST_RATIO)
    renderer.draw(this.#scene, this.#camera, theme.surface, planes, true)
    context.drawImage(planes.canvas, 0, 0, size.width, size.height)
    drawOverlay(context, { ...picture, stack: this.#stack, camera: this.#camera })
    return true
  }

  /**
   * Brings the scene to what a picture shows.
   *
   * @param {CubePicture} picture
   * @param {SharedRenderer} renderer
   * @returns {boolean} whether the camera is on its way
   */
  #prepare(picture, renderer) {
    this.#picture = picture
    const { attention, map, domain, theme, emphasized } = picture
    this.#fit(picture)
    const moving = this.#orbit.step()
    const paint = [attention, map, ...domain, renderer.renderer]
    if (paint.some((part, index) => part !== this.#painted[index])) {
      this.#planes.paint(attention, map, domain, Math.min(2048, renderer.maxTextureSize))
      this.#painted = paint
    }
    this.#planes.emphasize(emphasized, theme)
    this.#planes.order(this.#stack, this.#camera.position.y, emphasized)
    return moving
  }

  /** The stack's size and the camera's projection, where they are not as they were. @param {CubePicture} picture */
  #fit({ attention, size, room }) {
    const { heads, queries, keys } = attention
    const wanted = [heads, queries, keys, size.width, size.height, room.query, room.key].join()
    if (wanted === this.#framed) return
    this.#framed = wanted
    this.#stack = stackOf({ heads, queries, keys })
    this.#planes.fit(this.#stack)
    // Labels run outwards at a slant, so they need less than their length to each side.
    const margins = {
      left: Math.max(headLabelRoom(size.width), room.key * 0.5),
      right: room.query * 0.95 + 34,
      top: 24,
      bottom: Math.max(room.key * 0.95, room.query * 0.35) + 16,
    }
    this.#orbit.frame(this.#stack, size, margins)
  }

  /**
   * A cell's place in the drawing.
   *
   * @param {CubeCell} cell
   * @returns {Box | null}
   */
  boxOf({ head, query, key }) {
    if (!this.#picture) return null
    const { size } = this.#picture
    const corners = [
      [query, key],
      [query, key + 1],
      [query + 1, key + 1],
      [query + 1, key],
    ].map(([row, column]) => project(this.#camera, pointOf(this.#stack, head, row, column), size))
    const left = Math.min(...corners.map(({ x }) => x))
    const top = Math.min(...corners.map(({ y }) => y))
    return {
      left,
      top,
      width: Math.max(...corners.map(({ x }) => x)) - left,
      height: Math.max(...corners.map(({ y }) => y)) - top,
    }
  }

  /** After a lost context the textures have to be sent anew. @param {() => void} onChange */
  #repaint(onChange) {
    this.#painted = []
    onChange()
  }

  /** Frees GPU objects and the share in the WebGL context. */
  dispose() {
    this.#orbit.dispose()
    this.#planes.dispose()
    this.#renderer?.release(this.#user)
    this.#renderer = null
    this.#picture = null
  }
}

export const stageStyles = `
.stage {
  position: relative;
  inline-size: 100%;
  overflow: hidden;
  border-radius: 8px;
  background: var(--surface);
  box-shadow: 0 0 0 1px var(--line);
}
.scene { display: block; forced-color-adjust: none; user-select: none; -webkit-user-select: none; }
.cells { position: absolute; inset: 0; pointer-events: none; }
.cells [role='row'] { display: contents; }
.cell { position: absolute; outline: none; }
.stage:has(.cell:focus-visible) { box-shadow: 0 0 0 2px var(--accent); }
.stage .reset {
  position: absolute;
  inset-block-start: 8px;
  inset-inline-end: 8px;
  background: var(--surface);
  font-size: 12px;
}
.stage .reset:hover { background: color-mix(in srgb, var(--accent) 12%, var(--surface)); }
.stage .keys {
  position: absolute;
  inset-block-start: 6px;
  inset-inline: 10px 110px;
  display: none;
  color: var(--soft);
  font-size: 12px;
  pointer-events: none;
}
.stage:has(.cell:focus-visible) .keys { display: block; }
@media (forced-colors: active) {
  .stage { outline: 1px solid CanvasText; outline-offset: -1px; }
  .stage:has(.cell:focus-visible) { outline: 3px solid Highlight; }
}
@media print {
  .stage { block-size: auto !important; }
  .scene { inline-size: 100% !important; block-size: auto !important; }
  .stage .reset { display: none; }
}
`

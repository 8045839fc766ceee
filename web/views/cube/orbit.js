import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { frameStack, openingDirection, shiftView } from './framing.js'

/**
 * @import { PerspectiveCamera } from 'three'
 * @import { Margins } from './framing.js'
 * @import { Stack } from './stack.js'
 */

/** One press of an arrow key, radians, and of + or −. */
const KEY_TURN = Math.PI / 24
const KEY_ZOOM = 1.15
/** The share of a movement that is made in each frame. */
const DAMPING = 0.12

/**
 * Turning the cube by pointer, wheel and keys, without trapping the page: the wheel zooms only with Ctrl
 * or once the cube has focus, and a finger that moves up or down scrolls the page.
 */
export class Orbit {
  #controls
  #camera
  #distance = 0
  #frame = { distance: 0, shiftX: 0, shiftY: 0, size: { width: 1, height: 1 } }
  #onChange
  #reducedMotion

  /**
   * @param {PerspectiveCamera} camera
   * @param {HTMLElement} surface receives pointer and wheel
   * @param {HTMLElement} stage receives keys; the wheel zooms while focus is in it
   * @param {AbortSignal} signal
   * @param {() => void} onChange the camera wants to move: ask for a frame
   */
  constructor(camera, surface, stage, signal, onChange) {
    this.#camera = camera
    this.#onChange = onChange
    // Before OrbitControls' own listener on the surface, which reads what is set here.
    surface.addEventListener(
      'wheel',
      (event) => {
        this.#controls.enableZoom = event.ctrlKey || event.metaKey || stage.matches(':focus-within')
      },
      { capture: true, passive: true, signal },
    )
    this.#controls = new OrbitControls(camera, surface)
    this.#controls.enablePan = false
    this.#controls.cursorStyle = 'grab'
    this.#controls.dampingFactor = DAMPING
    surface.style.touchAction = 'pan-y'
    this.#reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
    const setDamping = () => (this.#controls.enableDamping = !this.#reducedMotion.matches)
    setDamping()
    this.#reducedMotion.addEventListener('change', setDamping, { signal })
    this.#controls.addEventListener('change', onChange)
    // A finger that pinches zooms; enableZoom is otherwise the wheel's.
    surface.addEventListener(
      'pointerdown',
      ({ pointerType }) => (this.#controls.enableZoom = pointerType === 'touch'),
      { capture: true, signal },
    )
    stage.addEventListener('keydown', (event) => this.#onKey(event), { signal })
  }

  /**
   * Fits the projection to a stack and a size. The reader's angle and zoom stay.
   *
   * @param {Stack} stack
   * @param {{ width: number, height: number }} size
   * @param {Margins} margins
   */
  frame(stack, size, margins) {
    const camera = this.#camera
    const direction = this.#distance > 0 ? camera.position.clone().normalize() : openingDirection()
    const zoom = this.#distance > 0 ? camera.position.length() / this.#distance : 1
    this.#frame = { ...frameStack(camera, stack, size, margins), size }
    this.#distance = this.#frame.distance
    camera.near = this.#distance / 50
    camera.far = this.#distance * 10
    this.#controls.minDistance = this.#distance * 0.3
    this.#controls.maxDistance = this.#distance * 2.5
    camera.position.copy(direction.multiplyScalar(this.#distance * zoom))
    this.#controls.update()
    this.#settle()
  }

  #settle() {
    this.#camera.updateMatrixWorld()
    shiftView(this.#camera, this.#frame.size, this.#frame)
  }

  /** Goes on with a movement. @returns {boolean} whether the camera moved, and will move on */
  step() {
    const moved = this.#controls.update()
    this.#settle()
    return moved
  }

  /** Whether this is not the opening view. */
  get turned() {
    const { position } = this.#camera
    const opening = openingDirection().multiplyScalar(this.#distance)
    return this.#distance > 0 && position.distanceTo(opening) > 0.01 * this.#distance
  }

  /** Back to the opening view, at once. */
  reset() {
    const damping = this.#controls.enableDamping
    this.#controls.enableDamping = false
    // An update without damping uses up what is left of a movement.
    this.#controls.update()
    this.#camera.position.copy(openingDirection().multiplyScalar(this.#distance))
    this.#controls.update()
    this.#controls.enableDamping = damping
    this.#onChange()
  }

  /** Shift and an arrow turn, + and − zoom, 0 goes back. @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return
    const controls = this.#controls
    /** @type {Record<string, () => void>} */
    const turns = {
      ArrowLeft: () => controls.rotateLeft(KEY_TURN),
      ArrowRight: () => controls.rotateLeft(-KEY_TURN),
      ArrowUp: () => controls.rotateUp(KEY_TURN),
      ArrowDown: () => controls.rotateUp(-KEY_TURN),
    }
    /** @type {Record<string, () => void>} */
    const others = {
      '+': () => this.#zoom(1 / KEY_ZOOM),
      '=': () => this.#zoom(1 / KEY_ZOOM),
      '-': () => this.#zoom(KEY_ZOOM),
      _: () => this.#zoom(KEY_ZOOM),
      0: () => this.reset(),
    }
    const act = event.shiftKey && turns[event.key] ? turns[event.key] : others[event.key]
    if (!act) return
    event.preventDefault()
    act()
    this.#onChange()
  }

  /** @param {number} factor of the distance */
  #zoom(factor) {
    const { position } = this.#camera
    const { minDistance, maxDistance } = this.#controls
    position.setLength(Math.min(maxDistance, Math.max(minDistance, position.length() * factor)))
    this.#controls.update()
  }

  dispose() {
    this.#controls.removeEventListener('change', this.#onChange)
    this.#controls.dispose()
  }
}

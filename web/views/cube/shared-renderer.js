import { NoToneMapping, SRGBColorSpace, WebGLRenderer } from 'three'
import { pageRegistry } from '../../page-registry.js'

/**
 * @import { Camera, Scene } from 'three'
 * @import { Rgb } from '../color.js'
 * @typedef {{ onReady: () => void, onRestored: () => void, onGone: () => void }} RendererUser
 */

/** A context that is not given back within this time is replaced by a new one, ms. */
const RESTORE_WAIT = 800

/**
 * The page's one WebGL context. Browsers keep only some 8 to 16 of them, so every cube draws in this
 * one's canvas in turn and copies the picture to a canvas of its own; a picture once copied stays even
 * when the context is lost. It lives as long as it has users.
 */
export class SharedRenderer {
  /** @type {Set<RendererUser>} */
  users = new Set()
  /** How many pictures were drawn, for tests of idleness. */
  drawn = 0
  /** @type {WebGLRenderer | null} */
  renderer = null
  /** Whose shaders are compiled, or on their way. @type {WebGLRenderer | null} */
  #compiled = null
  #isCompiling = false
  #timer = 0
  /** @type {AbortController | null} */
  #listening = null

  /** @returns {boolean} whether there is a context, after trying to get one */
  open() {
    if (this.renderer) return true
    const renderer = createRenderer()
    if (!renderer) return false
    // Exact colours: what a texture holds is what is seen.
    renderer.outputColorSpace = SRGBColorSpace
    renderer.toneMapping = NoToneMapping
    renderer.setPixelRatio(1)
    renderer.setSize(1, 1, false)
    renderer.setScissorTest(true)
    // Called in the midst of drawing, which has to come to its end first.
    renderer.debug.onShaderError = () => queueMicrotask(() => this.#giveUp())
    this.renderer = renderer
    this.#listening = new AbortController()
    const { signal } = this.#listening
    const canvas = renderer.domElement
    canvas.addEventListener('webglcontextlost', () => this.#onLost(), { signal })
    canvas.addEventListener('webglcontextrestored', () => this.#onRestored(), { signal })
    return true
  }

  get lost() {
    return this.renderer === null || this.renderer.getContext().isContextLost()
  }

  /**
   * Draws a scene and copies the picture. The first scene has to wait for its shaders: a driver takes long to
   * compile them, and the page stays responsive meanwhile.
   *
   * @param {Scene} scene
   * @param {Camera} camera
   * @param {Rgb} background
   * @param {CanvasRenderingContext2D} target its whole canvas is painted
   * @param {boolean} [atOnce] wait for shaders here, as for paper, which waits for nothing
   * @returns {boolean} false while the context is lost or not ready; `onRestored` and `onReady` tell when to draw again
   */
  draw(scene, camera, background, target, atOnce = false) {
    const { renderer } = this
    if (!renderer || this.lost) return false
    if (!atOnce && !this.#isReady(renderer, scene, camera)) return false
    const { width, height } = target.canvas
    const canvas = renderer.domElement
    // Grown, never shrunk: another size would throw the buffers away for each cube of another size.
    if (canvas.width < width || canvas.height < height) {
      renderer.setSize(Math.max(canvas.width, width), Math.max(canvas.height, height), false)
    }
    renderer.setViewport(0, 0, width, height)
    renderer.setScissor(0, 0, width, height)
    const [red, green, blue] = background
    renderer.setClearColor((red << 16) | (green << 8) | blue, 1)
    renderer.render(scene, camera)
    target.setTransform(1, 0, 0, 1, 0, 0)
    target.imageSmoothingEnabled = false
    target.drawImage(canvas, 0, canvas.height - height, width, height, 0, 0, width, height)
    this.drawn++
    return true
  }

  /**
   * @param {WebGLRenderer} renderer
   * @param {Scene} scene like all that are to come
   * @param {Camera} camera
   */
  #isReady(renderer, scene, camera) {
    if (this.#compiled === renderer) return !this.#isCompiling
    this.#compiled = renderer
    this.#isCompiling = true
    compiled(renderer, scene, camera).then(() => {
      if (this.#compiled !== renderer) return
      this.#isCompiling = false
      for (const user of [...this.users]) user.onReady()
    })
    return false
  }

  /** The largest width and height of a texture. */
  get maxTextureSize() {
    return this.renderer?.capabilities.maxTextureSize ?? 2048
  }

  #onLost() {
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => this.#replace(), RESTORE_WAIT)
  }

  #onRestored() {
    clearTimeout(this.#timer)
    for (const user of [...this.users]) user.onRestored()
  }

  #replace() {
    this.#close()
    const opened = this.open()
    for (const user of [...this.users]) {
      if (opened) user.onRestored()
      else user.onGone()
    }
  }

  /** Where a driver takes no shaders there is a context, but never a plane. */
  #giveUp() {
    if (!this.renderer) return
    this.#close()
    for (const user of [...this.users]) user.onGone()
  }

  #close() {
    clearTimeout(this.#timer)
    this.#listening?.abort()
    this.#listening = null
    const { renderer } = this
    this.renderer = null
    this.#compiled = null
    if (!renderer) return
    renderer.dispose()
    // The context itself, which a browser may otherwise keep until it collects garbage.
    if (!renderer.getContext().isContextLost()) renderer.forceContextLoss()
  }

  /** @param {RendererUser} user */
  release(user) {
    if (!this.users.delete(user) || this.users.size > 0) return
    this.#close()
    const registry = pageRegistry()
    if (registry.cubeRenderer === this) delete registry.cubeRenderer
  }
}

/**
 * @param {WebGLRenderer} renderer
 * @param {Scene} scene
 * @param {Camera} camera
 * @returns {Promise<unknown>} resolved when a picture need not wait for shaders, or when nothing can tell
 */
function compiled(renderer, scene, camera) {
  if (renderer.extensions.has('KHR_parallel_shader_compile')) {
    return renderer.compileAsync(scene, camera)
  }
  renderer.compile(scene, camera)
  // The rest of the work at least is a task of its own.
  return new Promise((done) => setTimeout(done))
}

/**
 * A browser refuses WebGL by giving null, by an exception, or by a context that is lost from the start. None
 * of it may cost more than the cube.
 *
 * @returns {WebGLRenderer | null}
 */
function createRenderer() {
  const canvas = document.createElement('canvas')
  /** @type {WebGL2RenderingContext | null} */
  let context = null
  try {
    // Asked for here, so that a page without WebGL costs no exception and no message in the console.
    context = canvas.getContext('webgl2', {
      alpha: false,
      antialias: true,
      depth: true,
      powerPreference: 'default',
    })
    if (!context || context.isContextLost()) return null
    return new WebGLRenderer({ canvas, context, antialias: true, alpha: false })
  } catch {
    context?.getExtension('WEBGL_lose_context')?.loseContext()
    return null
  }
}

/**
 * Takes part in the page's WebGL context.
 *
 * @param {RendererUser} user told when shaders are compiled, when the context was lost and is back, or gone for good
 * @returns {SharedRenderer | null} null where there is no WebGL; otherwise to be released
 */
export function acquireRenderer(user) {
  const registry = pageRegistry()
  const renderer = /** @type {SharedRenderer} */ (registry.cubeRenderer ??= new SharedRenderer())
  renderer.users.add(user)
  if (renderer.open()) return renderer
  renderer.release(user)
  return null
}

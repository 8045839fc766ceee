import {
  BufferGeometry,
  DataTexture,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LinearMipmapLinearFilter,
  LineBasicMaterial,
  LineLoop,
  Mesh,
  MeshBasicMaterial,
  NearestFilter,
  RGBAFormat,
  SRGBColorSpace,
} from 'three'
import { textureOf } from './plane-texture.js'
import { blendingOrder, heightOf } from './stack.js'

/**
 * @import { AttentionData } from '../attention-data.js'
 * @import { ColorMap } from '../color-map.js'
 * @import { Domain } from '../domain.js'
 * @import { Theme } from '../theme.js'
 * @import { Stack } from './stack.js'
 * @typedef {{ mesh: Mesh<BufferGeometry, MeshBasicMaterial>, edge: LineLoop<BufferGeometry, LineBasicMaterial>, texture: DataTexture | null }} Plane
 */

/** Opacity of a plane where all are shown, of one that stands back, and of their edges. */
export const TRANSLUCENT = 0.88
const FADED = 0.07
const FADED_EDGE = 0.28
/** Textures of more texels than this on a side are mostly seen smaller than they are. */
const SMOOTH_FROM = 160

/**
 * The planes and their edges. Two geometries serve all planes; each plane owns two materials and one
 * texture. Nothing writes depth, because translucent planes are blended in an order that is set for
 * each frame (`order`).
 */
export class Planes {
  group = new Group()
  #sheet = sheetGeometry()
  #frame = frameGeometry()
  /** @type {Plane[]} */
  #planes = []

  /**
   * As many planes as there are heads, of the stack's size. Planes that stay keep their GPU objects.
   *
   * @param {Stack} stack
   */
  fit(stack) {
    while (this.#planes.length > stack.heads) this.#drop()
    while (this.#planes.length < stack.heads) this.#add()
    this.#planes.forEach(({ mesh, edge }, head) => {
      for (const object of [mesh, edge]) {
        object.scale.set(stack.width, 1, stack.depth)
        object.position.set(0, heightOf(stack, head), 0)
      }
    })
  }

  #add() {
    const mesh = new Mesh(
      this.#sheet,
      new MeshBasicMaterial({
        transparent: true,
        depthWrite: false,
        depthTest: false,
        side: DoubleSide,
        toneMapped: false,
      }),
    )
    const edge = new LineLoop(
      this.#frame,
      new LineBasicMaterial({
        transparent: true,
        depthWrite: false,
        depthTest: false,
        toneMapped: false,
      }),
    )
    this.#planes.push({ mesh, edge, texture: null })
    this.group.add(mesh, edge)
  }

  #drop() {
    const plane = this.#planes.pop()
    if (!plane) return
    this.group.remove(plane.mesh, plane.edge)
    plane.mesh.material.dispose()
    plane.edge.material.dispose()
    plane.texture?.dispose()
  }

  /**
   * Colours the cells.
   *
   * @param {AttentionData} attention as many heads as planes
   * @param {ColorMap} map
   * @param {Domain} domain
   * @param {number} most texels on a side
   */
  paint(attention, map, domain, most) {
    this.#planes.forEach((plane, head) => {
      const old = /** @type {{ data: Uint8Array, width: number, height: number } | undefined} */ (
        plane.texture?.image
      )
      const image = textureOf(attention, head, map, domain, most, old?.data)
      if (old && plane.texture && old.width === image.width && old.height === image.height) {
        old.data = image.data
        plane.texture.needsUpdate = true
        return
      }
      plane.texture?.dispose()
      const texture = new DataTexture(image.data, image.width, image.height, RGBAFormat)
      texture.colorSpace = SRGBColorSpace
      texture.magFilter = NearestFilter
      const smooth = Math.max(image.width, image.height) >= SMOOTH_FROM
      texture.minFilter = smooth ? LinearMipmapLinearFilter : NearestFilter
      texture.generateMipmaps = smooth
      texture.anisotropy = smooth ? 8 : 1
      texture.needsUpdate = true
      // A material that gets its first texture needs another shader.
      plane.mesh.material.needsUpdate = plane.mesh.material.map === null
      plane.mesh.material.map = texture
      plane.texture = texture
    })
  }

  /**
   * Brings one plane forward, opaque, and sets the others back; or shows all alike.
   *
   * @param {number} emphasized −1 = all
   * @param {Theme} theme
   */
  emphasize(emphasized, theme) {
    this.#planes.forEach(({ mesh, edge }, head) => {
      const active = emphasized < 0 || emphasized === head
      mesh.material.opacity = emphasized < 0 ? TRANSLUCENT : active ? 1 : FADED
      edge.material.opacity = active ? 1 : FADED_EDGE
      const [red, green, blue] = emphasized === head ? theme.accent : theme.soft
      edge.material.color.setRGB(red / 255, green / 255, blue / 255, SRGBColorSpace)
    })
  }

  /**
   * Sets the order of blending for a camera.
   *
   * @param {Stack} stack
   * @param {number} cameraHeight
   * @param {number} emphasized
   */
  order(stack, cameraHeight, emphasized) {
    blendingOrder(stack, cameraHeight, emphasized).forEach((head, rank) => {
      this.#planes[head].mesh.renderOrder = 2 * rank
      this.#planes[head].edge.renderOrder = 2 * rank + 1
    })
  }

  dispose() {
    while (this.#planes.length > 0) this.#drop()
    this.#sheet.dispose()
    this.#frame.dispose()
  }
}

/** A unit square, level; the texture's first row at the far edge (−z), its first column at −x. */
function sheetGeometry() {
  const geometry = new BufferGeometry()
  const corners = [-0.5, 0, -0.5, 0.5, 0, -0.5, 0.5, 0, 0.5, -0.5, 0, 0.5]
  geometry.setAttribute('position', new Float32BufferAttribute(corners, 3))
  geometry.setAttribute('uv', new Float32BufferAttribute([0, 0, 1, 0, 1, 1, 0, 1], 2))
  geometry.setIndex([0, 3, 2, 0, 2, 1])
  return geometry
}

function frameGeometry() {
  const geometry = new BufferGeometry()
  const corners = [-0.5, 0, -0.5, 0.5, 0, -0.5, 0.5, 0, 0.5, -0.5, 0, 0.5]
  geometry.setAttribute('position', new Float32BufferAttribute(corners, 3))
  return geometry
}

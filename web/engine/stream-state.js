/**
 * Random streams whose state is kept in JavaScript and lent to one WebAssembly object of its class
 * for each draw: so a stream needs no disposing, however many are made.
 */
import { CallBuffers } from './buffers.js'
import { optionsObject } from './errors.js'
import { sizeOf, toShape } from './tensor.js'

/** @import { AddressOf, Slot } from './buffers.js' */
/** @import { Core } from './core.js' */
/** @import { OutOption } from './options.js' */
/** @import { NumpyStreamHandle, TorchStreamHandle } from './module.js' */
/** @import { Tensor } from './tensor.js' */

/** @typedef {readonly number[] | number} ShapeLike a shape, or one length */

/**
 * The state of one stream and the object that draws from it.
 * @template {NumpyStreamHandle | TorchStreamHandle} H
 */
export class StreamState {
  #core
  #drawer
  #state

  /**
   * @param {Core} core
   * @param {H} drawer the one of its class
   * @param {number} seed
   */
  constructor(core, drawer, seed) {
    this.#core = core
    this.#drawer = drawer
    this.#state = new Uint8Array(drawer.stateBytes())
    this.#withState((address) => {
      drawer.seed(seed)
      drawer.saveState(address)
    })
  }

  /**
   * @param {(buffers: CallBuffers) => Slot[]} place declares the results
   * @param {(drawer: H, addresses: number[]) => void} draw
   * @returns {Record<string, Tensor<any>>}
   */
  draw(place, draw) {
    return this.#withState((address, at, slots) => {
      this.#drawer.loadState(address)
      draw(this.#drawer, slots.map(at))
      this.#drawer.saveState(address)
    }, place)
  }

  /**
   * Copies the state in, and out again after `work`.
   * @param {(address: number, at: AddressOf, slots: Slot[]) => void} work
   * @param {(buffers: CallBuffers) => Slot[]} [place]
   */
  #withState(work, place = () => []) {
    const { memory } = this.#core
    const buffers = new CallBuffers(memory, 'the random stream', 'draw fewer numbers at a time')
    const state = buffers.input(this.#state, Uint8Array)
    const slots = place(buffers)
    return buffers.run({
      compute: (at) => {
        const address = at(state)
        work(address, at, slots)
        const end = address + this.#state.length
        this.#state.set(memory.view(Uint8Array).subarray(address, end))
      },
    })
  }
}

/**
 * One tensor of random numbers.
 * @template {NumpyStreamHandle | TorchStreamHandle} H
 * @param {StreamState<H>} state
 * @param {ShapeLike} shapeArgument
 * @param {Float32ArrayConstructor | Float64ArrayConstructor} Type
 * @param {OutOption | undefined} options
 * @param {(stream: H, address: number, count: number) => void} fill
 * @returns {Tensor<any>}
 */
export function draw(state, shapeArgument, Type, options, fill) {
  const { out } = optionsObject(options)
  const shape = toShape(
    typeof shapeArgument === 'number' ? [shapeArgument] : shapeArgument,
    'shape',
  )
  return state.draw(
    (buffers) => [buffers.result('numbers', shape, Type, out, 'out')],
    (stream, [address]) => fill(stream, address, sizeOf(shape)),
  ).numbers
}

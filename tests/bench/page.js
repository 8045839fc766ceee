/**
 * The benchmark's page: it waits to be told what to run.
 */
import * as tf from '@tensorflow/tfjs-core'
import { setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import * as ort from 'onnxruntime-web/wasm'
import { loadEngine } from '../../dist/index.js'
import { loadCeilings } from './ceilings/measure.js'
import { onnxruntimeLayer } from './peers/onnxruntime.js'
import { tfjsLayer } from './peers/tfjs.js'
import { runSuite } from './suite.js'

/**
 * @param {{ variant: 'relaxed-simd' | 'simd', threads: number, only?: string, seconds?: number, peers: boolean }} options
 */
async function bench({ variant, threads, peers: withPeers, ...options }) {
  ort.env.wasm.wasmPaths = new URL('peers/ort/', location.href).href
  ort.env.wasm.numThreads = threads
  setWasmPaths(new URL('peers/tfjs/', location.href).href)
  setThreadsCount(threads)
  await tf.setBackend('wasm')
  await tf.ready()
  const engine = await loadEngine({ variant })
  const response = await fetch(`ceilings-${variant}.wasm`)
  const ceilings = await loadCeilings(await response.arrayBuffer())
  const peers = withPeers
    ? {
        onnxruntime: (/** @type {any} */ sizes, /** @type {any} */ weights) =>
          onnxruntimeLayer(ort, sizes, weights),
        tfjs: async (/** @type {any} */ sizes, /** @type {any} */ weights) =>
          tfjsLayer(tf, sizes, weights),
      }
    : {}
  const figures = await runSuite({
    engine,
    peers,
    ceilings,
    say: (line) => console.log(line),
    ...options,
  })
  return { variant: engine.variant, threads, ...figures }
}

Object.assign(globalThis, { bench })

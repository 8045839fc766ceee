/**
 * The benchmark in Node, ours and onnxruntime-web; tfjs has another package for Node. Prints a JSON line at its end.
 */
import { readFileSync } from 'node:fs'
import * as ort from 'onnxruntime-web/wasm'
import { loadEngine } from '../../dist/index.js'
import { loadCeilings } from './ceilings/measure.js'
import { onnxruntimeLayer } from './peers/onnxruntime.js'
import { runSuite } from './suite.js'

const { variant, ...options } = JSON.parse(process.argv[2])
ort.env.wasm.numThreads = 1
const engine = await loadEngine({ variant })
const ceilings = await loadCeilings(
  readFileSync(new URL(`../../build/bench/ceilings-${variant}.wasm`, import.meta.url)),
)
const figures = await runSuite({
  ...{ engine, ceilings, ...options },
  peers: { onnxruntime: (sizes, weights) => onnxruntimeLayer(ort, sizes, weights) },
  say: (line) => console.error(line),
})
console.log(JSON.stringify({ variant: engine.variant, threads: 1, ...figures }))
process.exit()

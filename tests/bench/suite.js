/**
 * The benchmark itself, the same in a browser and in Node.
 *
 * @import { Engine } from '../../web/engine/engine.js'
 * @import { Case } from './cases.js'
 * @import { Ceilings } from './ceilings/measure.js'
 * @import { Sizes, Weights } from './peers/onnx-model.js'
 * @import { PeerLayer } from './peers/onnxruntime.js'
 * @typedef {(sizes: Sizes, weights: Weights) => Promise<PeerLayer>} MakePeer
 *
 * @typedef {object} Environment
 * @property {Engine} engine
 * @property {Record<string, MakePeer>} peers by name: 'onnxruntime', 'tfjs'
 * @property {Ceilings} ceilings
 * @property {(line: string) => void} say
 * @property {string} [only] a part of the names of cases; all without it
 * @property {number} [seconds] for each case
 *
 * @typedef {object} CaseResult
 * @property {string} name
 * @property {'prepared' | 'plain'} call
 * @property {number} n
 * @property {number} dModel
 * @property {number} heads
 * @property {number} medianMs
 * @property {number} [gflops]
 * @property {number} [ofCeiling]
 * @property {number} [vsOnnxruntime] how often ours runs while it runs once
 * @property {number} [vsTfjs]
 * @property {number} [nsPerElement]
 */
import { cases, layerData } from './cases.js'
import { alternate } from './sampling.js'

/**
 * @param {Environment} environment
 * @returns {Promise<{ ceilings: { gflops: number, gbps: number }, cases: CaseResult[] }>}
 * @throws {Error} if a peer computes something else
 */
export async function runSuite(environment) {
  const { only = '', say, ceilings, seconds = 3 } = environment
  const { multiplyAdds, copy } = ceilings
  const most = await alternate({ gflops: multiplyAdds.run, gbps: copy.run }, { seconds })
  const gflops = multiplyAdds.flops / most.gflops / 1e6
  const gbps = copy.bytes / most.gbps / 1e6
  say(`${gflops.toFixed(1)} GFLOP/s in registers, ${gbps.toFixed(1)} GB/s copied`)
  const results = []
  for (const one of cases.filter(({ name, call }) => `${name} ${call}`.includes(only))) {
    const result = await runCase(one, environment)
    say(inWords(result))
    results.push(result)
  }
  return { ceilings: { gflops, gbps }, cases: results }
}

/** @param {Case} one @param {Environment} environment @returns {Promise<CaseResult>} */
async function runCase(one, { engine, peers, ceilings, seconds = 3 }) {
  const { name, call, n, dModel, heads, flops, hasPeers, elements } = one
  const ours = one.make(engine)
  const others = hasPeers ? await peerRuns({ n, dModel, heads }, engine, peers) : []
  try {
    const works = {
      ours: ours.run,
      // In the same minute: the machine is not always equally fast.
      ceiling: ceilings.multiplyAdds.run,
      ...Object.fromEntries(others.map(({ name, run }) => [name, run])),
    }
    const medians = await alternate(works, { seconds: seconds * Object.keys(works).length })
    const gflops = flops / medians.ours / 1e6
    const ceiling = ceilings.multiplyAdds.flops / medians.ceiling / 1e6
    return {
      ...{ name, call, n, dModel, heads, medianMs: medians.ours },
      ...(flops ? { gflops, ofCeiling: gflops / ceiling } : {}),
      ...(medians.onnxruntime ? { vsOnnxruntime: medians.onnxruntime / medians.ours } : {}),
      ...(medians.tfjs ? { vsTfjs: medians.tfjs / medians.ours } : {}),
      ...(elements ? { nsPerElement: (medians.ours * 1e6) / elements } : {}),
    }
  } finally {
    ours.dispose()
    for (const { dispose } of others) await dispose()
  }
}

/**
 * The peers' layers, each compared with the float64 reference's float32 twin, ours, before it is timed.
 *
 * @param {Sizes} sizes
 * @param {Engine} engine
 * @param {Record<string, MakePeer>} peers
 */
async function peerRuns(sizes, engine, peers) {
  const { n, dModel, heads } = sizes
  const { x, weights } = layerData(engine, sizes)
  const parameters = Object.fromEntries(
    Object.entries(weights).map(([name, data]) => [name, { data, shape: [dModel, dModel] }]),
  )
  const wanted = engine.multiHeadAttention(
    { data: x, shape: [n, dModel] },
    /** @type {any} */ (parameters),
    { numHeads: heads },
  )
  const runs = []
  for (const [name, make] of Object.entries(peers)) {
    const layer = await make(sizes, weights)
    const got = await layer.forward(x)
    compare(`${name}'s output`, got.output, wanted.output.data)
    compare(`${name}'s weights`, got.weights, /** @type {any} */ (wanted.weights).data)
    runs.push({ name, run: () => layer.forward(x), dispose: () => layer.dispose() })
  }
  return runs
}

/** Rounding of products of some hundred terms, norm-wise, and no more. */
const TOLERANCE = 1e-4

/** @param {string} what @param {ArrayLike<number>} got @param {ArrayLike<number>} wanted */
function compare(what, got, wanted) {
  if (got.length !== wanted.length) {
    throw new Error(`${what} has ${got.length} numbers, not ${wanted.length}`)
  }
  let difference = 0
  let norm = 0
  for (let index = 0; index < wanted.length; index++) {
    difference += (got[index] - wanted[index]) ** 2
    norm += wanted[index] ** 2
  }
  const error = Math.sqrt(difference / norm)
  if (!(error < TOLERANCE)) throw new Error(`${what} differs by ${error} of its norm`)
}

/** @param {CaseResult} result */
function inWords({
  name,
  call,
  n,
  dModel,
  heads,
  medianMs,
  gflops,
  ofCeiling,
  vsOnnxruntime,
  vsTfjs,
  nsPerElement,
}) {
  const share = (/** @type {number} */ part) => `${(100 * part).toFixed(0)} %`
  return [
    `${`${name}, ${call}`.padEnd(46)} ${`${n} × ${dModel} × ${heads}`.padStart(16)}`,
    `${medianMs.toPrecision(4).padStart(9)} ms`,
    gflops === undefined
      ? ''
      : `${gflops.toFixed(1).padStart(6)} GFLOP/s ${share(ofCeiling ?? 0).padStart(6)}`,
    nsPerElement === undefined ? '' : `${nsPerElement.toFixed(2)} ns an element`,
    vsOnnxruntime === undefined ? '' : `${vsOnnxruntime.toFixed(2)} × onnxruntime-web`,
    vsTfjs === undefined ? '' : `${vsTfjs.toFixed(2)} × tfjs`,
  ]
    .filter(Boolean)
    .join('  ')
}

/**
 * Multi-head attention as an ONNX model, with its weights as constants, as onnxruntime's documentation advises.
 * The few fields of the format that it takes are written here: onnx.proto3, https://github.com/onnx/onnx.
 */

/**
 * @typedef {{ n: number, dModel: number, heads: number }} Sizes
 * @typedef {Record<'wq' | 'wk' | 'wv' | 'wo', Float32Array>} Weights  (d_model, d_model) each
 */

const FLOAT = 1
const INT64 = 7

/**
 * @param {Sizes} sizes
 * @param {Weights} weights
 * @returns {Uint8Array} a model that takes `x` (n, d_model) and gives `output` (n, d_model) and `weights` (heads, n, n)
 */
export function onnxModel({ n, dModel, heads }, weights) {
  const dK = dModel / heads
  const nodes = [
    ...['q', 'k', 'v'].flatMap((name) => [
      node('MatMul', ['x', `w${name}`], [`${name}Flat`]),
      node('Reshape', [`${name}Flat`, 'split'], [`${name}Split`]),
    ]),
    node('Transpose', ['qSplit'], ['q'], [ints('perm', [1, 0, 2])]),
    // Keys come transposed, which makes Q·Kᵀ a plain product.
    node('Transpose', ['kSplit'], ['kT'], [ints('perm', [1, 2, 0])]),
    node('Transpose', ['vSplit'], ['v'], [ints('perm', [1, 0, 2])]),
    node('MatMul', ['q', 'kT'], ['logits']),
    node('Mul', ['logits', 'scale'], ['scores']),
    node('Softmax', ['scores'], ['weights'], [int('axis', -1)]),
    node('MatMul', ['weights', 'v'], ['heads']),
    node('Transpose', ['heads'], ['headsSplit'], [ints('perm', [1, 0, 2])]),
    node('Reshape', ['headsSplit', 'join'], ['concatenated']),
    node('MatMul', ['concatenated', 'wo'], ['output']),
  ]
  const constants = [
    ...Object.entries(weights).map(([name, data]) =>
      tensor(name, FLOAT, [dModel, dModel], bytesOf(data)),
    ),
    tensor('scale', FLOAT, [], bytesOf(Float32Array.of(1 / Math.sqrt(dK)))),
    tensor('split', INT64, [3], bytesOf(BigInt64Array.of(BigInt(n), BigInt(heads), BigInt(dK)))),
    tensor('join', INT64, [2], bytesOf(BigInt64Array.of(BigInt(n), BigInt(dModel)))),
  ]
  const graph = [
    ...nodes.map((bytes) => field(1, bytes)),
    field(2, text('attention')),
    ...constants.map((bytes) => field(5, bytes)),
    field(11, valueInfo('x', [n, dModel])),
    field(12, valueInfo('output', [n, dModel])),
    field(12, valueInfo('weights', [heads, n, n])),
  ]
  return join([
    number(1, 8),
    field(7, join(graph)),
    // The operators' version.
    field(8, join([field(1, text('')), number(2, 17)])),
  ])
}

/** @param {string} type @param {string[]} inputs @param {string[]} outputs @param {Uint8Array[]} [attributes] */
function node(type, inputs, outputs, attributes = []) {
  return join([
    ...inputs.map((name) => field(1, text(name))),
    ...outputs.map((name) => field(2, text(name))),
    field(4, text(type)),
    ...attributes.map((bytes) => field(5, bytes)),
  ])
}

/** @param {string} name @param {number} value */
function int(name, value) {
  return join([field(1, text(name)), number(3, value), number(20, 2)])
}

/** @param {string} name @param {number[]} values */
function ints(name, values) {
  return join([field(1, text(name)), ...values.map((value) => number(8, value)), number(20, 7)])
}

/** @param {string} name @param {number} type @param {number[]} shape @param {Uint8Array} raw */
function tensor(name, type, shape, raw) {
  return join([
    ...shape.map((length) => number(1, length)),
    number(2, type),
    field(8, text(name)),
    field(9, raw),
  ])
}

/** @param {string} name @param {number[]} shape */
function valueInfo(name, shape) {
  const dimensions = join(shape.map((length) => field(1, number(1, length))))
  const type = field(1, join([number(1, FLOAT), field(2, dimensions)]))
  return join([field(1, text(name)), field(2, type)])
}

// ---- Protocol buffers: a field is its number and kind, then its content ----

/** @param {number} id @param {Uint8Array} bytes */
function field(id, bytes) {
  return join([varint((id << 3) | 2), varint(bytes.length), bytes])
}

/** @param {number} id @param {number} value */
function number(id, value) {
  return join([varint(id << 3), varint(value)])
}

/** @param {number} value negative ones as 64-bit two's complement */
function varint(value) {
  let rest = BigInt.asUintN(64, BigInt(value))
  const bytes = []
  do {
    const low = Number(rest & 127n)
    rest >>= 7n
    bytes.push(rest > 0n ? low | 128 : low)
  } while (rest > 0n)
  return Uint8Array.from(bytes)
}

/** @param {string} words */
function text(words) {
  return new TextEncoder().encode(words)
}

/** @param {ArrayBufferView} view */
function bytesOf(view) {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
}

/** @param {Uint8Array[]} parts */
function join(parts) {
  const all = new Uint8Array(parts.reduce((total, { length }) => total + length, 0))
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}

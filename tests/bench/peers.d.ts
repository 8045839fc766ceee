// The peers are installed by the benchmark alone; their types are not needed to check it.
declare module '@tensorflow/tfjs-core'
declare module '@tensorflow/tfjs-backend-wasm'
declare module 'onnxruntime-web/wasm'

// What scripts elsewhere in the project use of the toolchain. Plain Node throughout, so that it
// runs in a fresh clone before `npm ci`.

export { ensureNodeModules } from './node-modules.js'
export { ensureSystemPackages } from './system-packages.js'
export { buildPreset, buildWasm, testPreset } from './build.js'
export { run, outputOf, onPath } from './run.js'
export { PROJECT, BUILD, WASM } from './paths.js'

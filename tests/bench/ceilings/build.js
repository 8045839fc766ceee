import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILD, run } from '../../../cpp/toolchain/index.js'
import { findEmscripten } from '../../../cpp/toolchain/find-emscripten.js'

const source = fileURLToPath(new URL('ceilings.cc', import.meta.url))

/** Compiles the ceilings of both variants into build/bench. @returns {Promise<void>} */
export async function buildCeilings() {
  const { root } = await findEmscripten()
  const folder = join(BUILD, 'bench')
  mkdirSync(folder, { recursive: true })
  for (const variant of ['simd', 'relaxed-simd']) {
    const relaxed = variant === 'simd' ? [] : ['-mrelaxed-simd']
    const flags = [
      '-O3',
      '-std=c++20',
      '-fno-exceptions',
      '-fno-rtti',
      '-Wall',
      '-Wextra',
      '-Werror',
    ]
    await run(join(root, 'em++'), [
      ...flags,
      ...['-msimd128', ...relaxed, '-sSTANDALONE_WASM', '-sAUTO_NATIVE_LIBRARIES=0', '--no-entry'],
      ...[source, '-o', join(folder, `ceilings-${variant}.wasm`)],
    ])
  }
}

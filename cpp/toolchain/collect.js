import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUILD, WASM } from './paths.js'

/**
 * Put what JavaScript needs of both variants into build/wasm: the glue, of which there is one, and
 * a wasm file each.
 *
 * @throws {Error} if the variants' glue differs, since a page loads it before it knows the variant
 */
export function collectWasm() {
  mkdirSync(WASM, { recursive: true })
  const [simd, relaxed] = ['simd', 'relaxed-simd'].map((variant) => {
    const folder = join(BUILD, variant)
    writeIfChanged(
      join(WASM, `attention-${variant}.wasm`),
      readFileSync(join(folder, 'attention.wasm')),
    )
    return readFileSync(join(folder, 'attention.js'), 'utf8')
  })
  if (simd !== relaxed) {
    throw new Error(
      'build/simd/attention.js and build/relaxed-simd/attention.js differ, but one glue has to ' +
        'serve both variants: something other than SIMD instructions depends on the variant.',
    )
  }
  writeIfChanged(join(WASM, 'attention.js'), Buffer.from(withoutOwnAddress(simd)))
  // Generated code is not for the type checker, which would read it otherwise.
  writeIfChanged(join(WASM, 'attention.d.ts'), Buffer.from(GLUE_TYPES))
}

const GLUE_TYPES = 'export default function createModule(options: object): Promise<unknown>\n'

/**
 * Glue that never looks for its wasm file by itself: the engine always hands in the module, and a
 * bundler would chase the address, find no such file, or ship it twice.
 *
 * @param {string} glue
 */
function withoutOwnAddress(glue) {
  const changed = glue.replace(/new URL\((["'])attention\.wasm\1, ?import\.meta\.url\)\.href/, '""')
  if (changed === glue || /new URL\([^)]*import\.meta/.test(changed)) {
    throw new Error(
      'The glue finds its wasm file by an address of a form that cpp/toolchain/collect.js does not ' +
        'know; a bundler would chase it.',
    )
  }
  return changed
}

/**
 * Leaves a file alone that holds the same already, so that those who watch it see no change.
 *
 * @param {string} path
 * @param {Buffer} content
 */
function writeIfChanged(path, content) {
  try {
    if (readFileSync(path).equals(content)) return
  } catch {
    // Not there yet.
  }
  writeFileSync(path, content)
}

import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { PROJECT } from './paths.js'
import { run } from './run.js'

/** Emscripten runs the module at link time, so its Node needs relaxed SIMD. */
const NODE = join(PROJECT, 'cpp/toolchain/node-with-relaxed-simd.sh')

/** Emscripten's configuration: Debian's, then ours. */
const CONFIGURATION = 'usr/share/emscripten/.emscripten'

/** Where a folder's programs believe that they lie. */
const RECORD = 'settled-in'

/**
 * Point a folder's programs to their own loader and libraries and write Emscripten's configuration.
 * Both hold absolute paths: the kernel takes no other for a loader.
 *
 * @param {string} folder unpacked packages
 * @param {string} home where the folder lies, or is about to lie
 */
export async function settle(folder, home) {
  const libraries = join('usr/lib', only(join(folder, 'usr/lib'), /-linux-gnu/))
  const loader = join(libraries, only(join(folder, libraries), /^ld-linux.*\.so/))
  // Patchelf is one of these programs: started by the loader it needs no settling itself.
  /** @param {string[]} args */
  const patchelf = (args) => {
    const program = ['--library-path', join(folder, libraries), join(folder, 'usr/bin/patchelf')]
    return run(join(folder, loader), [...program, ...args], { quiet: true })
  }
  const programs = [join(folder, 'usr/bin'), llvmPrograms(folder)]
    .flatMap(elfFilesIn)
    .filter((path) => !path.endsWith('/patchelf'))
  await patchelf(['--set-interpreter', join(home, loader), ...programs])
  // As DT_RPATH, which holds for the libraries' own libraries too, unless they say otherwise.
  await patchelf(['--force-rpath', '--set-rpath', join(home, libraries), ...programs])
  const compilers = elfFilesIn(join(folder, libraries)).filter((path) =>
    /\/lib(LLVM|clang|binaryen)[^/]*$/.test(path),
  )
  await patchelf(['--remove-rpath', ...compilers])

  writeFileSync(join(folder, CONFIGURATION), emscriptenConfiguration(folder, home))
  // Its scripts ending in .js are CommonJS, whatever this project's own package.json says.
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n')
  writeFileSync(join(folder, RECORD), home)
}

/**
 * @param {string} folder
 * @returns {string}
 */
export function settledIn(folder) {
  return readFileSync(join(folder, RECORD), 'utf8')
}

/**
 * LLVM's programs under their plain names, clang instead of clang-21.
 *
 * @param {string} folder
 */
export function llvmPrograms(folder) {
  return join(folder, 'usr/lib', only(join(folder, 'usr/lib'), /^llvm-/), 'bin')
}

/**
 * @param {string} folder
 * @param {string} home
 */
function emscriptenConfiguration(folder, home) {
  const settings = {
    LLVM_ROOT: join(home, relative(folder, llvmPrograms(folder))),
    BINARYEN_ROOT: join(home, 'usr'),
    NODE_JS: NODE,
    CACHE: join(home, 'usr/share/emscripten/cache'),
  }
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
  // Debian's Emscripten 3.1 comes with its system libraries built: nothing is to be added to them.
  const frozen = /^FROZEN_CACHE = True/m
  if (frozen.test(readFileSync(join(folder, CONFIGURATION), 'utf8'))) {
    lines.push('FROZEN_CACHE = True')
  }
  return lines.join('\n') + '\n'
}

/**
 * The compiled files of a folder: no links, scripts or folders.
 *
 * @param {string} folder
 */
function elfFilesIn(folder) {
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => lstatSync(path).isFile() && startsLikeElf(path))
}

/** @param {string} path */
function startsLikeElf(path) {
  const file = openSync(path, 'r')
  const start = Buffer.alloc(4)
  readSync(file, start, 0, 4, 0)
  closeSync(file)
  return start.toString('latin1') === '\x7fELF'
}

/**
 * The one name in a folder that matches.
 *
 * @param {string} folder
 * @param {RegExp} pattern
 */
function only(folder, pattern) {
  const names = readdirSync(folder).filter((name) => pattern.test(name))
  if (names.length !== 1) throw new Error(`${folder}: ${names.length} names match ${pattern}`)
  return names[0]
}

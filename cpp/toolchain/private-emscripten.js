import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { TOOLCHAIN } from './paths.js'
import { PrivateApt, machineSuite } from './private-apt.js'
import { run } from './run.js'
import { llvmPrograms, settle, settledIn } from './settle.js'

/**
 * Where a suite's Emscripten lies once it has been brought: what its packages install, without
 * what compiling C++ to WebAssembly does not need.
 *
 * @param {string} suite
 */
export function privateFolder(suite) {
  return join(TOOLCHAIN, suite)
}

/** @param {string} suite */
export function emscriptenRoot(suite) {
  return join(privateFolder(suite), 'usr/share/emscripten')
}

/** @param {string} suite */
export function isBrought(suite) {
  return existsSync(privateFolder(suite))
}

/**
 * Bring Emscripten from a suite of Debian's archive into a folder of the project. The folder
 * appears under its name only when it is whole.
 *
 * @param {string} suite
 * @throws {Error} if the suite cannot be fetched
 */
export async function bringEmscripten(suite) {
  const folder = privateFolder(suite)
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  console.error(`Bringing Emscripten from Debian's suite ${suite} into .toolchain/${suite}`)

  const apt = await openSuite(join(unfinished, 'apt'), suite)
  for (const archive of await apt.download(neededPackages(apt))) {
    await unpack(archive, unfinished)
  }
  rmSync(join(unfinished, 'apt'), { recursive: true })
  removeUnneededPrograms(unfinished)
  await settle(unfinished, folder)
  renameSync(unfinished, folder)
}

/**
 * Make a copy that was brought work where it lies now, should the project have been moved since.
 *
 * @param {string} suite
 */
export async function resettle(suite) {
  const folder = privateFolder(suite)
  if (settledIn(folder) !== folder) await settle(folder, folder)
}

/**
 * Open a suite with the machine's keys for Debian's archive; should it be signed by keys newer
 * than those, with the keys that the machine's own suite, which the machine's keys verify, has now.
 *
 * @param {string} folder
 * @param {string} suite
 */
async function openSuite(folder, suite) {
  const apt = new PrivateApt(join(folder, suite), suite)
  try {
    await apt.open()
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('NO_PUBKEY')) throw error
    const own = new PrivateApt(join(folder, 'keys'), machineSuite())
    await own.open()
    for (const archive of await own.download(['debian-archive-keyring'])) {
      await run('dpkg-deb', ['--extract', archive, folder])
    }
    await apt.open(join(folder, 'usr/share/keyrings/debian-archive-keyring.gpg'))
  }
  return apt
}

/** Packages that are more than the libraries of others. */
const PROGRAM_PACKAGES = /^(emscripten|binaryen|(clang|lld|llvm)-\d+|libclang-common-\d+-dev)$/

/** Libraries of programs that are left out, or needed by those that compile for this machine. */
const UNNEEDED_LIBRARIES = /-dev$|^lib(clang1|curl|objc|pfm)/

/**
 * Emscripten's packages and, all the way down, the libraries that they need: a walk over the
 * records instead of a list, so that it holds for each suite's versions. Python, Node and the like,
 * which the machine has, are not followed.
 *
 * @param {PrivateApt} apt
 */
function neededPackages(apt) {
  // Eigen to compile with it; patchelf for `settle`.
  let found = ['emscripten', 'libeigen3-dev', 'patchelf']
  const needed = new Set(found)
  while (found.length > 0) {
    const dependencies = [...apt.dependencies(found).values()].flat()
    found = [...new Set(dependencies)].filter(
      (name) =>
        !needed.has(name) &&
        (PROGRAM_PACKAGES.test(name) ||
          (/^(lib|zlib)/.test(name) && !UNNEEDED_LIBRARIES.test(name))),
    )
    for (const name of found) needed.add(name)
  }
  return [...needed]
}

/**
 * Parts of the packages that need not touch the disk. Debian's Emscripten 3.1 ships every variant
 * of its system libraries, 1.6 GB of which these builds link the plain one.
 */
const LEFT_OUT = [
  './usr/share/doc',
  './usr/share/man',
  './usr/share/locale',
  './usr/share/emscripten/docs',
  './usr/share/emscripten/media',
  './usr/share/emscripten/test',
  './usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/*/*',
  './usr/share/emscripten/cache/sysroot/lib/wasm64-emscripten',
  './usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/*-asan*',
  './usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/*-mt*',
  './usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/*-ww*',
  './usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/libwasmfs*',
  './usr/lib/*/gconv',
]

/**
 * @param {string} archive a .deb file
 * @param {string} folder
 */
async function unpack(archive, folder) {
  const exclusions = LEFT_OUT.map((pattern) => `--exclude=${pattern}`)
  const pipeline =
    'set -o pipefail; dpkg-deb --fsys-tarfile "$0" | tar -x --wildcards -C "$1" "${@:2}"'
  await run('bash', ['-c', pipeline, archive, folder, ...exclusions], { quiet: true })
}

/** The programs that emcc and em++ start. */
const PROGRAMS =
  /^(clang|clang\+\+|clang-\d+|clang-scan-deps|lld|wasm-ld|llvm-(ar|cxxfilt|nm|objcopy|ranlib|strip)|patchelf|wasm-(as|dis|ctor-eval|emscripten-finalize|metadce|opt|split))$/

/** @param {string} folder */
function removeUnneededPrograms(folder) {
  for (const programs of [join(folder, 'usr/bin'), llvmPrograms(folder)]) {
    for (const name of readdirSync(programs)) {
      if (!PROGRAMS.test(name)) rmSync(join(programs, name))
    }
  }
}

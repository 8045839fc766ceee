import { existsSync } from 'node:fs'
import { onPath, outputOf, run } from './run.js'

/**
 * How to see that a package is there, whoever installed it: a program on PATH or a file. Other
 * packages are looked up in dpkg's records.
 *
 * @type {Record<string, () => boolean>}
 */
const PROBES = {
  cmake: () => versionAtLeast(outputOf('cmake', ['--version']), 3, 25),
  'ninja-build': () => onPath('ninja') !== undefined,
  'g++': () => onPath('g++') !== undefined,
  python3: () => onPath('python3') !== undefined,
  'python3-venv': () => outputOf('python3', ['-c', 'import ensurepip, venv']) !== undefined,
  chromium: () => onPath('chromium') !== undefined,
  'firefox-esr': () => onPath('firefox-esr') !== undefined,
  'webkit2gtk-driver': () => onPath('WebKitWebDriver') !== undefined,
  xvfb: () => onPath('Xvfb') !== undefined,
  'clang-format': () => onPath('clang-format') !== undefined,
  googletest: () => existsSync('/usr/src/googletest/googletest/CMakeLists.txt'),
  'libeigen3-dev': () => existsSync('/usr/include/eigen3/Eigen/Core'),
  'nlohmann-json3-dev': () => existsSync('/usr/include/nlohmann/json.hpp'),
}

/**
 * See to it that Debian packages are installed: at once where this process may install them,
 * otherwise by telling how.
 *
 * @param {string[]} packages Debian's names
 * @throws {Error} with the command to run, if something is missing that cannot be installed from here
 */
export async function ensureSystemPackages(packages) {
  const missing = packages.filter((name) => !isPresent(name))
  if (missing.length === 0) return
  const install = ['install', '--yes', '--no-install-recommends', ...missing]
  if (onPath('apt-get') === undefined) {
    throw new Error(
      `Missing on this machine: ${missing.join(', ')} (Debian's names). There is no apt-get to ` +
        `install them with: install them with this system's own package manager, then run the ` +
        `command again.`,
    )
  }
  if (process.getuid?.() !== 0) {
    throw new Error(
      `Missing on this machine: ${missing.join(', ')}. Install with\n\n` +
        `  sudo apt-get update && sudo apt-get ${install.join(' ')}\n\nand run the command again.`,
    )
  }
  console.log(`Installing ${missing.join(', ')}`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '--quiet'], { env, quiet: true })
  await run('apt-get', [...install, '--quiet'], { env, quiet: true })
}

/** @param {string} name */
function isPresent(name) {
  const probe = PROBES[name]
  if (probe) return probe()
  const status = outputOf('dpkg-query', ['--show', '--showformat=${db:Status-Status}', name])
  return status === 'installed'
}

/**
 * Whether the first version number in a text is high enough.
 *
 * @param {string | undefined} text
 * @param {number} major
 * @param {number} minor
 */
function versionAtLeast(text, major, minor) {
  const found = /(\d+)\.(\d+)/.exec(text ?? '')
  if (!found) return false
  const [, foundMajor, foundMinor] = found.map(Number)
  return foundMajor > major || (foundMajor === major && foundMinor >= minor)
}

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BUILD, PROJECT, run } from '../../cpp/toolchain/index.js'

/**
 * Building the package and the site, each only when something it is made of has changed. Plain Node, so that it
 * runs in a fresh clone.
 */

/** What the package is made of. */
const PACKAGE_INPUTS = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'build/wasm',
  'web/index.js',
  'web/build.js',
  'web/site/assets/icon.svg',
  'web/page-registry.js',
  'web/problem.js',
  'web/plain-output.js',
  'web/version.js',
  'web/vite.config.js',
  'web/vite.worker.config.js',
  'web/tsconfig.json',
  'web/engine',
  'web/data',
  'web/views',
  'web/exhibits',
  'web/elements',
  'web/picture',
  'web/share',
  'web/embed',
  'web/offline',
]

/** What the site is made of, beside the package. */
const SITE_INPUTS = ['package-lock.json', 'web/site', 'web/offline', 'dist']

/** Builds dist, the npm package's output. @returns {Promise<boolean>} whether there was anything to do */
export function buildPackage() {
  return buildIfChanged('package', PACKAGE_INPUTS, 'dist/index.js', () =>
    run(process.execPath, ['web/build.js'], { cwd: PROJECT }),
  )
}

/** Builds build/site from the pages and dist. @returns {Promise<boolean>} whether there was anything to do */
export function buildSite() {
  return buildIfChanged('site', SITE_INPUTS, 'build/site/index.html', async () => {
    // Files of an older build would be served along with the new ones.
    rmSync(join(BUILD, 'site'), { recursive: true, force: true })
    const eleventy = join(PROJECT, 'node_modules/@11ty/eleventy/cmd.cjs')
    await run(process.execPath, [eleventy, '--config=web/site/eleventy.config.js', '--quiet'], {
      cwd: PROJECT,
    })
  })
}

/**
 * @param {string} name of what is built
 * @param {string[]} inputs files and folders, from the project's top
 * @param {string} output a file that a finished build leaves behind
 * @param {() => Promise<void>} build
 */
async function buildIfChanged(name, inputs, output, build) {
  const record = join(BUILD, `${name}.inputs`)
  const now = inputs.flatMap((input) => fingerprint(input)).join('\n')
  if (
    existsSync(join(PROJECT, output)) &&
    existsSync(record) &&
    readFileSync(record, 'utf8') === now
  ) {
    return false
  }
  // Taken back first: a build that is interrupted must not count as done.
  rmSync(record, { force: true })
  await build()
  mkdirSync(BUILD, { recursive: true })
  writeFileSync(record, now)
  return true
}

/**
 * A line for each file below a path; it changes when the file does.
 * @param {string} path
 * @returns {string[]}
 */
function fingerprint(path) {
  const full = join(PROJECT, path)
  if (!existsSync(full)) return [`${path} missing`]
  const { size, mtimeMs } = statSync(full)
  if (!statSync(full).isDirectory()) return [`${path} ${size} ${mtimeMs}`]
  return readdirSync(full)
    .sort()
    .flatMap((name) => fingerprint(`${path}/${name}`))
}

// `node web/site/build.js` builds both.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await buildPackage()
  await buildSite()
}

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { formatMessage } from 'publint/utils'
import { publint } from 'publint'
import { outputOf, PROJECT } from '../../cpp/toolchain/index.js'

/** @type {{ exports: Record<string, string | Record<string, string>> }} */
const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))

/** What a user of the package needs, and nothing else. */
const NEEDED = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/(embed\.html|icon\.svg|THIRD_PARTY_LICENSES\.md)$/,
  /^dist\/(chunks\/|assets\/)?[\w-]+\.js$/,
  /^dist\/assets\/attention-(relaxed-)?simd-[\w-]+\.wasm$/,
  /^dist\/types\/[\w/-]+\.d\.ts$/,
]

/** The paths that `npm pack` would put into the package. */
function packedFiles() {
  // Without the scripts, which would build what was just built.
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const output = outputOf('npm', args, { cwd: PROJECT })
  assert.ok(output, 'npm pack failed')
  /** @type {{ files: { path: string }[] }[]} */
  const [{ files }] = JSON.parse(output)
  return files.map(({ path }) => path)
}

test('the package holds nothing that its users do not need', () => {
  const surplus = packedFiles().filter((path) => !NEEDED.some((pattern) => pattern.test(path)))
  assert.deepEqual(surplus, [])
})

test('the package holds its licence, what it is, what changed, and both variants', () => {
  const files = packedFiles()
  for (const path of ['README.md', 'LICENSE', 'CHANGELOG.md']) assert.ok(files.includes(path), path)
  for (const variant of ['simd', 'relaxed-simd']) {
    const pattern = new RegExp(`/attention-${variant}-[\\w-]+\\.wasm$`)
    assert.equal(files.filter((path) => pattern.test(path)).length, 1, variant)
  }
})

test('types are found and true, however an ES module resolves them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'attention-lab-pack-'))
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(outputOf('npm', args, { cwd: PROJECT }) ?? '[{}]')
  const attw = join(PROJECT, 'node_modules/.bin/attw')
  const report = spawnSync(attw, [join(folder, filename), '--profile', 'esm-only'], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true, force: true })
  assert.equal(report.status, 0, report.stdout + report.stderr)
})

test('the package holds every file that its exports name', () => {
  const files = packedFiles()
  for (const [entry, target] of Object.entries(manifest.exports)) {
    for (const path of typeof target === 'string' ? [target] : Object.values(target)) {
      assert.ok(files.includes(path.replace('./', '')), `${entry} names ${path}`)
    }
  }
})

test('every import in the package names a file, or tells bundlers to leave it', () => {
  const scripts = packedFiles().filter((path) => /^dist\/.*\.js$/.test(path))
  const imports = scripts.flatMap((path) => {
    const text = readFileSync(join(PROJECT, path), 'utf8')
    return Array.from(text.matchAll(/\bimport\(([^)]*)\)/g), ([, what]) => what)
  })
  assert.ok(imports.length > 20, `${imports.length} imports`)
  const unknown = imports.filter(
    (what) => !/^("|\/\* webpackIgnore: true \*\/ \/\* @vite-ignore)/.test(what),
  )
  assert.deepEqual(unknown, [])
})

test('publint finds nothing to say', async () => {
  const { messages, pkg } = await publint({ pkgDir: PROJECT, strict: true })
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  )
})

/**
 * The JavaScript tests, in Node: what needs no WebAssembly, the engine in both variants, and the
 * built package as its users have it.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const project = fileURLToPath(new URL('../..', import.meta.url))

/** Node 20 has relaxed SIMD behind a flag; newer ones have it on and know no such flag. */
const RELAXED_FLAG = '--experimental-wasm-relaxed-simd'
const isFlagKnown = spawnSync(process.execPath, [RELAXED_FLAG, '--version']).status === 0

/** @param {string} variant @param {string[]} [execArgv] */
function engineTests(variant, execArgv = []) {
  return {
    extends: /** @type {const} */ (true),
    test: {
      name: variant,
      include: ['tests/js/engine/*.test.js'],
      env: { ATTENTION_LAB_VARIANT: variant },
      execArgv,
    },
  }
}

export default defineConfig({
  root: project,
  cacheDir: 'build/vite-tests',
  test: {
    // Processes, since threads take no flags for the JavaScript engine.
    pool: 'forks',
    // Two cores are what the smallest machines have.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['tests/js/unit/*.test.js'] } },
      { extends: true, test: { name: 'data', include: ['tests/js/data/*.test.js'] } },
      engineTests('simd'),
      engineTests('relaxed-simd', isFlagKnown ? [RELAXED_FLAG] : []),
      {
        extends: true,
        test: {
          name: 'package',
          include: ['tests/js/package/*.test.js'],
          testTimeout: 180_000,
        },
      },
    ],
  },
})

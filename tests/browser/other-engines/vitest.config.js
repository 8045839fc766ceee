/**
 * The tests of the site in engines other than Chromium's: one set of checks, in Firefox and in WebKit.
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  cacheDir: 'build/vite-tests',
  test: {
    name: 'engines',
    include: ['tests/browser/other-engines/*.test.js'],
    pool: 'forks',
    // A browser keeps two cores busy.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['verbose'],
  },
})

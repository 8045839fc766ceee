/**
 * Browser tests of the widgets in the hosts that people use them in, with the browser of the other tests.
 */
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { BUILD } from '../../cpp/toolchain/index.js'
import browser from '../browser/playwright.config.js'

export default defineConfig({
  testDir: '.',
  outputDir: join(BUILD, 'notebook-tests'),
  forbidOnly: Boolean(process.env.CI),
  // Each test has servers and kernels beside the browser.
  workers: 1,
  timeout: 90_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: { ...browser.use, viewport: { width: 1000, height: 1200 } },
})

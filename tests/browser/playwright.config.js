/**
 * Browser tests, in the Chromium that the machine has. WebGL runs on SwiftShader, so that a machine without
 * a graphics card draws the same pixels.
 */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'

const root = fileURLToPath(new URL('../..', import.meta.url))
const port = Number(process.env.ATTENTION_TEST_PORT ?? 4178)
const sitePort = port + 1

/** A Chromium on PATH, or the one that CHROMIUM names. Without either Playwright takes its own. */
function findChromium() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [process.env.CHROMIUM ?? '', ...found].find((path) => path !== '' && existsSync(path))
}

export default defineConfig({
  testDir: '.',
  outputDir: join(root, 'test-results'),
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  timeout: 60_000,
  // SwiftShader on a busy machine takes its time.
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1000, height: 900 },
    launchOptions: {
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  projects: [
    {
      name: 'views',
      testMatch: 'views/*.spec.js',
      use: { baseURL: `http://localhost:${port}` },
    },
    {
      // The built site, below a path of its own: no address in it may begin at the server's root.
      name: 'site',
      testMatch: '**/browser/*.spec.js',
      use: { baseURL: `http://localhost:${sitePort}/site/` },
    },
  ],
  webServer: [
    {
      command: `node tests/browser/serve.js ${port}`,
      cwd: root,
      url: `http://localhost:${port}/tests/browser/pages/blank.html`,
      reuseExistingServer: !process.env.CI,
      timeout: 60_000,
    },
    {
      command: `node web/site/serve.js build ${sitePort}`,
      cwd: root,
      url: `http://localhost:${sitePort}/site/`,
      reuseExistingServer: !process.env.CI,
    },
  ],
})

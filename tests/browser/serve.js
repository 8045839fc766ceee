/**
 * The server of the browser tests, `node tests/browser/serve.js PORT`: the repository's sources as they
 * are. Pages under `pages/strict…` come with the strict policy that a course platform may set.
 */
import { createReadStream, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const STRICT_POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"

const server = await createServer({
  configFile: false,
  root,
  cacheDir: `${root}build/vite-tests`,
  logLevel: 'warn',
  appType: 'mpa',
  // Prebundled ahead of the first request: a late discovery would reload a page in the midst of a test.
  optimizeDeps: {
    noDiscovery: true,
    include: [
      'three',
      'three/addons/controls/OrbitControls.js',
      'd3-scale',
      'd3-scale-chromatic',
      'lit',
      '@observablehq/plot',
      'comlink',
      '@zip.js/zip.js/lib/zip-core-custom.js',
    ],
  },
  server: {
    port: Number(process.argv[2] ?? 4178),
    strictPort: true,
    hmr: false,
    ws: false,
    watch: { ignored: ['**/build/**', '**/.toolchain/**', '**/dist/**'] },
  },
  plugins: [
    {
      name: 'plain-pages',
      configureServer(server) {
        server.middlewares.use((request, response, next) => {
          const { pathname } = new URL(request.url ?? '/', 'http://localhost')
          const file = root + pathname.slice(1)
          if (!/^\/tests\/browser\/pages\/[\w-]+\.html$/.test(pathname) || !existsSync(file))
            return next()
          response.setHeader('Content-Type', 'text/html; charset=utf-8')
          if (pathname.includes('/strict')) {
            response.setHeader('Content-Security-Policy', STRICT_POLICY)
          }
          // Not through Vite, which would add its own client to the page.
          createReadStream(file).pipe(response)
        })
      },
    },
  ],
})
await server.listen()

/**
 * How the experiments' worker is bundled: one classic script without imports, which starts from an
 * address, from a blob and from file:// alike. The package ships it as a file and as text.
 */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  publicDir: false,
  logLevel: 'warn',
  // The glue asks where it is; nothing is fetched from there.
  define: { 'import.meta.url': '""' },
  build: {
    outDir: 'build/worker',
    emptyOutDir: true,
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      input: 'web/engine/experiment-worker.js',
      output: { format: 'iife', entryFileNames: 'experiment-worker.js', minify: true },
    },
  },
})

/**
 * How the package is bundled. Built like an application, with several entries, since library mode
 * inlines the WebAssembly files as text and writes addresses that hold on one server only.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { plainOutput } from './plain-output.js'

const project = fileURLToPath(new URL('..', import.meta.url))

/** The package's entries, as package.json exports them, and what pages load by a script of theirs. */
const ENTRIES = {
  index: 'web/index.js',
  views: 'web/views/index.js',
  elements: 'web/elements/define.js',
  'attention-lab': 'web/elements/attention-lab.js',
  embed: 'web/embed/embed.js',
  exhibits: 'web/exhibits/index.js',
  data: 'web/data/index.js',
}

export default defineConfig({
  root: project,
  // Addresses relative to the file they stand in: the package lies wherever its user puts it.
  base: './',
  publicDir: false,
  logLevel: 'warn',
  plugins: [plainOutput()],
  resolve: {
    // Its build for Node, which differs in one thing: it can be imported where there is no document,
    // as on a server that renders an author's page.
    alias: [{ find: /^lit-html$/, replacement: fileURLToPath(import.meta.resolve('lit-html')) }],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // An inlined file is 1.3 times as large, and a strict content security policy refuses to fetch it.
    assetsInlineLimit: 0,
    // A package's user decides what his page loads ahead.
    modulePreload: false,
    // What the bundled libraries ask for: their notices travel with them.
    license: { fileName: 'THIRD_PARTY_LICENSES.md' },
    // Sizes have a test of their own.
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: Object.fromEntries(
        Object.entries(ENTRIES).filter(([, file]) => existsSync(`${project}/${file}`)),
      ),
      // Entries export what their sources export, whoever imports them here.
      preserveEntrySignatures: 'strict',
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
        minify: true,
      },
    },
  },
})

/**
 * Bundles a module into one file that needs no other: with the WebAssembly code and the worker in it, without imports
 * and addresses. Notebooks import such a module from a blob, and a page that was saved as one file holds one.
 */
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { plainOutput } from '../plain-output.js'

const project = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The worker's script must have been built.
 *
 * @param {string} input a module, from the project's root
 * @param {string} output path of the file; what else is in its folder stays
 * @param {'es' | 'iife'} [format] 'iife' for a script without exports
 * @param {string} [notices] name of a file beside it for the notices of the libraries that are in it
 * @throws {Error} if something is missing or does not build
 */
export async function bundleAlone(input, output, format = 'es', notices) {
  await build({
    configFile: false,
    root: project,
    publicDir: false,
    logLevel: 'warn',
    plugins: [
      plainOutput(),
      {
        name: 'inlined-addresses',
        enforce: 'pre',
        resolveId: (source, importer) =>
          source === './addresses.js' && importer?.includes('/web/engine/')
            ? `${project}/web/offline/inlined-addresses.js`
            : undefined,
      },
    ],
    build: {
      outDir: dirname(output),
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
      license: notices !== undefined && { fileName: notices },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 4000,
      rolldownOptions: {
        input,
        preserveEntrySignatures: 'strict',
        output: { format, entryFileNames: basename(output), codeSplitting: false, minify: true },
      },
    },
  })
}

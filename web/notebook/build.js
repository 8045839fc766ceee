/**
 * Builds what the Python package carries into build/notebook: a module for each widget, each one file without
 * imports or addresses, and `lab.json`, from which Python makes its classes; the licences beside them. The WebAssembly
 * module must have been built.
 *
 * On the command line: node web/notebook/build.js
 */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { bundleAlone } from '../offline/bundle.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const OUT = `${project}/build/notebook`

/** Modules that hosts import, and one script for pages. */
const MODULES = ['cube', 'heatmap', 'heads', 'lines', 'shell']
const SCRIPTS = ['exported-page']
/** The module that holds every library that the others hold. */
const WHOLE = 'exhibits'

/** @throws {Error} if something is missing or does not build */
export async function buildNotebook() {
  rmSync(OUT, { recursive: true, force: true })
  mkdirSync(OUT, { recursive: true })
  await build({ configFile: `${project}/web/vite.worker.config.js` })
  for (const name of MODULES) await bundleAlone(`web/notebook/${name}.js`, `${OUT}/${name}.js`)
  for (const name of SCRIPTS) {
    await bundleAlone(`web/notebook/${name}.js`, `${OUT}/${name}.js`, 'iife')
  }
  const notices = 'THIRD_PARTY_LICENSES.md'
  await bundleAlone(`web/notebook/${WHOLE}.js`, `${OUT}/${WHOLE}.js`, 'es', notices)
  copyFileSync(`${project}/LICENSE`, `${OUT}/LICENSE`)
  writeFileSync(`${OUT}/lab.json`, JSON.stringify(await describeLab()))
}

/** What Python has to know: the names of the colour maps, and each exhibit with its settings and options. */
async function describeLab() {
  const { colorMapNames } = await import('../views/color-map.js')
  /** @type {[string, any][]} */
  const defined = []
  // In Node there are no elements; what would be defined is noted down.
  Object.assign(globalThis, {
    customElements: {
      get: () => undefined,
      define: (/** @type {string} */ name, /** @type {any} */ Element) =>
        defined.push([name, Element]),
    },
  })
  await import('../elements/define.js')
  Reflect.deleteProperty(globalThis, 'customElements')
  const exhibits = defined
    .filter(([, Element]) => Element.load)
    .map(async ([element, Element]) => {
      const { settings, options } = await Element.load()
      return { element, settings, options }
    })
  return { colorMaps: colorMapNames, exhibits: await Promise.all(exhibits) }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildNotebook()

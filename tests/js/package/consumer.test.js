import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTemporaryProject, PROJECT } from './temporary-project.js'

/** @type {ReturnType<typeof createTemporaryProject>} */
let project
beforeAll(() => {
  project = createTemporaryProject()
})
afterAll(() => project?.remove())

/** What a script of the project's user prints. @param {string} name @param {string} script */
function runScript(name, script) {
  project.write(name, script)
  return JSON.parse(project.run(process.execPath, [name]))
}

describe('in Node, the installed package', () => {
  test('computes', () => {
    const printed = runScript(
      'compute.js',
      `import { loadEngine, tensor } from 'attention-lab'
       const engine = await loadEngine({ variant: 'simd' })
       const { output } = engine.scaledDotProductAttention(tensor([[1, 0]]), [[1, 0]], [[2, 3]])
       console.log(JSON.stringify({ variant: engine.variant, output: [...output.data] }))`,
    )
    expect(printed).toEqual({ variant: 'simd', output: [2, 3] })
  })

  test('runs experiments, which end when they are done', () => {
    const trials = runScript(
      'experiment.js',
      `import { loadEngine } from 'attention-lab'
       const engine = await loadEngine()
       console.log((await engine.experiments.variance({ trials: 100 })).trials)`,
    )
    expect(trials).toBe(100)
  })

  test('writes tensor files and reads them again, archives included', () => {
    const read = runScript(
      'files.js',
      `import { attentionArrays, csvText, npzBlob, openTensorFile } from 'attention-lab/data'
       const attention = { data: Float32Array.of(0.1, 0.9), shape: [1, 1, 2] }
       const file = await openTensorFile(await npzBlob({ attention, tokens: ['a', 'b'] }))
       const [{ name, attentionShape }] = attentionArrays(file)
       const { data } = await file.read(name, { start: 0, end: 1 })
       const axes = [{ name: 'key', labels: await file.strings('tokens') }]
       const table = csvText({ name, data, shape: [2], axes })
       console.log(JSON.stringify([name, attentionShape, table]))`,
    )
    expect(read).toEqual(['attention', [1, 1, 2], 'a,b\r\n0.1,0.9\r\n'])
  })

  test('can be imported without a document, and leaves nothing behind', () => {
    const added = runScript(
      'import.js',
      `const before = new Set(Reflect.ownKeys(globalThis))
       for (const entry of ['', '/views', '/exhibits', '/data']) await import('attention-lab' + entry)
       const added = Reflect.ownKeys(globalThis).filter((key) => !before.has(key))
       console.log(JSON.stringify(added.map(String)))`,
    )
    // Lit's own list of its copies, by which it warns of two on one page.
    expect(added).toEqual(['litHtmlVersions'])
  })

  test('says where it looked when its file is gone', () => {
    const message = runScript(
      'missing.js',
      `import { readdirSync, renameSync } from 'node:fs'
       import { loadEngine } from 'attention-lab'
       const folder = 'node_modules/attention-lab/dist/assets/'
       const file = folder + readdirSync(folder).find((name) => /-simd.*wasm/.test(name) && !/relaxed/.test(name))
       renameSync(file, file + '.away')
       const message = await loadEngine({ variant: 'simd' }).catch((error) => error.message)
       renameSync(file + '.away', file)
       const again = await loadEngine({ variant: 'simd' })
       console.log(JSON.stringify([message, again.variant]))`,
    )
    expect(message[0]).toMatch(/^The simd engine could not be loaded from file:.*no such file/)
    expect(message[1]).toBe('simd')
  })
})

describe('the README', () => {
  const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8')
  const section = /^## Engine\n([\s\S]*?)(?=^## )/m.exec(readme)?.[1] ?? ''
  const example = /```js\n([\s\S]*?)```/.exec(section)?.[1] ?? ''
  const promised = [...section.matchAll(/`(\w+)\.shape` is `(\[[\d, ]+\])`/g)]

  test('has an example of the engine that gives the shapes it promises', () => {
    expect(example).toContain('loadEngine')
    expect(promised.length).toBeGreaterThan(0)
    const names = promised.map(([, name]) => name)
    const shapes = runScript(
      'readme.js',
      `${example}\nconsole.log(JSON.stringify([${names.map((name) => `${name}.shape`).join()}]))`,
    )
    expect(shapes).toEqual(promised.map(([, , shape]) => JSON.parse(shape)))
  })

  test('has an example of the inspector that explains a cell of the same numbers', () => {
    const blocks = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code)
    const inspector = blocks.find((code) => code.includes('explainCells')) ?? ''
    const explanation = runScript(
      'readme-inspector.js',
      `${example}
       const element = {}
       ${inspector.replace(/^import .*$/m, "const { explainCells } = await import('attention-lab/exhibits')")}
       const value = element.attention.data[12]
       const cell = { layer: 0, head: 0, query: 1, key: 0, value, masked: false }
       const tokens = { queryToken: 'q', keyToken: 'k' }
       console.log(JSON.stringify(element.explain({ ...cell, ...tokens })))`,
    )
    expect(explanation.finding).toMatch(
      /^q → k: attention weight 0\.\d+; rank [12] of 2 in its row/,
    )
  })
})

describe('a bundler', () => {
  test('finds the WebAssembly files and the worker, and what it writes computes', async () => {
    project.write(
      'app.js',
      `import { loadEngine } from 'attention-lab'
       export const sum = async () => {
         const engine = await loadEngine()
         return engine.softmax([1, 2, 3]).data.reduce((total, p) => total + p, 0)
       }`,
    )
    await build({
      root: project.folder,
      base: './',
      configFile: false,
      logLevel: 'error',
      build: {
        assetsInlineLimit: 0,
        rolldownOptions: {
          input: join(project.folder, 'app.js'),
          preserveEntrySignatures: 'strict',
          output: { entryFileNames: 'app.js' },
        },
      },
    })
    const files = readdirSync(join(project.folder, 'dist/assets'))
    expect(files.filter((name) => name.endsWith('.wasm'))).toHaveLength(2)
    expect(files.some((name) => name.startsWith('experiment-worker'))).toBe(true)
    const app = await import(pathToFileURL(join(project.folder, 'dist/app.js')).href)
    expect(await app.sum()).toBeCloseTo(1, 6)
  })
})

describe("the package's types", () => {
  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('serve an author, with module %s', (module, moduleResolution) => {
    const check = new URL('./author.ts', import.meta.url)
    project.write('author.ts', readFileSync(check, 'utf8'))
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      strict: true,
      noEmit: true,
      exactOptionalPropertyTypes: true,
    }
    project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['author.ts'] }))
    project.run(join(PROJECT, 'node_modules/.bin/tsc'), ['--project', 'tsconfig.json'])
  })
})

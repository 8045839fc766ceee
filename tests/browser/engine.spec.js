/**
 * The built engine in a browser: variants, workers, and several copies of the package on one page.
 */
import { expect, golden, test } from './site-page.js'

/** @import { Page } from '@playwright/test' */
/** @typedef {typeof import('../../web/index.js')} Package */

const { saturation } = golden('extra').scaled_dot_product

/**
 * Opens a page without anything, beside the package.
 * @param {Page} page
 */
async function openEmptyPage(page) {
  const body =
    '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Empty</title></html>'
  await page.route('**/empty.html', (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto('empty.html')
}

/**
 * Loads the engine on the page and says which variant it is and what it computes.
 * @param {Page} page
 * @param {'auto' | 'simd' | 'relaxed-simd'} [variant]
 */
function loadAndCompute(page, variant = 'auto') {
  return page.evaluate(async (variant) => {
    const address = new URL('attention-lab/index.js', document.baseURI).href
    const { loadEngine } = /** @type {Package} */ (await import(address))
    const engine = await loadEngine({ variant })
    const { output } = engine.scaledDotProductAttention([[1]], [[2], [2]], [[3], [5]])
    return { variant: engine.variant, output: [...output.data] }
  }, variant)
}

for (const variant of /** @type {const} */ (['simd', 'relaxed-simd'])) {
  test(`The ${variant} engine computes`, async ({ page }) => {
    await openEmptyPage(page)
    expect(await loadAndCompute(page, variant)).toEqual({ variant, output: [4] })
  })
}

test('The faster variant is loaded where it runs, else the other', async ({ page }) => {
  await openEmptyPage(page)
  expect(await loadAndCompute(page)).toEqual({ variant: 'relaxed-simd', output: [4] })
  // Bytes that no engine accepts, as an older engine finds the relaxed opcodes.
  await page.route('**/attention-relaxed-simd*.wasm', (route) =>
    route.fulfill({ contentType: 'application/wasm', body: 'not for this engine' }),
  )
  await page.reload()
  expect(await loadAndCompute(page)).toEqual({ variant: 'simd', output: [4] })
})

test('A load that failed is tried again', async ({ page, faults }) => {
  await openEmptyPage(page)
  await page.route('**/*.wasm', (route) => route.abort())
  await expect(loadAndCompute(page)).rejects.toThrow(
    /The simd engine could not be loaded from http/,
  )
  await page.unroute('**/*.wasm')
  expect(await loadAndCompute(page)).toEqual({ variant: 'relaxed-simd', output: [4] })
  faults.length = 0
})

test('Two copies of the package on one page share one engine', async ({ page }) => {
  await openEmptyPage(page)
  await page.route('**/copy/**', (route) =>
    route.continue({ url: route.request().url().replace('/copy/', '/attention-lab/') }),
  )
  /** @type {string[]} */
  const binaries = []
  page.on('request', (request) => request.url().endsWith('.wasm') && binaries.push(request.url()))
  const isShared = await page.evaluate(async () => {
    const addresses = ['attention-lab/index.js', 'copy/index.js'].map(
      (path) => new URL(path, document.baseURI).href,
    )
    const copies = /** @type {Package[]} */ (
      await Promise.all(addresses.map((address) => import(address)))
    )
    const [one, two] = await Promise.all(copies.map(({ loadEngine }) => loadEngine()))
    return { isOtherCopy: copies[0].loadEngine !== copies[1].loadEngine, isSame: one === two }
  })
  expect(isShared).toEqual({ isOtherCopy: true, isSame: true })
  expect(binaries).toHaveLength(1)
})

test.describe('An experiment', () => {
  /**
   * Runs the first notebook's saturation experiment on the page.
   * @param {Page} page
   */
  function saturate(page) {
    return page.evaluate(async () => {
      const address = new URL('attention-lab/index.js', document.baseURI).href
      const { loadEngine } = /** @type {Package} */ (await import(address))
      const { experiments } = await loadEngine()
      /** @type {number[]} */
      const told = []
      const rows = await experiments.saturation({
        skip: 384,
        onProgress: ({ done }) => told.push(done),
      })
      const means = rows.map(({ scaled, unscaled }) => [scaled.meanDiagonal, unscaled.meanDiagonal])
      return { means, told }
    })
  }

  /** @param {Awaited<ReturnType<typeof saturate>>} found */
  function expectGolden({ means, told }) {
    for (const [i, { scaled, unscaled }] of saturation.entries()) {
      expect(means[i][0]).toBeCloseTo(scaled.mean_p1mp, 10)
      expect(means[i][1]).toBeCloseTo(unscaled.mean_p1mp, 10)
    }
    expect(told.length).toBeGreaterThan(1)
    expect(told.at(-1)).toBe(8 * 200)
  }

  test('runs in a worker, and gives the golden figures', async ({ page }) => {
    await openEmptyPage(page)
    const worker = page.waitForEvent('worker')
    expectGolden(await saturate(page))
    expect((await worker).url()).toContain('/attention-lab/')
  })

  test('runs in a worker from a blob where its file cannot be had', async ({ page, faults }) => {
    await openEmptyPage(page)
    await page.route('**/experiment-worker-*.js', (route) =>
      // The chunk with the same text is imported; the file is what a worker asks for.
      route.request().url().includes('/assets/') ? route.abort() : route.continue(),
    )
    /** @type {string[]} */
    const workers = []
    page.on('worker', (worker) => workers.push(worker.url()))
    expectGolden(await saturate(page))
    expect(workers.at(-1)).toMatch(/^blob:/)
    faults.length = 0
  })

  test('runs on the page where there are no workers', async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'Worker'))
    await openEmptyPage(page)
    expectGolden(await saturate(page))
    expect(page.workers()).toHaveLength(0)
  })

  test('that is stopped ends its worker, with the reason', async ({ page }) => {
    await openEmptyPage(page)
    const reason = await page.evaluate(async () => {
      const address = new URL('attention-lab/index.js', document.baseURI).href
      const { loadEngine } = /** @type {Package} */ (await import(address))
      const { experiments } = await loadEngine()
      const controller = new AbortController()
      const run = experiments.variance({
        trials: 10 ** 9,
        signal: controller.signal,
        onProgress: () => controller.abort(new Error('enough')),
      })
      return run.catch((/** @type {unknown} */ error) => String(error))
    })
    expect(reason).toBe('Error: enough')
    await expect.poll(() => page.workers().length).toBe(0)
  })

  test('that is too large is refused in the worker as elsewhere', async ({ page }) => {
    await openEmptyPage(page)
    const refused = await page.evaluate(async () => {
      const address = new URL('attention-lab/index.js', document.baseURI).href
      const { loadEngine } = /** @type {Package} */ (await import(address))
      const { experiments } = await loadEngine()
      const large = experiments.saturation({ trials: 10 ** 9, dK: [512] })
      const error = await large.catch((/** @type {unknown} */ error) => error)
      const { trials } = await experiments.variance({ trials: 100 })
      return { isRange: error instanceof RangeError, message: String(error), trials }
    })
    expect(refused).toEqual({
      isRange: true,
      message: expect.stringMatching(/^RangeError: experiments\.saturation would need 3\.7 TB/),
      trials: 100,
    })
  })
})

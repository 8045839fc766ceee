/**
 * What is checked in every engine.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { npyBytes } from '../../../web/data/index.js'
import { golden } from '../../js/golden.js'
import { checkFigures, weights } from './figure-checks.js'
import { checkLessons } from './lesson-checks.js'
import { checkSharing } from './share-checks.js'
import { Page } from './driver.js'
import { serveSite } from './site-server.js'

/**
 * @import { Driver, Scheme } from './driver.js'
 *
 * @typedef {object} Engine
 * @property {string} name
 * @property {(options?: { scheme?: Scheme }) => Promise<Driver>} start
 *
 * @typedef {object} Bench  what checks work with
 * @property {Engine} engine
 * @property {Page} page
 * @property {string} site  its address
 */

/** A page of another's, with a frame that follows the height it reports. */
const COURSE = `<!doctype html>
<html><head><title>A course</title></head><body><main>
<iframe title="A figure" width="600" height="10" src="/site/attention-lab/embed.html#feature-mixing?v=1&amp;numHeads=2"></iframe>
</main><script src="/course.js"></script></body></html>`
const COURSE_SCRIPT = `addEventListener('message', ({ data, source }) => {
  if (data?.type !== 'attention-lab:height') return
  for (const frame of document.querySelectorAll('iframe'))
    if (frame.contentWindow === source) frame.height = data.height
})`

/** @param {Engine} engine */
export function testEngine(engine) {
  describe(engine.name, () => {
    const bench = /** @type {Bench} */ ({ engine })
    /** @type {Driver} */
    let driver
    /** @type {() => void} */
    let stopServer

    beforeAll(async () => {
      const server = await serveSite({
        '/weights.npy': { type: 'application/octet-stream', body: npyBytes(weights) },
        '/heads.npy': {
          type: 'application/octet-stream',
          body: npyBytes(golden('attention_cube').heads[4].attention),
        },
        '/course.html': { type: 'text/html', body: COURSE },
        '/course.js': { type: 'text/javascript', body: COURSE_SCRIPT },
      })
      stopServer = server.close
      bench.site = server.address
      driver = await engine.start()
      bench.page = new Page(driver)
    })
    afterEach(async () => {
      expect(await bench.page.faults(), 'what went wrong in the page').toEqual([])
    })
    afterAll(async () => {
      await driver?.close()
      stopServer?.()
    })

    test('faults are seen: of scripts, of files and of the policy', async () => {
      const { page, site } = bench
      await page.open(`${site}attention-lab/embed.html#feature-mixing`)
      await page.see(() => {
        const inline = document.createElement('script')
        inline.textContent = 'window.ran = true'
        const missing = document.createElement('img')
        missing.src = '/missing.png'
        document.body.append(inline, missing)
        setTimeout(() => console.error('told'))
        Promise.reject(new Error('rejected'))
      })
      await page.until((tools) => tools.faults.length >= 4)
      expect(await page.see(() => 'ran' in window)).toBe(false)
      // What went wrong in a page that is left is not forgotten.
      await page.open(site)
      const faults = (await page.faults()).join('\n')
      for (const part of ['script-src', 'missing.png', 'told', 'rejected'])
        expect(faults).toContain(part)
      // Told by the browser itself, somewhat later.
      await page.settle()
      await page.faults()
    })

    checkLessons(bench)
    checkFigures(bench)
    checkSharing(bench)
  })
}

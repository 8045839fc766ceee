/**
 * The built site as the tests of other engines have it: every page under the strict policy of a course platform, and
 * with the tests' tools in its head.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createStaticServer, findFile, listen } from '../../../web/site/serve.js'

const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"

const build = fileURLToPath(new URL('../../../build', import.meta.url))

/** The script of every page. */
export const pageTools = readFileSync(new URL('page-tools.js', import.meta.url), 'utf8')

/**
 * @typedef {object} Extra  a file beside the site
 * @property {string} type
 * @property {string | Uint8Array} body
 */

/**
 * @param {Record<string, Extra>} extras by path, such as '/weights.npy'
 * @returns {Promise<{ address: string, close: () => void }>} the site's address
 */
export async function serveSite(extras) {
  /** @type {Record<string, Extra>} */
  const files = { '/page-tools.js': { type: 'text/javascript', body: pageTools }, ...extras }
  const server = createStaticServer(build)
  const [serveFile] = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', async (request, response) => {
    response.setHeader('content-security-policy', POLICY)
    const [path] = (request.url ?? '/').split('?')
    const file = files[path] ?? (await pageAt(path))
    if (!file) return serveFile.call(server, request, response)
    response.setHeader('content-type', file.type)
    response.end(
      typeof file.body === 'string' && file.type.startsWith('text/html')
        ? file.body.replace('<head>', '<head><script src="/page-tools.js"></script>')
        : file.body,
    )
  })
  const port = await listen(server, 0)
  return {
    address: `http://127.0.0.1:${port}/site/`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * @param {string} path
 * @returns {Promise<Extra | null>} null where a path names no page
 */
async function pageAt(path) {
  const found = await findFile(build, path)
  if (!found?.file.endsWith('.html') || (found.isFolder && !path.endsWith('/'))) return null
  return { type: 'text/html; charset=utf-8', body: readFileSync(found.file, 'utf8') }
}

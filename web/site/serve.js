import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What the site holds, and what browsers insist on: modules need a JavaScript type, streaming wasm its own. @type {Record<string, string>} */
const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
}

/**
 * The file that an address names, or null. A folder's address names its index.html.
 * Nothing outside the root is ever named, neither by `..`, in any spelling, nor by a link in the file system.
 * @param {string} root an absolute folder
 * @param {string} address the path of a request, percent-encoded
 * @returns {Promise<{ file: string, size: number, modified: Date, isFolder: boolean } | null>}
 */
export async function findFile(root, address) {
  try {
    const path = decodeURIComponent(address)
    if (path.includes('\0')) return null
    const wanted = resolve(root, `.${sep}${path}`)
    const isFolder = (await stat(wanted)).isDirectory()
    const file = await realpath(isFolder ? join(wanted, 'index.html') : wanted)
    if (!file.startsWith((await realpath(root)) + sep)) return null
    const { size, mtime } = await stat(file)
    return { file, size, modified: mtime, isFolder }
  } catch {
    return null
  }
}

/**
 * A server of static files for the machine it runs on.
 * @param {string} root the folder to serve
 * @returns {import('node:http').Server}
 */
export function createStaticServer(root) {
  const folder = resolve(root)
  return createServer(async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
      return
    }
    const [address, query] = (request.url ?? '/').split('?')
    const found = await findFile(folder, address)
    if (!found) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not found\n')
      return
    }
    if (found.isFolder && !address.endsWith('/')) {
      // Without the slash a page's relative addresses would start one folder too high.
      const last = address.slice(address.lastIndexOf('/') + 1)
      response.writeHead(301, { location: `./${last}/${query ? `?${query}` : ''}` }).end()
      return
    }
    // Always asked again, answered by 304 while nothing changed: a rebuilt page is never an old one.
    const tag = `"${found.size.toString(16)}-${found.modified.getTime().toString(16)}"`
    const headers = {
      etag: tag,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      // A course page on another server may take its figures from here: browsers ask for that of modules.
      'access-control-allow-origin': '*',
    }
    if (request.headers['if-none-match'] === tag) {
      response.writeHead(304, headers).end()
      return
    }
    response.writeHead(200, {
      ...headers,
      'content-type': types[extname(found.file)] ?? 'application/octet-stream',
      'content-length': found.size,
    })
    if (request.method === 'HEAD') response.end()
    else
      createReadStream(found.file)
        .on('error', () => response.destroy())
        .pipe(response)
  })
}

/**
 * Listens on a port of this machine only.
 * @param {import('node:http').Server} server
 * @param {number} port 0 takes any free one
 * @param {number} tries how many ports to try, counting up, while they are taken
 * @returns {Promise<number>} the port that was free
 */
export function listen(server, port, tries = 1) {
  return new Promise((done, failed) => {
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === 'EADDRINUSE' && tries > 1)
        listen(server, port + 1, tries - 1).then(done, failed)
      else failed(error)
    })
    server.listen(port, '127.0.0.1', () => {
      server.removeAllListeners('error')
      const address = server.address()
      done(typeof address === 'object' && address ? address.port : port)
    })
  })
}

// `node web/site/serve.js FOLDER PORT` serves a folder as it stands.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder = 'build/site', port = '0'] = process.argv.slice(2)
  const server = createStaticServer(folder)
  console.log(`http://127.0.0.1:${await listen(server, Number(port))}/`)
}

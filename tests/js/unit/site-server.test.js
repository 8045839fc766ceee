import { mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { request as get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStaticServer, listen } from '../../../web/site/serve.js'

/** @type {string} */
let folder
/** @type {import('node:http').Server} */
let server
/** @type {number} */
let port

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attention-lab-'))
  await mkdir(join(folder, 'site/lesson'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'not for the world')
  await writeFile(join(folder, 'site/index.html'), '<p>home</p>')
  await writeFile(join(folder, 'site/lesson/index.html'), '<p>lesson</p>')
  await writeFile(join(folder, 'site/engine.js'), 'export {}')
  await writeFile(join(folder, 'site/engine.wasm'), new Uint8Array([0, 0x61, 0x73, 0x6d]))
  await symlink(join(folder, 'secret.txt'), join(folder, 'site/link.txt'))
  server = createStaticServer(join(folder, 'site'))
  port = await listen(server, 0)
})

afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

/**
 * Asks for exactly this path; fetch would tidy it up first.
 * @param {string} path
 * @param {{ method?: string, headers?: Record<string, string> }} [options]
 * @returns {Promise<{ status: number | undefined, headers: import('node:http').IncomingHttpHeaders, body: string }>}
 */
function ask(path, options = {}) {
  return new Promise((done, failed) => {
    const asked = get({ port, path, host: '127.0.0.1', ...options }, (response) => {
      let body = ''
      response.on('data', (chunk) => (body += chunk))
      response.on('end', () =>
        done({ status: response.statusCode, headers: response.headers, body }),
      )
    })
    asked.on('error', failed).end()
  })
}

test('Files come with the type that browsers insist on', async () => {
  expect((await ask('/engine.wasm')).headers['content-type']).toBe('application/wasm')
  expect((await ask('/engine.js')).headers['content-type']).toMatch(/^text\/javascript/)
  expect((await ask('/')).headers['content-type']).toMatch(/^text\/html/)
})

test('A folder is its index page, and its address ends in a slash', async () => {
  expect((await ask('/')).body).toBe('<p>home</p>')
  expect((await ask('/lesson/?h=4')).body).toBe('<p>lesson</p>')
  const moved = await ask('/lesson?h=4')
  expect(moved.status).toBe(301)
  expect(moved.headers.location).toBe('./lesson/?h=4')
})

test.each([
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/lesson/..%2f..%2fsecret.txt',
  '/..%5csecret.txt',
  '//../secret.txt',
  '/link.txt',
  '/%00',
  '/%',
  '/missing.html',
])('Nothing outside the folder is served: %s', async (path) => {
  const { status, body } = await ask(path)
  expect(status).toBe(404)
  expect(body).not.toContain('world')
})

test('A file that the browser has is not sent again', async () => {
  const { etag } = (await ask('/engine.js')).headers
  const again = await ask('/engine.js', { headers: { 'if-none-match': String(etag) } })
  expect(again.status).toBe(304)
  expect(again.body).toBe('')
})

test('Only reading is allowed', async () => {
  expect((await ask('/', { method: 'POST' })).status).toBe(405)
  const head = await ask('/', { method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(head.body).toBe('')
})

test('Where a port is taken the next free one is used', async () => {
  const second = createStaticServer(join(folder, 'site'))
  const other = await listen(second, port, 20)
  expect(other).toBeGreaterThan(port)
  second.close()
  const third = createStaticServer(join(folder, 'site'))
  await expect(listen(third, port)).rejects.toThrow(/EADDRINUSE/)
})

test('Pages of other servers may load modules from here', async () => {
  const response = await fetch(`http://127.0.0.1:${port}/`)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
})

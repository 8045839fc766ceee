import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { npyBytes, openTensorFile } from '../../../web/data/index.js'

const weights = npyBytes([
  [0.25, 0.75],
  [1, 0],
])

/** @type {Record<string, import('node:http').RequestListener>} */
const answers = {
  '/weights.npy?v=1': (_, response) => response.end(weights),
  '/page.npy': (_, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end('<!doctype html>'),
  '/long.npy': (_, response) => response.setHeader('content-length', 2 ** 40).write('x'),
  '/endless.npy': (_, response) => {
    const timer = setInterval(() => response.write(new Uint8Array(100_000)), 1)
    response.on('close', () => clearInterval(timer))
  },
  '/broken.npy': (_, response) => {
    response.setHeader('content-length', weights.length)
    response.write(weights.subarray(0, 100), () => response.destroy())
  },
  '/late.npy': () => {},
  '/forbidden.npy': (_, response) => response.writeHead(403).end(),
}
const server = createServer((request, response) => {
  const answer = answers[request.url ?? '']
  if (answer) answer(request, response)
  else response.writeHead(404).end('<!doctype html>')
})
let origin = ''
beforeAll(async () => {
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(null)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  origin = `http://127.0.0.1:${port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test('an address is fetched, and names the array', async () => {
  for (const address of [`${origin}/weights.npy?v=1`, new URL(`${origin}/weights.npy?v=1#a`)]) {
    const file = await openTensorFile(address)
    expect(file.name).toBe('weights.npy')
    expect(file.arrays[0].name).toBe('weights')
    expect((await file.read()).data).toEqual(Float64Array.of(0.25, 0.75, 1, 0))
  }
})

test.each([
  ['missing.npy', 'missing.npy: could not be fetched: the server answered 404 Not Found'],
  ['forbidden.npy', 'the server answered 403 Forbidden'],
  ['page.npy', 'page.npy: expected a file with tensors, got an HTML page instead'],
  ['long.npy', 'long.npy: is larger than 1000000 bytes'],
  ['endless.npy', 'endless.npy: is larger than 1000000 bytes'],
  ['broken.npy', 'broken.npy: the connection broke while it was fetched'],
])('%s is told in words', async (name, message) => {
  const opening = openTensorFile(`${origin}/${name}`, { maxBytes: 1_000_000 })
  await expect(opening).rejects.toThrow(message)
})

test('a server that is not there, and what is no address', async () => {
  await expect(openTensorFile('http://127.0.0.1:1/a.npy')).rejects.toThrow(
    'a.npy: could not be fetched: the server cannot be reached',
  )
  await expect(openTensorFile('weights.npy')).rejects.toThrow(
    'weights.npy: could not be fetched: it is no address',
  )
})

test('a signal ends the fetching, with its own reason', async () => {
  const stop = new AbortController()
  const opening = openTensorFile(`${origin}/late.npy`, { signal: stop.signal })
  const ended = expect(opening).rejects.toThrow('no longer wanted')
  stop.abort(new Error('no longer wanted'))
  await ended
})

import { expect, test } from 'vitest'
import { compileResponse } from '../../../web/engine/wasm-file.js'

const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)

test.each([
  ['application/wasm'],
  ['application/octet-stream'],
  ['text/plain; charset=utf-8'],
  [''],
])('a WebAssembly file served as "%s" is compiled', async (type) => {
  const response = new Response(EMPTY_MODULE, { headers: type ? { 'content-type': type } : {} })
  expect(await compileResponse(response)).toBeInstanceOf(WebAssembly.Module)
})

test('what is not WebAssembly is a compile error', async () => {
  const page = new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
  await expect(compileResponse(page)).rejects.toThrow(WebAssembly.CompileError)
})

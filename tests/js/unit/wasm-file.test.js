import { afterEach, describe, expect, test, vi } from 'vitest'
import { compileResponse, compileVariant } from '../../../web/engine/wasm-file.js'

const EMPTY_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('a response', () => {
  test.each([
    ['application/wasm'],
    ['application/octet-stream'],
    ['text/plain; charset=utf-8'],
    [''],
  ])('with a WebAssembly file served as "%s" is compiled', async (type) => {
    const response = new Response(EMPTY_MODULE, { headers: type ? { 'content-type': type } : {} })
    expect(await compileResponse(response)).toBeInstanceOf(WebAssembly.Module)
  })

  test('with something else is a compile error', async () => {
    const page = new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
    await expect(compileResponse(page)).rejects.toThrow(WebAssembly.CompileError)
  })
})

describe('a variant', () => {
  test('is read from the file beside the module where there is a file system', async () => {
    const fetch = vi.fn()
    vi.stubGlobal('fetch', fetch)
    expect(await compileVariant('simd')).toBeInstanceOf(WebAssembly.Module)
    expect(fetch).not.toHaveBeenCalled()
  })

  /** As in a browser: no file system, and a server that answers so. @param {() => Promise<Response>} answer */
  function inBrowser(answer) {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(/** @type {any} */ (undefined))
    const fetch = vi.fn(answer)
    vi.stubGlobal('fetch', fetch)
    return fetch
  }

  test('is fetched by its own name elsewhere', async () => {
    const fetch = inBrowser(async () => new Response(EMPTY_MODULE))
    expect(await compileVariant('simd')).toBeInstanceOf(WebAssembly.Module)
    const [[url]] = /** @type {any[][]} */ (fetch.mock.calls)
    expect(String(url)).toMatch(/attention-simd\.wasm$/)
  })

  test.each([
    [
      'a server that has no such file',
      async () => new Response('', { status: 404, statusText: 'Not Found' }),
      /attention-simd\.wasm: the server answered 404 Not Found$/,
    ],
    [
      'no server',
      async () => {
        throw new TypeError('fetch failed')
      },
      /attention-simd\.wasm: fetch failed$/,
    ],
    ['a page instead of the file', async () => new Response('<!doctype html>'), /magic/],
  ])('that meets %s says which file could not be had, and why', async (_, answer, message) => {
    inBrowser(answer)
    await expect(compileVariant('simd')).rejects.toThrow(
      /^The simd engine could not be loaded from file:/,
    )
    await expect(compileVariant('simd')).rejects.toThrow(message)
  })
})

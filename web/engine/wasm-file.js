/**
 * Compiles the WebAssembly file of a variant.
 */
import { wasmAddress } from './addresses.js'

/** @typedef {'relaxed-simd' | 'simd'} Variant */

/**
 * @param {Variant} variant
 * @returns {Promise<WebAssembly.Module>}
 * @throws {Error} that says which file could not be had and why
 */
export async function compileVariant(variant) {
  let url
  try {
    url = wasmAddress(variant)
    return await compileUrl(url)
  } catch (cause) {
    const where = url ? shorten(url.href) : 'a place unknown in a module without an address'
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The ${variant} engine could not be loaded from ${where}: ${reason}`, { cause })
  }
}

/**
 * @param {URL} url
 */
async function compileUrl(url) {
  if (url.protocol === 'data:') return WebAssembly.compile(decode(url))
  if (url.protocol === 'file:') {
    const files = nodeFileSystem()
    if (files) return WebAssembly.compile(await files.promises.readFile(url))
  }
  const response = await fetch(url)
  if (!response.ok) throw new Error(`the server answered ${response.status} ${response.statusText}`)
  return compileResponse(response)
}

/**
 * Compiles while loading. Streaming demands the MIME type application/wasm, which many a plain
 * server does not know; the bytes are good all the same.
 * @param {Response} response
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compileResponse(response) {
  const type = response.headers.get('content-type') ?? ''
  if (
    typeof WebAssembly.compileStreaming === 'function' &&
    /^\s*application\/wasm\s*$/i.test(type)
  ) {
    return WebAssembly.compileStreaming(response)
  }
  return WebAssembly.compile(await response.arrayBuffer())
}

/**
 * Node's file system. Asked for at run time, since a static import of it would keep bundlers from
 * building for browsers.
 * @returns {typeof import('node:fs') | undefined}
 */
function nodeFileSystem() {
  return globalThis.process?.getBuiltinModule?.('node:fs')
}

/**
 * Some bundlers put the file's bytes into the address. Decoded here, since a content security policy
 * may refuse to fetch such an address.
 * @param {URL} url
 */
function decode(url) {
  const [head, body] = url.href.split(/,(.*)/s)
  if (!head.endsWith(';base64')) throw new Error('its data: address was not base64')
  return Uint8Array.from(atob(body), (character) => character.charCodeAt(0))
}

/** @param {string} address */
function shorten(address) {
  return address.length > 200 ? `${address.slice(0, 60)}…` : address
}

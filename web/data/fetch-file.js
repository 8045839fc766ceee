/**
 * Fetching a file, with what went wrong in words: they stand in a figure's place, where the author of a page
 * reads them.
 */

/**
 * @param {string | URL} address relative to the page
 * @param {{ maxBytes: number, signal?: AbortSignal }} options
 * @returns {Promise<Blob>}
 * @throws {TypeError} if it cannot be fetched, or is a page instead of a file
 * @throws {RangeError} if it is larger than `maxBytes`
 */
export async function fetchFile(address, { maxBytes, signal }) {
  const name = shownAddress(address)
  const response = await request(address, name, signal)
  if (!response.ok) {
    const status = `${response.status} ${response.statusText}`.trim()
    throw new TypeError(`${name}: could not be fetched: the server answered ${status}`)
  }
  if (/^(text\/html|application\/xhtml\+xml)\b/.test(response.headers.get('content-type') ?? '')) {
    throw new TypeError(
      `${name}: expected a file with tensors, got an HTML page instead; is there such a file on the server?`,
    )
  }
  try {
    return await bodyOf(response, { name, maxBytes })
  } catch (error) {
    if (signal?.aborted || error instanceof RangeError) throw error
    throw new TypeError(`${name}: the connection broke while it was fetched`, { cause: error })
  }
}

/** @param {string | URL} address @param {string} name @param {AbortSignal} [signal] */
async function request(address, name, signal) {
  try {
    return await fetch(address, { signal })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new TypeError(`${name}: could not be fetched: ${whyNot(address)}`, { cause: error })
  }
}

/** Browsers do not tell a page why; what it may be follows from the address. @param {string | URL} address */
function whyNot(address) {
  const page = globalThis.location
  const url = URL.canParse(address, page?.href) ? new URL(address, page?.href) : null
  if (!url) return 'it is no address'
  if (url.protocol === 'file:') return 'a page opened from disk can fetch no files'
  if (page && url.origin !== page.origin) {
    return (
      `${url.host} cannot be reached, or does not let pages of ${page.host || 'this site'} read it ` +
      '(CORS: it has to send Access-Control-Allow-Origin)'
    )
  }
  return 'the server cannot be reached'
}

/**
 * @param {Response} response
 * @param {{ name: string, maxBytes: number }} options
 */
async function bodyOf(response, { name, maxBytes }) {
  const tooLarge = () => new RangeError(`${name}: is larger than ${maxBytes} bytes`)
  if (Number(response.headers.get('content-length')) > maxBytes) {
    await response.body?.cancel()
    throw tooLarge()
  }
  // The length that a server tells is that of what it packed.
  let size = 0
  const counted = response.body?.pipeThrough(
    new TransformStream({
      transform(/** @type {Uint8Array} */ chunk, controller) {
        size += chunk.length
        if (size > maxBytes) controller.error(tooLarge())
        else controller.enqueue(chunk)
      },
    }),
  )
  return new Response(counted).blob()
}

/** An address as a message shows it. @param {string | URL} address */
export function shownAddress(address) {
  const text = String(address)
  const last = fileNameOf(text)
  return last === '' ? text.slice(0, 80) : last
}

/** @param {string} address the last part of its path, '' if there is none */
export function fileNameOf(address) {
  const last =
    address
      .replace(/[?#].*$/s, '')
      .split('/')
      .pop() ?? ''
  try {
    return decodeURIComponent(last).slice(0, 80)
  } catch {
    return last.slice(0, 80)
  }
}

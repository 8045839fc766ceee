// Files that only the build makes.

declare module '*?raw' {
  const text: string
  export default text
}

declare module '*/build/wasm/attention.js' {
  export default function createModule(options: object): Promise<unknown>
}

/** zip.js without workers and WebAssembly, which comes without types of its own. */
declare module '@zip.js/zip.js/lib/zip-core-custom.js' {
  export { configure, ZipReader, ZipWriter } from '@zip.js/zip.js'
}

declare module '*?url&inline' {
  const address: string
  export default address
}

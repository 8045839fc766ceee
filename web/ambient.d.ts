// Files that only the build makes.

declare module '*?raw' {
  const text: string
  export default text
}

declare module '*/build/wasm/attention.js' {
  export default function createModule(options: object): Promise<unknown>
}

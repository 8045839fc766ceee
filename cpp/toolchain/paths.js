import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

/** The project's top folder. */
export const PROJECT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** Private copies of tools, one folder a source; safe to delete, never committed. */
export const TOOLCHAIN = join(PROJECT, '.toolchain')

/** CMake's folders, one a preset, and what is collected from them. */
export const BUILD = join(PROJECT, 'build')

/** The glue and both variants' wasm files, as the engine imports them. */
export const WASM = join(BUILD, 'wasm')

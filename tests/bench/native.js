import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BUILD, ensureSystemPackages, outputOf, run } from '../../cpp/toolchain/index.js'

const source = fileURLToPath(new URL('native.cc', import.meta.url))

/** @returns {Promise<number>} GFLOP/s of native Eigen with AVX2 and FMA, one thread, in a product of 768³ */
export async function measureNative() {
  await ensureSystemPackages(['g++', 'libeigen3-dev', 'libbenchmark-dev'])
  const program = join(BUILD, 'bench/native')
  mkdirSync(join(BUILD, 'bench'), { recursive: true })
  const flags = ['-std=c++20', '-O3', '-mavx2', '-mfma', '-isystem', '/usr/include/eigen3']
  await run('g++', [...flags, source, '-o', program, '-lbenchmark', '-lpthread'])
  const report = outputOf(program, ['--benchmark_format=json', '--benchmark_repetitions=5'])
  const { benchmarks } = JSON.parse(report ?? '')
  const middle = benchmarks.find((/** @type {any} */ one) => one.aggregate_name === 'median')
  return middle.flops / 1e9
}

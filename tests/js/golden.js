import { readFileSync } from 'node:fs'

/**
 * A file of golden figures. A tensor there is { shape, data }, null in it −∞.
 * @param {'attention_cube' | 'backward' | 'causal' | 'extra' | 'multi_head' | 'rng' | 'scaled_dot_product'} name
 * @returns {any}
 */
export function golden(name) {
  return JSON.parse(readFileSync(new URL(`../golden/${name}.json`, import.meta.url), 'utf8'))
}

/**
 * A row of figures as a tensor.
 * @param {number[]} data
 * @param {number[]} [shape]
 */
export function figures(data, shape = [data.length]) {
  return { data, shape }
}

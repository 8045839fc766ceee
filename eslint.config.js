import js from '@eslint/js'
import globals from 'globals'

/**
 * The layers of the project, each with what it must not import (see the README's map): numbers go
 * from the engine through exhibits to views, and engine and views never know each other.
 *
 * @type {[layer: string, forbidden: string[], reason: string][]}
 */
const LAYERS = [
  [
    'engine',
    ['**/views/**', '**/exhibits/**', '**/elements/**', '**/site/**', 'three', 'lit', 'd3-*'],
    'the engine knows one WebAssembly module and tensors, no page',
  ],
  [
    'views',
    ['**/engine/**', '**/build/wasm/**', '**/exhibits/**', '**/elements/**', '**/site/**'],
    'a view draws whatever numbers it is handed',
  ],
  [
    'data',
    [
      '**/views/**',
      '**/exhibits/**',
      '**/elements/**',
      '**/site/**',
      '**/build/wasm/**',
      'three',
      'lit',
      'd3-*',
    ],
    'a file holds tensors, whatever they are for, and no page is needed to read it',
  ],
  [
    'exhibits',
    ['**/elements/**', '**/site/**', '**/build/wasm/**'],
    'an exhibit knows the engine and the views',
  ],
  ['elements', ['**/site/**', '**/build/wasm/**'], 'an element wraps a view or an exhibit'],
  ['notebook', ['**/site/**'], 'a widget sets the properties of an element'],
]

export default [
  { ignores: ['build/', 'dist/', '.toolchain/', 'test-results/'] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': 'error',
      'object-shorthand': 'error',
      'prefer-arrow-callback': 'error',
      'no-throw-literal': 'error',
      'no-implicit-coercion': ['error', { allow: ['!!'] }],
      'no-unneeded-ternary': 'error',
      'no-lonely-if': 'error',
      'no-else-return': 'error',
      'no-useless-rename': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // A strict content security policy refuses code from strings.
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      // One concept a file.
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      // Names from the field.
      'id-denylist': ['error', 'data2', 'foo', 'helper', 'helpers', 'tmp', 'util', 'utils'],
      // Nothing is left for later.
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'] }],
    },
  },
  {
    files: [
      '*.js',
      'cpp/**',
      'tests/**',
      'web/*.js',
      'web/notebook/{build,wheel}.js',
      'web/site/*.js',
    ],
    languageOptions: { globals: globals.node },
  },
  {
    files: ['web/**', 'tests/browser/**', 'tests/notebook/**', 'tests/bench/page.js'],
    languageOptions: { globals: globals.browser },
  },
  {
    // The package speaks by results, errors and events; only what a page's author did wrong is logged.
    files: ['web/index.js', 'web/{engine,data,views,exhibits,elements,notebook}/**'],
    ignores: ['web/notebook/{build,wheel}.js'],
    rules: { 'no-console': ['error', { allow: ['warn', 'error'] }] },
  },
  ...LAYERS.map(([layer, group, reason]) => ({
    files: [`web/${layer}/**`],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ group, message: reason }] }],
    },
  })),
]

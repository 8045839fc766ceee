/**
 * The notebooks of the tests: cells of Python, as files of marimo and of Jupyter, with one beginning for both.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The start of a marimo notebook. */
export const MARIMO_IMPORTS = `import marimo as mo
import numpy as np
from attention_lab import AttentionCube, AttentionHeatmap, DotProductVariance, MultiHeadExample`

/** The start of a Jupyter notebook. */
export const JUPYTER_IMPORTS = `import ipywidgets
import numpy as np
from attention_lab import AttentionCube, AttentionHeatmap, DotProductVariance, MultiHeadExample`

/**
 * The fourth notebook's example, three clusters of four tokens, for `h` heads.
 */
export const CLUSTERS = `stream = np.random.default_rng(0)
centers = stream.normal(size=(3, 8))
centers /= np.linalg.norm(centers, axis=1, keepdims=True)
X = np.vstack([center + 0.2 * stream.normal(size=(4, 8)) for center in centers])
W_Q = stream.normal(size=(8, 8)) / np.sqrt(8)
W_K = stream.normal(size=(8, 8)) / np.sqrt(8)

def attention(Q, K):
    logits = Q @ K.T / np.sqrt(Q.shape[1])
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)

queries, keys = np.split(X @ W_Q, h, axis=1), np.split(X @ W_K, h, axis=1)
attentions = np.stack([attention(Q, K) for Q, K in zip(queries, keys)])`

/** 3 · 6 · 6 numbers, rolled by a step, so that the 0 stands at that place. */
export const RAMP = `def rolled(step):
    return np.roll(np.linspace(0, 1, 108), step).reshape(3, 6, 6)`

/**
 * @param {string} folder
 * @param {string[]} cells the last expression of each is shown
 * @param {string} [settings] of marimo, lines of TOML
 * @returns {string} the file's path
 */
export function marimoNotebook(folder, cells, settings = '') {
  const indented = (/** @type {string} */ cell) => cell.replaceAll('\n', '\n    ')
  const header = settings && `# /// script\n# ${settings.replaceAll('\n', '\n# ')}\n# ///\n`
  // marimo itself finds out which names a cell takes and gives.
  const body = cells.map((cell) => `@app.cell\ndef _():\n    ${indented(cell)}\n    return\n`)
  const path = join(folder, 'notebook.py')
  writeFileSync(path, `${header}import marimo\n\napp = marimo.App()\n\n${body.join('\n')}`)
  return path
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {string[]} cells
 * @returns {string} the file's path
 */
export function jupyterNotebook(folder, name, cells) {
  const path = join(folder, `${name}.ipynb`)
  const notebook = {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' } },
    cells: cells.map((source, index) => ({
      ...{ id: `cell-${index}`, cell_type: 'code', source },
      ...{ metadata: {}, execution_count: null, outputs: [] },
    })),
  }
  writeFileSync(path, JSON.stringify(notebook))
  return path
}

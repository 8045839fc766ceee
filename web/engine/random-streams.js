import { wholeNumber } from './errors.js'
import { NumpyStream } from './numpy-stream.js'
import { StreamState } from './stream-state.js'
import { TorchStream } from './torch-stream.js'

/** @import { Core } from './core.js' */

const MOST_LEGACY = 2 ** 32 - 1
const MOST_SEED = Number.MAX_SAFE_INTEGER

/** Streams of random numbers, each seeded anew. */
export class RandomStreams {
  #core

  /** @param {Core} core */
  constructor(core) {
    this.#core = core
  }

  /**
   * What `np.random.seed(seed)` starts: `randn`, `normal`, `rand`, `random`, to rounding (1e-12).
   * @param {number} seed 0 ≤ seed < 2³²
   */
  numpyLegacy(seed) {
    wholeNumber(seed, 'seed', 0, MOST_LEGACY)
    return new NumpyStream(new StreamState(this.#core, this.#core.numpyLegacy, seed))
  }

  /**
   * What `np.random.default_rng(seed)` gives: `normal` and `random`, to rounding (1e-12).
   * @param {number} seed 0 ≤ seed < 2⁵³
   */
  numpyGenerator(seed) {
    wholeNumber(seed, 'seed', 0, MOST_SEED)
    return new NumpyStream(new StreamState(this.#core, this.#core.numpyGenerator, seed))
  }

  /**
   * What `torch.manual_seed(seed)` starts on a CPU: `rand` and `linear` exactly, `randn` to
   * 5e-7·max(1, |x|), since PyTorch approximates logarithm and sine there.
   * @param {number} seed 0 ≤ seed < 2⁵³
   */
  torch(seed) {
    wholeNumber(seed, 'seed', 0, MOST_SEED)
    return new TorchStream(new StreamState(this.#core, this.#core.torch, seed))
  }
}

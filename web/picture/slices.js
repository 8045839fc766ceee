/** Work at one stretch, ms: a page that is longer without answer is felt to be stuck. */
const LONGEST = 40

/** Cuts long work into slices, between which the page can answer. */
export class Slices {
  #since = performance.now()

  /** @returns {Promise<boolean>} whether the page had its turn, and may have changed */
  async breathe() {
    if (performance.now() - this.#since < LONGEST) return false
    await new Promise((done) => setTimeout(done))
    this.#since = performance.now()
    return true
  }
}

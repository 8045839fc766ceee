/**
 * What the tests have in every page, before its own scripts run: a classic script that the tests' server puts into
 * its head. It keeps what goes wrong, finds elements through shadow roots, and takes files that the page saves.
 *
 * @typedef {object} PageTools
 * @property {string[]} faults  errors, warnings in the console, and refusals of the content security policy
 * @property {{ name: string, content: Blob }[]} saved  files that the page would have saved
 * @property {number} workers  how many were started
 * @property {(path: string[], text?: string) => any[]} all  elements, each selector within what the one before it
 *   names, shadow roots included; those with exactly this text, if one is given
 * @property {(path: string[], text?: string) => any} find  the first of them
 * @property {() => boolean} isReady  whether all figures of the page are computed
 * @property {(address: string) => Promise<any>} load  a module: an import in a test would be the test runner's
 */
;(() => {
  /** @type {string[]} */
  const faults = []
  /** @type {PageTools['saved']} */
  const saved = []

  /** @param {Document | Element | ShadowRoot} root @param {string} selector @returns {Element[]} */
  const within = (root, selector) => [
    ...root.querySelectorAll(selector),
    ...[root, ...root.querySelectorAll('*')].flatMap((node) =>
      'shadowRoot' in node && node.shadowRoot ? within(node.shadowRoot, selector) : [],
    ),
  ]

  /** @type {PageTools} */
  const tools = {
    faults,
    saved,
    workers: 0,
    all(path, text) {
      /** @type {(Document | Element)[]} */
      const start = [document]
      const found = path.reduce(
        (roots, selector) => roots.flatMap((root) => within(root, selector)),
        start,
      )
      return text === undefined ? found : found.filter((node) => node.textContent?.trim() === text)
    },
    find: (path, text) => tools.all(path, text)[0],
    isReady: () =>
      // A page for frames is empty at first.
      Boolean(document.querySelector('main')?.childElementCount) &&
      [...document.querySelectorAll('*')]
        .filter(({ localName }) => localName.includes('-'))
        .every(
          (node) =>
            node.matches(':defined') &&
            // A view's element has no exhibit; it draws what it is handed.
            (!('exhibit' in node) || /** @type {any} */ (node).exhibit?.isReady),
        ),
    load: (address) => import(address),
  }
  Object.assign(window, { pageTools: tools })

  for (const kind of /** @type {const} */ (['error', 'warn'])) {
    const before = console[kind]
    console[kind] = (...words) => {
      faults.push(words.map(String).join(' '))
      before.apply(console, words)
    }
  }
  addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    faults.push(`the policy's ${violatedDirective} refused ${blockedURI}`),
  )
  addEventListener(
    'error',
    ({ target, message }) => {
      // Figures are drawn in the frame in which their width is known, and may be higher then: no fault.
      if (message?.startsWith('ResizeObserver loop')) return
      // A file that is not there is an event at its element.
      faults.push(message ?? `could not load ${/** @type {Element} */ (target).outerHTML}`)
    },
    true,
  )

  const Worker = window.Worker
  window.Worker = class extends Worker {
    /** @param {string | URL} address @param {WorkerOptions} [options] */
    constructor(address, options) {
      super(address, options)
      tools.workers++
    }
  }

  /** By address. @type {Map<string, Blob>} */
  const blobs = new Map()
  const { createObjectURL } = URL
  URL.createObjectURL = (content) => {
    const address = createObjectURL.call(URL, content)
    if (content instanceof Blob) blobs.set(address, content)
    return address
  }
  const { click } = HTMLAnchorElement.prototype
  HTMLAnchorElement.prototype.click = function () {
    const content = blobs.get(this.href)
    if (content && this.download) saved.push({ name: this.download, content })
    else click.call(this)
  }
})()

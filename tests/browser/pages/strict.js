/** @type {string[]} */
const violations = []
Object.assign(window, { violations })
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  violations.push(`${violatedDirective} ${blockedURI} ${sample}`),
)

await import('../../../web/elements/define.js')

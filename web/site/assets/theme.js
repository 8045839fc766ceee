/**
 * The reader's choice of light or dark. This is a small classic script in the head, run before the page is
 * first painted, so that a stored choice never flashes the other theme. Without a choice (and without
 * JavaScript) the system's setting holds, by `light-dark()` in the stylesheet alone.
 */
;(() => {
  const key = 'attention-lab-theme'
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')

  const stored = () => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null // storage may be switched off: the choice then lasts as long as the page
    }
  }
  const current = () => root.dataset.theme ?? (system.matches ? 'dark' : 'light')

  const choice = stored()
  if (choice === 'light' || choice === 'dark') root.dataset.theme = choice

  document.addEventListener('DOMContentLoaded', () => {
    const button = document.querySelector('.theme-switch')
    const label = button?.querySelector('span')
    if (!(button instanceof HTMLButtonElement) || !label) return

    const name = () => {
      label.textContent = current() === 'dark' ? 'Light theme' : 'Dark theme'
    }
    button.addEventListener('click', () => {
      const next = current() === 'dark' ? 'light' : 'dark'
      const isSystem = next === (system.matches ? 'dark' : 'light')
      // Going back to what the system says takes the choice back: the page follows the system again.
      if (isSystem) delete root.dataset.theme
      else root.dataset.theme = next
      try {
        if (isSystem) localStorage.removeItem(key)
        else localStorage.setItem(key, next)
      } catch {
        // as above
      }
      name()
    })
    system.addEventListener('change', name)
    name()
    button.hidden = false
  })
})()

/**
 * Gives an element's shadow root its rules. Constructed style sheets belong to one document and are left behind
 * by what moves into another, such as a frame's: `adoptedCallback` calls it again.
 *
 * @param {ShadowRoot} root
 * @param {string} css
 */
export function setShellStyles(root, css) {
  const Sheet = root.ownerDocument.defaultView?.CSSStyleSheet ?? CSSStyleSheet
  const sheet = new Sheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets = [sheet]
}

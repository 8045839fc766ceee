/** @param {Document} page */
export function setPageStyles(page) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`
    body { margin: 0; font: 15px/1.45 system-ui, sans-serif; }
    /* Room for the outlines of what has the focus; it holds margins, so that its height is all there is. */
    main { display: flow-root; padding: 12px; }
    /* For those who do not see where they are: the page around the frame has its own. */
    h1 { position: absolute; overflow: hidden; width: 1px; height: 1px; margin: 0; clip-path: inset(50%); white-space: nowrap; }
    a { color: light-dark(#5f3a87, #c4a5ec); }
  `)
  page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet]
}

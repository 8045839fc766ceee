/** Files taken from each font's package; its licence asks to travel with it. @type {Record<string, string[]>} */
export const fonts = {
  '@fontsource-variable/stix-two-text': [
    'stix-two-text-latin-wght-normal.woff2',
    'stix-two-text-latin-wght-italic.woff2',
  ],
  '@fontsource/stix-two-math': ['stix-two-math-latin-400-normal.woff2'],
  '@fontsource-variable/source-sans-3': ['source-sans-3-latin-wght-normal.woff2'],
}

/**
 * @param {string} font a package
 * @param {string} face a file of it
 * @returns {string} its path, from the project's root
 */
export function fontFile(font, face) {
  return `node_modules/${font}/files/${face}`
}

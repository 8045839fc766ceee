import { offlinePage } from '../offline/page.js'
import { elementTag } from './embed-code.js'
import { words } from './figure-words.js'

/**
 * A figure as a page of one file.
 *
 * @param {string} home address of the folder with `offline.js`
 * @param {Parameters<typeof elementTag>[0]} figure
 * @returns {Promise<Blob>}
 * @throws {Error} if the code cannot be had
 */
export async function offlineFile(home, figure) {
  const page = offlinePage({
    ...{ title: words(figure.element), script: await textFrom(`${home}offline.js`) },
    css: 'body { margin: 0; padding: 16px; font-family: system-ui, sans-serif; }',
    body: `<body>\n<main>${elementTag(figure)}</main>\n</body>`,
  })
  return new Blob([page], { type: 'text/html' })
}

/** @param {string} address @returns {Promise<string>} */
async function textFrom(address) {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`the server answered ${response.status} to ${address}`)
  return response.text()
}

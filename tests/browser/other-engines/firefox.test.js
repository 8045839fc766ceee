import { expect, test } from 'vitest'
import { testEngine } from './checks.js'
import { Page } from './driver.js'
import { startFirefox } from './firefox.js'
import { serveSite } from './site-server.js'

testEngine({ name: 'Firefox', start: startFirefox })

// In a window in the background Firefox has an active element, but none that `:focus` names.
test('in a window in the background a cell that the keyboard is on stays the active one', async () => {
  const server = await serveSite({})
  const driver = await startFirefox({ inBackground: true })
  try {
    const page = new Page(driver)
    await page.open(
      `${server.address}attention-lab/embed.html#attention-heatmap?attention=[[1,0],[0.25,0.75]]`,
    )
    expect(await page.see(() => document.hasFocus())).toBe(false)
    const cell = '[role=gridcell]'
    await page.focus([cell])
    for (const [key, text] of [
      ['ArrowRight', 'query 1, key 2: 0'],
      ['ArrowDown', 'query 2, key 2: 0.75'],
    ]) {
      await page.press(key)
      expect(await page.see((tools, cell) => tools.find([cell]).textContent, cell)).toBe(text)
    }
    const isActive = await page.see((tools, cell) => {
      const node = tools.find([cell])
      return node === node.getRootNode().activeElement
    }, cell)
    expect(isActive).toBe(true)
    expect(await page.faults()).toEqual([])
  } finally {
    await driver.close()
    server.close()
  }
})

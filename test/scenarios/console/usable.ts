import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { accessibilityFaults, loadAxe, overflowOf } from '../../page-faults.ts'
import { shoot } from './stage.ts'

const widths = [360, 768, 1440]

/** By everybody, by day and by night, on phones and wide screens: axe has nothing to say, and nothing is cut off. */
export async function assertUsable(page: Page, name: string): Promise<void> {
  await loadAxe(page)
  const faults: object[] = []
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of widths) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      faults.push(...(await accessibilityFaults(page)).map((fault) => ({ colorScheme, width, ...fault })))
      const overflow = await overflowOf(page)
      if (overflow > 0) faults.push({ colorScheme, width, overflow })
      await shoot(page, `${name}-${colorScheme}-${width}`)
    }
  assert.deepEqual(faults, [])
}

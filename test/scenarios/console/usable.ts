import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { accessibilityFaults, loadAxe, overflowOf } from '../../support/page-faults.ts'
import { shoot } from './stage.ts'

type Look = readonly [colorScheme: 'light' | 'dark', width: number]

const widths = [360, 768, 1440]
const all: Look[] = (['light', 'dark'] as const).flatMap((scheme) =>
  widths.map((width) => [scheme, width] as const),
)

/** Of a page that is there in both languages: every two of language, colours and width come together in one of these. */
export const looksIn = {
  en: [
    ['light', 360],
    ['dark', 768],
    ['light', 1440],
  ],
  fr: [
    ['dark', 360],
    ['light', 768],
    ['dark', 1440],
  ],
} as const

/** By everybody, by day and by night, on phones and wide screens: axe has nothing to say, and nothing is cut off. */
export async function assertUsable(page: Page, name: string, looks: readonly Look[] = all): Promise<void> {
  await loadAxe(page)
  await assertLooks(page, name, looks)
}

/** The same, of a page that has axe-core in it. */
export async function assertLooks(page: Page, name: string, looks: readonly Look[]): Promise<void> {
  const faults: object[] = []
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    faults.push(...(await accessibilityFaults(page)).map((fault) => ({ colorScheme, width, ...fault })))
    const overflow = await overflowOf(page)
    if (overflow > 0) faults.push({ colorScheme, width, overflow })
    await shoot(page, `${name}-${colorScheme}-${width}`)
  }
  assert.deepEqual(faults, [])
}

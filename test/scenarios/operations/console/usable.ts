import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { accessibilityIssues, loadAxe, overflowOf } from '../../../support/accessibility.ts'
import { shoot } from './stage.ts'

type Look = readonly [colorScheme: 'light' | 'dark', width: number]

const widths = [360, 768, 1440]
const all: Look[] = (['light', 'dark'] as const).flatMap((scheme) =>
  widths.map((width) => [scheme, width] as const),
)

/** For pages checked in both languages: covers every pair of language, color scheme and width. */
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

/**
 * Checks that axe finds nothing and that nothing is cut off, in light and dark mode, on phones and wide
 * screens.
 */
export async function assertUsable(page: Page, name: string, looks: readonly Look[] = all): Promise<void> {
  await loadAxe(page)
  await assertLooks(page, name, looks)
}

/** Does the same as `assertUsable` for a page that has already loaded axe-core. */
export async function assertLooks(page: Page, name: string, looks: readonly Look[]): Promise<void> {
  const issues: object[] = []
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    issues.push(...(await accessibilityIssues(page)).map((fault) => ({ colorScheme, width, ...fault })))
    const overflow = await overflowOf(page)
    if (overflow > 0) issues.push({ colorScheme, width, overflow })
    await shoot(page, `${name}-${colorScheme}-${width}`)
  }
  assert.deepEqual(issues, [])
}

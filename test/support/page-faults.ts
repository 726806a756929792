import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

let source: Promise<string> | undefined

/** Puts axe-core into the page, past its policy. */
export async function loadAxe(page: Page): Promise<void> {
  source ??= readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  await page.evaluate(await source)
}

/** What keeps people from using a page that has axe-core in it: WCAG 2.2 AA, and axe's best practices. */
export async function accessibilityFaults(page: Page) {
  type Violation = { id: string; nodes: { html: string; failureSummary: string }[] }
  const run = `axe.run({ runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })`
  const found = await page.evaluate<Violation[]>(`${run}.then((result) => result.violations)`)
  return found.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => node.failureSummary + node.html) }))
}

/** How far a page is wider than its window, in pixels. */
export const overflowOf = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

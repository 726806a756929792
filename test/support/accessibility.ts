import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

let source: Promise<string> | undefined

/** Loads axe-core into a page, bypassing the page's Content Security Policy. */
export async function loadAxe(page: Page): Promise<void> {
  source ??= readFile(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  await page.evaluate(await source)
}

/** Returns the violations of WCAG 2.2 AA and of axe's best practices on a page into which axe-core was loaded. */
export async function accessibilityIssues(page: Page) {
  type Violation = { id: string; nodes: { html: string; failureSummary: string }[] }
  const run = `axe.run({ runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] })`
  const found = await page.evaluate<Violation[]>(`${run}.then((result) => result.violations)`)
  return found.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => node.failureSummary + node.html) }))
}

/** Returns by how many pixels a page is wider than its window, or a table than its frame, which cuts it off. */
export const overflowOf = (page: Page) =>
  page.evaluate<number>(
    `Math.max(...[document.documentElement, ...document.querySelectorAll('.table')]
      .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))`,
  )

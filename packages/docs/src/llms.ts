import type { ContentsGroup } from './library.ts'
import { markdownAddress } from './library.ts'

type LlmsParts = {
  guides: ContentsGroup[]
  reference: ContentsGroup[]
  /** Returns the URL of a page's Markdown. */
  linkTo(markdownAddress: string): string
}

/** Returns `llms.txt`: every page with its Markdown address, for language models (https://llmstxt.org). */
export function llmsText({ guides, reference, linkTo }: LlmsParts): string {
  const lines = [
    '# Pesewa',
    '',
    '> A self-hosted payments service for Africa’s mobile money markets: checkout pages, payment links, payment codes, payouts and refunds, on a double-entry ledger.',
    '',
    'Every page of the documentation is available as Markdown: add `.md` to its address.',
    'Amounts are integers in minor units. Every POST needs an `Idempotency-Key`. Test tokens start with `psw_test_`.',
  ]
  for (const { name, entries } of [...guides, ...reference]) {
    lines.push('', `## ${name}`, '')
    for (const { title, address, about } of entries)
      lines.push(`- [${title}](${linkTo(markdownAddress(address))})${about ? `: ${about}` : ''}`)
  }
  return `${lines.join('\n')}\n`
}

/** Pages that are left out of `llms-full.txt`, because they do not help to use the service. */
export const isForContributors = (address: string) => /^\/docs\/(?:decisions|spec)\b/.test(address)

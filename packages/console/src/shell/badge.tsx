import { useAttention } from '../api/attention.ts'
import type { PagePath } from '../parts/addresses.ts'
import { useTexts } from './texts.ts'

const kinds = {
  approvals: { page: '/approvals', isBad: false },
  openCases: { page: '/cases', isBad: false },
  failingWebhooks: { page: '/webhooks', isBad: true },
} as const satisfies Record<string, { page: PagePath; isBad: boolean }>
type Kind = keyof typeof kinds

/** The largest number that a badge shows. */
const max = 99

/** The number of items that need attention on one of these pages. */
export function Badge({ pages }: { pages: readonly { path: string }[] }) {
  const t = useTexts()
  const attention = useAttention()
  const kind = (Object.keys(kinds) as Kind[]).find((each) =>
    pages.some(({ path }) => path === kinds[each].page),
  )
  const count = kind && attention?.[kind]
  if (!kind || !count) return null
  return (
    <span class={kinds[kind].isBad ? 'badge bad' : 'badge'} title={t.attention[kind](count)}>
      <span class="unseen">{t.attention[kind](count)}</span>
      <span aria-hidden="true">{count > max ? `${max}+` : count}</span>
    </span>
  )
}

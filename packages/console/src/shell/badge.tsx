import { useAttention } from '../api/attention.ts'
import type { PagePath } from '../parts/addresses.ts'
import { useTexts } from './texts.ts'

type Attention = NonNullable<ReturnType<typeof useAttention>['data']>

const kinds = {
  approvals: {
    page: '/approvals',
    isBad: false,
    count: (all: Attention) =>
      (all.payoutApprovals ?? 0) + (all.batchApprovals ?? 0) + (all.refundApprovals ?? 0),
  },
  openCases: { page: '/cases', isBad: false, count: (all: Attention) => all.openCases ?? 0 },
  failingWebhooks: { page: '/webhooks', isBad: true, count: (all: Attention) => all.failingWebhooks ?? 0 },
} as const satisfies Record<string, { page: PagePath; isBad: boolean; count(all: Attention): number }>
type Kind = keyof typeof kinds

/** The largest number that a badge shows. */
const max = 99

/** The number of items that need attention on one of these pages. */
export function Badge({ pages }: { pages: readonly { path: string }[] }) {
  const t = useTexts()
  const { data: attention } = useAttention()
  const kind = (Object.keys(kinds) as Kind[]).find((each) =>
    pages.some(({ path }) => path === kinds[each].page),
  )
  const count = kind && attention && kinds[kind].count(attention)
  if (!kind || !count) return null
  return (
    <span class={kinds[kind].isBad ? 'badge bad' : 'badge'} title={t.attention[kind](count)}>
      <span class="unseen">{t.attention[kind](count)}</span>
      <span aria-hidden="true">{count > max ? `${max}+` : count}</span>
    </span>
  )
}

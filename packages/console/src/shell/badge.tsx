import { useAttention } from '../api/attention.ts'
import type { PagePath } from '../parts/addresses.ts'
import { useTexts } from './texts.ts'

type Attention = NonNullable<ReturnType<typeof useAttention>['data']>

type Kind = {
  name: keyof ReturnType<typeof useTexts>['attention']
  page: PagePath
  isBad?: boolean
  count(all: Attention): number
}

const kinds: Kind[] = [
  {
    name: 'approvals',
    page: '/approvals',
    count: (all) => (all.payoutApprovals ?? 0) + (all.batchApprovals ?? 0) + (all.refundApprovals ?? 0),
  },
  { name: 'openCases', page: '/cases', count: (all) => all.openCases ?? 0 },
  { name: 'failingWebhooks', page: '/webhooks', isBad: true, count: (all) => all.failingWebhooks ?? 0 },
]

/** The largest number that a badge shows. */
const max = 99

/** The number of items that need attention on one of these pages. */
export function Badge({ pages }: { pages: readonly { path: string }[] }) {
  const t = useTexts()
  const { data: attention } = useAttention()
  const kind = kinds.find(({ page }) => pages.some(({ path }) => path === page))
  const count = kind && attention && kind.count(attention)
  if (!count) return null
  const words = t.attention[kind.name](count)
  return (
    <span class={kind.isBad ? 'badge bad' : 'badge'} title={words}>
      <span class="unseen">{words}</span>
      <span aria-hidden="true">{count > max ? `${max}+` : count}</span>
    </span>
  )
}

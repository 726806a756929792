import { useState } from 'preact/hooks'
import { useAttention } from '../../api/attention.ts'
import { usePermissions } from '../../api/scope.tsx'
import { PageLink } from '../../parts/links.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { Section } from '../../parts/page.tsx'
import { useOverview } from './reads.ts'
import { useTexts } from './texts.ts'

const minuteMs = 60_000
const slowMs = 10 * minuteMs
/** The largest number shown. The API counts at most 1,000 objects of a kind. */
const most = 999

/**
 * Returns the cutoff for slow operations: those created before it are slow if they are still in progress. It is
 * rounded down to the minute, which is the precision of list filters.
 */
const slowSince = () => new Date(Math.floor((Date.now() - slowMs) / minuteMs) * minuteMs).toISOString()

/** The page that lists exactly the items awaiting approval. Only users who may approve can open it. */
const approvals = '/approvals'

type AttentionItem = {
  /** Returns the words after the number. */
  words(count: number): string
  /** The page that lists exactly these items, if there is one. */
  list: string | undefined
  count: number | null | undefined
  /** Whether something is failing, rather than waiting for a decision. */
  isBad?: boolean
}

type Props = {
  /** Whether to show nothing if there are no items, because the Space is not ready yet. */
  isQuiet: boolean
}

/** Shows how many items need attention, with links to their lists. */
export function NeedsAttention({ isQuiet }: Props) {
  const t = useTexts()
  const attention = useAttention()
  const overview = useOverview()
  const items = useAttentionItems(attention.data, overview.data).filter(({ count }) => count)
  const failed = [attention, overview].filter(({ error }) => error)
  const isLoading = attention.isPending || (overview.enabled && overview.isPending)
  const retry = () => failed.forEach((read) => void read.refetch())
  if (isQuiet && failed.length === 0 && items.length === 0) return null
  return (
    <Section title={t.waiting}>
      <ErrorNotice error={failed[0]?.error ?? null} onRetry={retry} />
      {items.length > 0 && (
        <ul class="waiting">
          {items.map(({ words, list, count, isBad }) => (
            <li key={words(0)} class={isBad ? 'card bad' : 'card'}>
              <strong>{Number(count) > most ? `${most}+` : count}</strong>
              {list ? (
                <PageLink to={list}>{words(Number(count))}</PageLink>
              ) : (
                <span>{words(Number(count))}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {isLoading && items.length === 0 && (
        <div class="card one-line">
          <Loading />
        </div>
      )}
      {!isLoading && failed.length === 0 && items.length === 0 && <p class="all-clear">{t.nothingWaits}</p>}
    </Section>
  )
}

function useAttentionItems(
  attention: ReturnType<typeof useAttention>['data'],
  overview: ReturnType<typeof useOverview>['data'],
): AttentionItem[] {
  const t = useTexts()
  const may = usePermissions()
  const [slow] = useState(slowSince)
  const mayApprove = may('payouts:approve')
  const countOf = (kind: string) => overview?.unknown.find(({ of }) => of === kind)?.over10Minutes
  return [
    { words: t.webhooks, list: '/webhooks', count: attention?.failingWebhooks, isBad: true },
    ...(['payments', 'payouts', 'refunds'] as const).map((kind) => ({
      words: t.slow[kind],
      list: `/${kind}?status=processing&to=${slow}`,
      count: countOf(kind),
      isBad: true,
    })),
    { words: t.payouts, list: mayApprove ? approvals : undefined, count: attention?.payoutApprovals },
    {
      words: t.batches,
      list: mayApprove ? approvals : '/payout-batches?status=pending',
      count: attention?.batchApprovals,
    },
    {
      words: t.refunds,
      list: may('refunds:approve') && mayApprove ? approvals : undefined,
      count: attention?.refundApprovals,
    },
    { words: t.cases, list: '/cases?status=open', count: attention?.openCases },
  ]
}

import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { type Rows, useRead, useRows } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { PageLink } from '../../parts/links.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { Section } from '../../parts/page.tsx'
import { useTexts } from './texts.ts'

/** Maximum number of items to count in each list. A plus sign after the number shows that there are more. */
const most = 50
const minuteMs = 60_000
const slowMs = 10 * minuteMs

/**
 * Returns the cutoff for slow operations: those created before it are slow if they are still in progress. It is
 * rounded down to the minute, which is the precision of list filters.
 */
const slowSince = () => new Date(Math.floor((Date.now() - slowMs) / minuteMs) * minuteMs).toISOString()

type AttentionItem = {
  words: string
  /** The page that lists exactly these items, if there is one. */
  list: string | undefined
  read: Pick<Rows<never>, 'isLoading' | 'error' | 'more'>
  count: number
}

/** Shows how many items need attention, with links to their lists. */
export function NeedsAttention() {
  const t = useTexts()
  const all = useAttentionItems()
  const error = all.find(({ read }) => read.error)?.read.error ?? null
  const waits = all.filter(({ count }) => count > 0)
  const isLoading = all.some(({ read }) => read.isLoading)
  return (
    <Section title={t.waiting}>
      <ErrorNotice error={error} />
      {waits.length > 0 && (
        <ul class="card waiting">
          {waits.map(({ words, list, count, read }) => (
            <li key={words}>
              {list ? <PageLink to={list}>{words}</PageLink> : words}
              <strong>{read.more ? `${count}+` : count}</strong>
            </li>
          ))}
        </ul>
      )}
      {waits.length === 0 && (isLoading ? <Loading /> : !error && <p class="muted">{t.nothingWaits}</p>)}
    </Section>
  )
}

function useAttentionItems(): AttentionItem[] {
  const t = useTexts()
  const may = usePermissions()
  const [slow] = useState(slowSince)
  const of = (permission: string) => ({ enabled: may(permission) })
  const pending = [{ status: 'pending', limit: most }] as const
  const processing = [{ status: 'processing', to: slow, limit: most }] as const
  const open = [{ status: 'open', limit: most }] as const
  const payouts = useRows(api.payouts.list, pending, of('payouts:read'))
  const batches = useRows(api.payoutBatches.list, pending, of('payouts:read'))
  const refunds = useRows(api.refunds.list, pending, of('refunds:read'))
  const cases = useRows(api.cases.list, open, of('financial-transactions:read'))
  const slowPayments = useRows(api.payments.list, processing, of('payments:read'))
  const slowPayouts = useRows(api.payouts.list, processing, of('payouts:read'))
  const webhooks = useFailingWebhooks(may('webhooks:read'))
  return [
    {
      words: t.payouts,
      list: may('payouts:approve') ? approvals : undefined,
      read: payouts,
      count: payouts.rows.filter(({ approval }) => approval?.status === 'required').length,
    },
    {
      words: t.batches,
      list: may('payouts:approve') ? approvals : '/payout-batches?status=pending',
      read: batches,
      count: batches.rows.length,
    },
    {
      words: t.refunds,
      list: may('refunds:approve') && may('payouts:approve') ? approvals : undefined,
      read: refunds,
      count: refunds.rows.filter(({ pendingReason }) => pendingReason === 'approval').length,
    },
    {
      words: t.openCases,
      list: '/cases?status=open',
      read: cases,
      count: cases.rows.length,
    },
    {
      words: t.slowPayments,
      list: `/payments?status=processing&to=${slow}`,
      read: slowPayments,
      count: slowPayments.rows.length,
    },
    {
      words: t.slowPayouts,
      list: `/payouts?status=processing&to=${slow}`,
      read: slowPayouts,
      count: slowPayouts.rows.length,
    },
    {
      words: t.webhooks,
      list: '/webhooks',
      read: webhooks,
      count: webhooks.count,
    },
  ]
}

/** The page that lists exactly the items awaiting approval. Only users who may approve can open it. */
const approvals = '/approvals'

/** Counts the webhooks that are turned off or failing. Only the newest are checked. */
function useFailingWebhooks(enabled: boolean) {
  const read = useRead(api.webhooks.list, [{ limit: most }], { enabled })
  const failing = read.data?.filter((webhook) => !webhook.enabled || webhook.failingSinceTime) ?? []
  return { isLoading: enabled && read.isPending, error: read.error, more: undefined, count: failing.length }
}

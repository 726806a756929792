import { useState } from 'preact/hooks'
import { type Rows, useRows } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { PageLink } from '../../parts/links.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { Section } from '../../parts/section.tsx'
import { useTexts } from '../../text/languages.tsx'
import { useFailingWebhooks } from './failing-webhooks.ts'
import { texts } from './texts.ts'

/** As many as a page of a list has: more is said with a plus. */
const most = 50
const slowMs = 10 * 60_000

type Waits = {
  words: string
  /** Its list, with the filter that leads to what was counted. */
  to: string
  page: string
  read: Pick<Rows<never>, 'isLoading' | 'error' | 'more'>
  count: number
}

/** What does not go on by itself, each with its list behind it. */
export function Waiting() {
  const t = useTexts(texts)
  const all = useWaiting()
  const error = all.find(({ read }) => read.error)?.read.error ?? null
  const waits = all.filter(({ count }) => count > 0)
  const isLoading = all.some(({ read }) => read.isLoading)
  return (
    <Section title={t.waiting}>
      <ErrorNotice error={error} />
      {waits.length > 0 && (
        <ul class="card waiting">
          {waits.map(({ words, to, page, count, read }) => (
            <li key={words}>
              <PageLink to={to} page={page}>
                {words}
              </PageLink>
              <strong>{read.more ? `${count}+` : count}</strong>
            </li>
          ))}
        </ul>
      )}
      {waits.length === 0 && (isLoading ? <Loading /> : !error && <p class="muted">{t.nothingWaits}</p>)}
    </Section>
  )
}

function useWaiting(): Waits[] {
  const t = useTexts(texts)
  const may = useMay()
  const [slow] = useState(() => new Date(Date.now() - slowMs).toISOString())
  const of = (permission: string) => ({ enabled: may(permission) })
  const pending = { query: { status: 'pending', limit: most } } as const
  const processing = { query: { status: 'processing', to: slow, limit: most } } as const
  const open = { query: { status: 'open', limit: most } } as const
  const payouts = useRows('GET /v1/payouts', pending, of('payouts:read'))
  const batches = useRows('GET /v1/payout-batches', pending, of('payouts:read'))
  const refunds = useRows('GET /v1/refunds', pending, of('refunds:read'))
  const cases = useRows('GET /v1/cases', open, of('financial-transactions:read'))
  const slowPayments = useRows('GET /v1/payments', processing, of('payments:read'))
  const slowPayouts = useRows('GET /v1/payouts', processing, of('payouts:read'))
  const webhooks = useFailingWebhooks(may('webhooks:read'))
  return [
    {
      words: t.payouts,
      ...approvals(may('payouts:approve'), '/payouts'),
      read: payouts,
      count: payouts.rows.filter(({ approval }) => approval?.status === 'required').length,
    },
    {
      words: t.batches,
      ...approvals(may('payouts:approve'), '/payout-batches'),
      read: batches,
      count: batches.rows.length,
    },
    {
      words: t.refunds,
      ...approvals(may('refunds:approve') && may('payouts:approve'), '/refunds'),
      read: refunds,
      count: refunds.rows.filter(({ pendingReason }) => pendingReason === 'approval').length,
    },
    { words: t.cases, to: '/cases?status=open', page: '/cases', read: cases, count: cases.rows.length },
    {
      words: t.slowPayments,
      to: '/payments?status=processing',
      page: '/payments',
      read: slowPayments,
      count: slowPayments.rows.length,
    },
    {
      words: t.slowPayouts,
      to: '/payouts?status=processing',
      page: '/payouts',
      read: slowPayouts,
      count: slowPayouts.rows.length,
    },
    {
      words: t.webhooks,
      to: '/webhooks',
      page: '/webhooks',
      read: webhooks,
      count: webhooks.count,
    },
  ]
}

/** Whoever may decide is led to just what waits for a decision. */
const approvals = (mayDecide: boolean, list: string) =>
  mayDecide ? { to: '/approvals', page: '/approvals' } : { to: `${list}?status=pending`, page: list }

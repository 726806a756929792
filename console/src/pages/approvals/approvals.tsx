import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { useCanOpen } from '../../parts/links.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Money, useMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { BatchDecisions } from '../payout-batches/decisions.tsx'
import { texts as batchTexts } from '../payout-batches/texts.ts'
import { PayoutDecisions } from '../payouts/decisions.tsx'
import { payeeOf } from '../payouts/payout-status.tsx'
import { RefundDecisions } from '../refunds/decisions.tsx'
import { texts } from './texts.ts'

/** Payouts, batches and refunds that await approval all have the status `pending`. */
const pending = [{ status: 'pending', limit: 50 }] as const

/** The page that lists the payouts, batches and refunds that await approval. */
export default function Approvals() {
  const t = useTexts(texts)
  const may = usePermissions()
  return (
    <>
      <PageHead title={t.approvals} />
      <p class="muted">{t.intro}</p>
      {may('payouts:approve') && <WaitingPayouts />}
      {may('payouts:approve') && <WaitingBatches />}
      {may('refunds:approve') && <WaitingRefunds />}
    </>
  )
}

function WaitingPayouts() {
  const t = useTexts(texts)
  const read = useRows(api.payouts.list, pending)
  const rows = read.rows.filter(({ approval }) => approval?.status === 'required')
  return (
    <Section title={t.payouts}>
      <PagedTable
        label={t.payouts}
        read={{ ...read, rows }}
        empty={t.noPayouts}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/payouts/${id}`}
        columns={[
          { label: t.payee, cell: (payout) => payeeOf(payout) },
          { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
          {
            label: t.decision,
            cell: (payout) => (
              <span class="statuses">
                <PayoutDecisions payout={payout} />
              </span>
            ),
          },
        ]}
      />
    </Section>
  )
}

function WaitingBatches() {
  const t = useTexts(texts)
  const { batches } = useTexts(batchTexts)
  const money = useMoney()
  const read = useRows(api.payoutBatches.list, pending)
  return (
    <Section title={batches}>
      <PagedTable
        label={batches}
        read={read}
        empty={t.noBatches}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/payout-batches/${id}`}
        columns={[
          { label: t.name, cell: ({ name }) => name },
          {
            label: t.amount,
            isNumber: true,
            cell: ({ totals }) => totals.map(({ amount }) => money(amount)).join(', '),
          },
          {
            label: t.decision,
            cell: (batch) => (
              <span class="statuses">
                <BatchDecisions batch={batch} />
              </span>
            ),
          },
        ]}
      />
    </Section>
  )
}

function WaitingRefunds() {
  const t = useTexts(texts)
  const hasPage = useCanOpen()('/refunds/:id')
  const read = useRows(api.refunds.list, pending)
  const rows = read.rows.filter(({ pendingReason }) => pendingReason === 'approval')
  return (
    <Section title={t.refunds}>
      <PagedTable
        label={t.refunds}
        read={{ ...read, rows }}
        empty={t.noRefunds}
        keyOf={({ id }) => id}
        linkOf={({ id, paymentId }) => (hasPage ? `/refunds/${id}` : `/payments/${paymentId}`)}
        columns={[
          { label: t.orderNumber, cell: ({ orderNumber }) => orderNumber },
          { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
          {
            label: t.decision,
            cell: (refund) => (
              <span class="statuses">
                <RefundDecisions refund={refund} />
              </span>
            ),
          },
        ]}
      />
    </Section>
  )
}

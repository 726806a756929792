import type { ComponentChildren } from 'preact'
import { api } from '../../api/client.ts'
import { type Rows, useRows } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { useCanOpen } from '../../parts/links.tsx'
import { MenuPageHead, Section } from '../../parts/page.tsx'
import { type Column, PagedTable } from '../../parts/table.tsx'
import { type Amount, Money, useMoney } from '../../text/format.tsx'
import { BatchDecisions } from '../payout-batches/decisions.tsx'
import { useTexts as useBatchTexts } from '../payout-batches/texts.ts'
import { PayoutDecisions } from '../payouts/decisions.tsx'
import { payeeOf } from '../payouts/payout-status.tsx'
import { RefundDecisions } from '../refunds/decisions.tsx'
import { useTexts } from './texts.ts'

/** Payouts, batches and refunds that await approval all have the status `pending`. */
const pending = [{ status: 'pending', limit: 50 }] as const

/** The page that lists the payouts, batches and refunds that await approval. */
export default function Approvals() {
  const t = useTexts()
  const may = usePermissions()
  return (
    <>
      <MenuPageHead page="/approvals" />
      <p class="muted">{t.intro}</p>
      {may('payouts:approve') && <WaitingPayouts />}
      {may('payouts:approve') && <WaitingBatches />}
      {may('refunds:approve') && <WaitingRefunds />}
    </>
  )
}

function WaitingPayouts() {
  const t = useTexts()
  const read = useRows(api.payouts.list, pending)
  const rows = read.rows.filter(({ approval }) => approval?.status === 'required')
  return (
    <Waiting
      title={t.payouts}
      read={{ ...read, rows }}
      empty={t.noPayouts}
      linkOf={({ id }) => `/payouts/${id}`}
      columns={[{ label: t.payee, cell: payeeOf }, useAmountColumn()]}
      decisionsOf={(payout) => <PayoutDecisions payout={payout} />}
    />
  )
}

function WaitingBatches() {
  const t = useTexts()
  const { batches } = useBatchTexts()
  const money = useMoney()
  return (
    <Waiting
      title={batches}
      read={useRows(api.payoutBatches.list, pending)}
      empty={t.noBatches}
      linkOf={({ id }) => `/payout-batches/${id}`}
      columns={[
        { label: t.name, cell: ({ name }) => name },
        {
          label: t.amount,
          isNumber: true,
          cell: ({ totals }) => totals.map(({ amount }) => money(amount)).join(', '),
        },
      ]}
      decisionsOf={(batch) => <BatchDecisions batch={batch} />}
    />
  )
}

function WaitingRefunds() {
  const t = useTexts()
  const hasPage = useCanOpen()('/refunds/:id')
  const read = useRows(api.refunds.list, pending)
  const rows = read.rows.filter(({ pendingReason }) => pendingReason === 'approval')
  return (
    <Waiting
      title={t.refunds}
      read={{ ...read, rows }}
      empty={t.noRefunds}
      linkOf={({ id, paymentId }) => (hasPage ? `/refunds/${id}` : `/payments/${paymentId}`)}
      columns={[{ label: t.orderNumber, cell: ({ orderNumber }) => orderNumber }, useAmountColumn()]}
      decisionsOf={(refund) => <RefundDecisions refund={refund} />}
    />
  )
}

function useAmountColumn(): Column<{ amount: Amount }> {
  const t = useTexts()
  return { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> }
}

type WaitingProps<Row> = {
  title: string
  read: Omit<Rows<never>, 'rows'> & { rows: readonly Row[] }
  empty: string
  linkOf(row: NoInfer<Row>): string
  columns: Column<NoInfer<Row>>[]
  decisionsOf(row: NoInfer<Row>): ComponentChildren
}

/** A list of objects that await approval, with buttons for the decision in the last column. */
function Waiting<Row extends { id: string }>(props: WaitingProps<Row>) {
  const { title, columns, decisionsOf, ...table } = props
  const { decision } = useTexts()
  const decisions: Column<Row> = {
    label: decision,
    cell: (row) => <span class="statuses">{decisionsOf(row)}</span>,
  }
  return (
    <Section title={title}>
      <PagedTable {...table} keyOf={({ id }) => id} columns={[...columns, decisions]} />
    </Section>
  )
}

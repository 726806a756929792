import { api } from '../../api/client.ts'
import { type Rows, useRows } from '../../api/queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { useCanOpen } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Money, Time } from '../../text/format.tsx'
import type { Payment } from './origin.ts'
import { reasonWords, useTexts } from './texts.ts'

/** A table of refunds. */
export function RefundsTable({ read, empty }: { read: Rows<typeof api.refunds.list>; empty?: string }) {
  const t = useTexts()
  const hasPage = useCanOpen()('/refunds/:id')
  return (
    <PagedTable
      label={t.refunds}
      read={read}
      empty={empty}
      linkOf={({ id }) => (hasPage ? `/refunds/${id}` : undefined)}
      columns={[
        { label: t.reason, cell: ({ reason }) => reasonWords(t, reason) },
        { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        {
          label: t.status,
          cell: ({ status, pendingReason }) => (
            <Status of={status} words={pendingReason ? t.pendingReasons[pendingReason] : undefined} />
          ),
        },
        { label: t.why, cell: ({ failureDetail }) => <Failure of={failureDetail} />, isExtra: true },
        { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
      ]}
    />
  )
}

/** Lists the refunds of a payment, if there are any. */
export function PaymentRefunds({ payment }: { payment: Payment }) {
  const t = useTexts()
  const read = useRows(api.refunds.list, [{ paymentId: payment.id }])
  if (!read.error && read.rows.length === 0) return null
  return (
    <Section title={t.refunds}>
      <RefundsTable read={read} />
    </Section>
  )
}

import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { Section } from '../../parts/page.tsx'
import { useTexts } from '../../text/languages.tsx'
import { words } from '../../text/words.ts'
import type { Payment } from './origin.ts'
import { RefundsTable } from './refunds-table.tsx'

/** Lists the refunds of a payment, if there are any. */
export function PaymentRefunds({ payment }: { payment: Payment }) {
  const { refunds } = useTexts(words)
  const read = useRows(api.refunds.list, [{ paymentId: payment.id }])
  if (!read.error && read.rows.length === 0) return null
  return (
    <Section title={refunds}>
      <RefundsTable read={read} />
    </Section>
  )
}

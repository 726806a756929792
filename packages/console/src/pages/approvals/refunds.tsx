import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useCanOpen } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Paged } from '../../parts/table.tsx'
import { useMoney } from '../../text/format.tsx'
import { reasonWords, useTexts as useRefundTexts } from '../payments/texts.ts'
import { RefundDecisions } from '../refunds/decisions.tsx'
import { useTexts } from './texts.ts'
import { pending, Waiting } from './waiting.tsx'

export function WaitingRefunds() {
  const t = useTexts()
  const r = useRefundTexts()
  const money = useMoney()
  const hasPage = useCanOpen()('/refunds/:id')
  const read = useRows(api.refunds.list, pending)
  const rows = read.rows.filter(({ pendingReason }) => pendingReason === 'approval')
  return (
    <Section title={t.refunds}>
      <Paged read={{ ...read, rows }} empty={t.noRefunds}>
        <ul class="approvals">
          {rows.map((refund) => (
            <Waiting
              key={refund.id}
              of={refund}
              path={hasPage ? `/refunds/${refund.id}` : `/payments/${refund.paymentId}`}
              title={`${money(refund.amount)} · ${t.order} ${refund.orderNumber}`}
              facts={[
                [t.reason, reasonWords(r, refund.reason)],
                [r.internalNote, refund.note],
                [t.provider, <ProviderName id={refund.destination.providerId} />],
              ]}
            >
              <RefundDecisions refund={refund} />
            </Waiting>
          ))}
        </ul>
      </Paged>
    </Section>
  )
}

import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useCanOpen } from '../../parts/links.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { useMoney } from '../../text/format.tsx'
import { reasonWords, useTexts as useRefundTexts } from '../payments/texts.ts'
import { RefundDecisions } from '../refunds/decisions.tsx'
import { useTexts } from './texts.ts'
import { pending, Waiting } from './waiting.tsx'
import { WaitingList } from './waiting-list.tsx'

/** The refunds that await approval. */
export function WaitingRefunds() {
  const t = useTexts()
  const r = useRefundTexts()
  const money = useMoney()
  const hasPage = useCanOpen()('/refunds/:id')
  const read = useRows(api.refunds.list, pending)
  const rows = read.rows.filter(({ pendingReason }) => pendingReason === 'approval')
  const nameOf = ({ amount, orderNumber }: (typeof rows)[number]) =>
    `${money(amount)} · ${t.order} ${orderNumber}`
  const pathOf = ({ id, paymentId }: (typeof rows)[number]) =>
    hasPage ? `/refunds/${id}` : `/payments/${paymentId}`
  return (
    <WaitingList kind="refunds" title={t.refunds} {...{ read, rows, nameOf, pathOf }}>
      {(refund, selection) => (
        <Waiting
          key={refund.id}
          kind="refunds"
          of={refund}
          path={pathOf(refund)}
          title={nameOf(refund)}
          selection={selection}
          facts={[
            [t.reason, reasonWords(r, refund.reason)],
            [r.internalNote, refund.note],
            [t.provider, <ProviderName id={refund.destination.providerId} />],
          ]}
        >
          <RefundDecisions refund={refund} />
        </Waiting>
      )}
    </WaitingList>
  )
}

import { api, type ResultOf } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { useMoney } from '../../text/format.tsx'
import { usePaymentTexts } from './payment-texts.ts'

type Refund = ResultOf<typeof api.refunds.create>
type Props = { refund: Refund; payer: string }

/**
 * Shows the outcome of a refund that the user has just requested. A refund whose outcome is unknown is in
 * progress, so it is never said to be done.
 */
export function RefundOutcome({ refund: sent, payer }: Props) {
  const t = usePaymentTexts()
  const amount = useMoney()(sent.amount)
  const enabled = usePermissions()('refunds:read')
  const { data: refund = sent } = useRead(api.refunds.retrieve, [sent.id], { enabled, isMoving })
  const state = refund.pendingReason === 'approval' ? 'approval' : refund.status
  const tone = state === 'completed' ? 'good' : state === 'failed' ? 'bad' : ''
  return (
    <p class={`notice ${tone}`} role="status">
      {t.refundOutcomes[state](amount, payer)}
    </p>
  )
}

const isMoving = ({ status }: Refund) => status === 'pending' || status === 'processing'

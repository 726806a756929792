import { api, type ResultOf } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { Decisions } from '../../parts/decisions.tsx'
import { useMoney } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

/** The buttons to approve or reject a pending refund. The creator of the refund cannot use them. */
export function RefundDecisions({ refund }: { refund: ResultOf<typeof api.refunds.list>[number] }) {
  const t = useTexts()
  const amount = useMoney()(refund.amount)
  const isAllowed = usePermissions()('refunds:approve')
  if (!isAllowed || refund.status !== 'pending' || refund.approval?.status !== 'required') return null
  return (
    <Decisions
      of={refund}
      calls={api.refunds}
      words={t}
      approveWarning={t.approveWarning(amount)}
      rejectWarning={t.rejectWarning}
    />
  )
}

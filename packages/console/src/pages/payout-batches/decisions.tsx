import { api, type ResultOf } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { Decisions } from '../../parts/decisions.tsx'
import { useMoney } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

export type Batch = ResultOf<typeof api.payoutBatches.retrieve>

/**
 * Returns whether the batch can still change. If so, it is polled, because some users can see the batch but not
 * its events.
 */
export const isMoving = ({ status }: Batch) => status === 'pending' || status === 'processing'

/** The buttons to approve or reject a whole batch. The creator of the batch cannot use them. */
export function BatchDecisions({ batch }: { batch: Batch }) {
  const t = useTexts()
  const money = useMoney()
  const isAllowed = usePermissions()('payouts:approve')
  if (!isAllowed || batch.status !== 'pending') return null
  const amounts = batch.totals.map(({ amount }) => money(amount)).join(', ')
  return (
    <Decisions
      of={batch}
      calls={api.payoutBatches}
      words={t}
      approveWarning={t.approveWarning(batch.counts.rows, amounts)}
      rejectWarning={t.rejectWarning}
    />
  )
}

export function CancelBatch({ batch }: { batch: Batch }) {
  const t = useTexts()
  const isAllowed = usePermissions()('payouts:write')
  if (!isAllowed || batch.status !== 'pending') return null
  return (
    <ConfirmButton
      call={api.payoutBatches.delete}
      args={[batch.id]}
      action={t.cancel}
      title={t.cancelTitle}
      warning={t.cancelWarning}
    />
  )
}

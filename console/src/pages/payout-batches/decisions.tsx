import { api, type ResultOf } from '../../api/client.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { useMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

export type Batch = ResultOf<typeof api.payoutBatches.retrieve>

/** The buttons to approve or reject a whole batch. The creator of the batch cannot use them. */
export function BatchDecisions({ batch }: { batch: Batch }) {
  const t = useTexts(texts)
  const money = useMoney()
  const { me } = useCurrentSpace()
  const isAllowed = usePermissions()('payouts:approve')
  if (!isAllowed || batch.status !== 'pending') return null
  if (batch.createUserId === me.user.id) return <span class="muted">{t.createdByYou}</span>
  const amounts = batch.totals.map(({ amount }) => money(amount)).join(', ')
  return (
    <>
      <ConfirmButton
        call={api.payoutBatches.approve}
        args={[batch.id]}
        action={t.approve}
        title={t.approveTitle}
        warning={t.approveWarning(batch.counts.rows, amounts)}
        isDangerous={false}
      />
      <ConfirmButton
        call={api.payoutBatches.reject}
        args={[batch.id]}
        action={t.reject}
        title={t.rejectTitle}
        warning={t.rejectWarning}
      />
    </>
  )
}

export function CancelBatch({ batch }: { batch: Batch }) {
  const t = useTexts(texts)
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

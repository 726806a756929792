import { api, type ResultOf } from '../../api/client.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { useMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

/** The buttons to approve or reject a pending refund. The creator of the refund cannot use them. */
export function RefundDecisions({ refund }: { refund: ResultOf<typeof api.refunds.list>[number] }) {
  const t = useTexts(texts)
  const amount = useMoney()(refund.amount)
  const { me } = useCurrentSpace()
  const isAllowed = usePermissions()('refunds:approve')
  if (!isAllowed || refund.status !== 'pending' || refund.approval?.status !== 'required') return null
  if (refund.createUserId === me.user.id) return <span class="muted">{t.createdByYou}</span>
  return (
    <>
      <ConfirmButton
        call={api.refunds.approve}
        args={[refund.id]}
        action={t.approve}
        title={t.approveTitle}
        warning={t.approveWarning(amount)}
        isDangerous={false}
      />
      <ConfirmButton
        call={api.refunds.reject}
        args={[refund.id]}
        action={t.reject}
        title={t.rejectTitle}
        warning={t.rejectWarning}
      />
    </>
  )
}

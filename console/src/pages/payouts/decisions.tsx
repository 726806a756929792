import { api } from '../../api/client.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { useMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { type Payout, payeeOf, stateOf } from './payout-status.tsx'
import { texts } from './texts.ts'

/** The buttons to approve or reject a pending payout. The creator of the payout cannot use them. */
export function PayoutDecisions({ payout }: { payout: Payout }) {
  const t = useTexts(texts)
  const money = useMoney()
  const { me } = useCurrentSpace()
  const isAllowed = usePermissions()('payouts:approve')
  if (!isAllowed || stateOf(payout) !== 'waiting') return null
  if (payout.createUserId === me.user.id) return <span class="muted">{t.createdByYou}</span>
  const warningArguments = [money(payout.amount), payeeOf(payout)] as const
  return (
    <>
      <ConfirmButton
        call={api.payouts.approve}
        args={[payout.id]}
        action={t.approve}
        title={t.approveTitle}
        warning={t.approveWarning(...warningArguments)}
        isDangerous={false}
      />
      <ConfirmButton
        call={api.payouts.reject}
        args={[payout.id]}
        action={t.reject}
        title={t.rejectTitle}
        warning={t.rejectWarning(...warningArguments)}
      />
    </>
  )
}

/** A button to cancel a payout that has not been sent yet. */
export function CancelPayout({ payout }: { payout: Payout }) {
  const t = useTexts(texts)
  const money = useMoney()
  const isAllowed = usePermissions()('payouts:write')
  if (!isAllowed || payout.status !== 'pending') return null
  return (
    <ConfirmButton
      call={api.payouts.delete}
      args={[payout.id]}
      action={t.cancel}
      title={t.cancelTitle}
      warning={t.cancelWarning(money(payout.amount), payeeOf(payout))}
    />
  )
}

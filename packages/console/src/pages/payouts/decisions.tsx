import { api } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { Decisions } from '../../parts/decisions.tsx'
import { useMoney } from '../../text/format.tsx'
import { HolderFact } from './holder.tsx'
import { type Payout, payeeOf, stateOf } from './payout-status.tsx'
import { useTexts } from './texts.ts'

/** The buttons to approve or reject a pending payout. The creator of the payout cannot use them. */
export function PayoutDecisions({ payout }: { payout: Payout }) {
  const t = useTexts()
  const money = useMoney()
  const isAllowed = usePermissions()('payouts:approve')
  if (!isAllowed || stateOf(payout) !== 'waiting') return null
  const warningArguments = [money(payout.amount), payeeOf(payout)] as const
  return (
    <Decisions
      of={payout}
      calls={api.payouts}
      words={t}
      approveWarning={t.approveWarning(...warningArguments)}
      rejectWarning={t.rejectWarning(...warningArguments)}
    >
      <HolderFact payout={payout} />
    </Decisions>
  )
}

/** A button to cancel a payout that has not been sent yet. */
export function CancelPayout({ payout }: { payout: Payout }) {
  const t = useTexts()
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

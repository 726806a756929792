import { api } from '../../api/client.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { useApprovalDetails } from '../../parts/approval-details.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { Decisions } from '../../parts/decisions.tsx'
import { Facts } from '../../parts/page.tsx'
import { useMoney } from '../../text/format.tsx'
import { PayeeHolder } from './holder.tsx'
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
      <DecisionFacts payout={payout} />
    </Decisions>
  )
}

/** What the dialogs of a decision say about a payout besides amount and account. */
function DecisionFacts({ payout }: { payout: Payout }) {
  const t = useTexts()
  const mayLookUp = usePermissions()('provider-kyc:read')
  const { requester, earlier, balances } = useApprovalDetails('payouts', payout.id, true)
  const { note } = payout.metadata
  return (
    <Facts
      of={[
        [t.holder, mayLookUp && <PayeeHolder payout={payout} />],
        [t.requestedBy, requester],
        [t.reason, typeof note === 'string' && note],
        [t.earlier, earlier],
        [t.availableAfter, balances],
      ]}
    />
  )
}

/** A button to cancel a payout that has not been sent yet. */
export function CancelPayout({ payout }: { payout: Payout }) {
  const t = useTexts()
  const money = useMoney()
  const may = usePermissions()
  const { me } = useCurrentSpace()
  // A member who can reject a payout has no use for a second button with the same effect.
  const canReject =
    stateOf(payout) === 'waiting' && may('payouts:approve') && payout.createUserId !== me.user.id
  if (!may('payouts:write') || payout.status !== 'pending' || canReject) return null
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

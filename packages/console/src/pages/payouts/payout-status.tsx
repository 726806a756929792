import type { api, ResultOf } from '../../api/client.ts'
import { Status } from '../../parts/status.tsx'
import { useTexts } from './texts.ts'

export type Payout = ResultOf<typeof api.payouts.retrieve>
type PayoutState = keyof ReturnType<typeof useTexts>['states']

/** Returns the state to show for a payout, which is more specific than its status in the API. */
export function stateOf({ status, approval, failureDetail }: Payout): PayoutState {
  if (status === 'pending') return approval?.status === 'required' ? 'waiting' : 'unsent'
  if (status === 'processing') return 'sent'
  if (status === 'completed') return 'paid'
  if (approval?.status === 'rejected') return 'rejected'
  return failureDetail?.code === 'cancelled' ? 'cancelled' : 'failed'
}

/**
 * Returns whether the payout can still change. If so, it is polled, because some users can see the payout but not its
 * events.
 */
export const isMoving = ({ status }: Payout) => status === 'pending' || status === 'processing'

export function PayoutStatus({ of }: { of: Payout }) {
  const { states } = useTexts()
  return <Status of={of.status} words={states[stateOf(of)]} />
}

/** Returns the payee's phone number, account number or wallet ID. */
export const payeeOf = ({ destination }: Pick<Payout, 'destination'>): string =>
  destination.phoneNumber ?? destination.accountNumber ?? destination.walletId ?? ''

import { type SessionParts, sessionOrigin } from './checkout/sessions.ts'
import type { Followers } from './instructions/follower.ts'
import { paymentCodeOrigin } from './payment-codes/counting.ts'
import type { ShownParts } from './payment-codes/payment-codes.ts'
import { paymentFollower } from './payments/follower.ts'
import { payoutFollower } from './payouts/follower.ts'

/** What follows when an instruction moves, by its kind. */
export const openFollowers = (parts: SessionParts & ShownParts): Followers => ({
  collect: paymentFollower({
    seals: parts.seals,
    origins: { checkout_session: sessionOrigin(parts), payment_code: paymentCodeOrigin(parts) },
  }),
  disburse: payoutFollower,
})

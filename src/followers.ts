import { type SessionParts, sessionOrigin } from './checkout/sessions.ts'
import type { CheckoutSettings } from './checkout/settings.ts'
import type { Followers } from './instructions/follower.ts'
import { paymentCodeOrigin } from './payment-codes/outcomes.ts'
import type { PaymentCodeSettings } from './payment-codes/settings.ts'
import { createSessionLinks, type LinkPlaceParts } from './payment-links/slots.ts'
import { type PaymentOrigins, paymentFollower } from './payments/follower.ts'
import { payoutFollower } from './payouts/follower.ts'
import { endContradictedRecalls } from './recalls/contradicted.ts'
import { refundFollower } from './refunds/follower.ts'

/** What a payment changes in the object that it pays for, by the type of that object. */
export const openOrigins = (
  parts: SessionParts & LinkPlaceParts & { settings: PaymentCodeSettings & CheckoutSettings },
): PaymentOrigins => ({
  checkout_session: sessionOrigin(parts, createSessionLinks(parts)),
  payment_code: paymentCodeOrigin(parts.settings),
})

/** What an instruction's state changes cause, by the type of the object that the instruction belongs to. */
export const openFollowers = (
  parts: SessionParts & LinkPlaceParts & { settings: PaymentCodeSettings & CheckoutSettings },
): Followers => ({
  payment: paymentFollower({ seals: parts.seals, origins: openOrigins(parts) }),
  payout: { ...payoutFollower, contradicted: endContradictedRecalls },
  refund: refundFollower,
})

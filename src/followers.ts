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

/** Returns the handlers that update checkout sessions and payment codes when their payments complete or fail. */
export const openOrigins = (
  parts: SessionParts & LinkPlaceParts & { settings: PaymentCodeSettings & CheckoutSettings },
): PaymentOrigins => ({
  checkout_session: sessionOrigin(parts, createSessionLinks(parts)),
  payment_code: paymentCodeOrigin(parts.settings),
})

/** Returns the handlers that update payments, payouts and refunds when their instructions change state. */
export const openFollowers = (
  parts: SessionParts & LinkPlaceParts & { settings: PaymentCodeSettings & CheckoutSettings },
): Followers => ({
  payment: paymentFollower({ seals: parts.seals, origins: openOrigins(parts) }),
  payout: { ...payoutFollower, contradicted: endContradictedRecalls },
  refund: refundFollower,
})

import { type PaymentOrigins, paymentFollower } from './money/payments/follower.ts'
import { payoutFollower } from './money/payouts/follower.ts'
import { endContradictedRecalls } from './money/recalls/recalls.ts'
import { refundFollower } from './money/refunds/follower.ts'
import type { Followers } from './rails/instructions/follower.ts'
import { type SessionParts, sessionOrigin } from './ways-to-pay/checkout/sessions.ts'
import type { CheckoutSettings } from './ways-to-pay/checkout/settings.ts'
import { paymentCodeOrigin } from './ways-to-pay/payment-codes/outcomes.ts'
import type { PaymentCodeSettings } from './ways-to-pay/payment-codes/settings.ts'
import { createSessionLinks, type LinkPlaceParts } from './ways-to-pay/payment-links/slots.ts'

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

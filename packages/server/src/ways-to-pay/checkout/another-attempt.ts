import type { Payer } from '../../money/payments/channel.ts'
import { isInFlight } from '../../money/payments/payments.ts'
import type { Payment } from '../../money/payments/store.ts'
import { canReturn } from '../../money/refunds/new-refund.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Connectors } from '../../rails/connections/connectors.ts'
import { maxAttempts, maxInFlight } from './sessions.ts'

// A payer whose request went to the wrong phone can start another attempt while the first is in flight. If both
// are paid, the later one is returned. See docs/decisions/0238-another-number.md.

type Parts = { connectors: Connectors }
type Account = Pick<Payer, 'providerId' | 'account'>

/** Returns whether a session with these attempts can have another one that is in flight at the same time. */
export const canHaveAnother = (parts: Parts, scope: Scope, attempts: Payment[]): boolean =>
  attempts.length < maxAttempts && isReturnable(parts, scope, attempts)

/**
 * Returns whether a payer can start an attempt in addition to those in flight. It must be possible to return the
 * money of each, and a phone never has two requests at the same time.
 */
export const canStartBeside = (parts: Parts, scope: Scope, attempts: Payment[], payer: Account): boolean =>
  !attempts.some(isInFlight) ||
  (isReturnable(parts, scope, attempts) && canReturnTo(parts, scope, payer) && !isAsked(attempts, payer))

/** Returns whether one of the attempts in flight has asked this account for the payment. */
export const isAsked = (attempts: Payment[], { providerId, account }: Account): boolean =>
  attempts.some(
    (attempt) => isInFlight(attempt) && attempt.providerId === providerId && attempt.payerAccount === account,
  )

/** Returns whether a payment by this payer could be returned. */
export const canReturnTo = ({ connectors }: Parts, scope: Scope, { providerId, account }: Account): boolean =>
  canReturn(connectors, scope, { providerId, payerAccount: account })

function isReturnable({ connectors }: Parts, scope: Scope, attempts: Payment[]): boolean {
  const inFlight = attempts.filter(isInFlight)
  return inFlight.length < maxInFlight && inFlight.every((attempt) => canReturn(connectors, scope, attempt))
}

import type { Reader, Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import type { Scope } from '../platform/scope.ts'
import type { CheckoutSession } from './store.ts'

/** A payment in a session opened from a payment link, with the time by the Space's clock when it starts or ends. */
export type LinkedPayment = Scoped<{ sessionId: string; paymentLinkId: string; amount: bigint; at: Date }>

/**
 * `full`: the link currently accepts no more payments. `crowded`: the client address holds its maximum share of
 * the link's slots.
 */
export type LinkAdmission = 'admitted' | 'full' | 'crowded'

/**
 * The payment link operations that sessions need, supplied by a later slice. They run in the payments'
 * transaction and lock links after sessions.
 */
export type SessionLinks = {
  /** Checks whether a link with this internal id exists. */
  hasLink(db: Reader, scope: Scope, id: string): Promise<boolean>
  /** Takes a slot of the link for each payment, if allowed. `address` is the payer's IP address. */
  admit(tx: Tx, beginning: (LinkedPayment & { address: string })[]): Promise<LinkAdmission[]>
  /** Returns whether a session's link has ended, and the path of its page. */
  find(db: Reader, scope: Scope, id: string, at: Date): Promise<{ isOver: boolean; path: string }>
  /** Releases the slots of ended payments, and counts those that were paid. */
  end(tx: Tx, ended: (LinkedPayment & { isPaid: boolean })[]): Promise<void>
}

/** Returns the session's payment if the session belongs to a link. */
export const linkedPayment = (
  session: Scoped<Pick<CheckoutSession, 'id' | 'paymentLinkId' | 'amount'>>,
  at: Date,
): LinkedPayment[] =>
  session.paymentLinkId === null
    ? []
    : [
        {
          scope: session.scope,
          sessionId: session.id,
          paymentLinkId: session.paymentLinkId,
          amount: session.amount,
          at,
        },
      ]

import type { Reader, Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import type { Scope } from '../../platform/scope.ts'
import type { CheckoutSession } from './store.ts'

/**
 * A payment for a session that was opened from a payment link. `at` is the time on the Space's clock at which
 * the payment starts or ends.
 */
export type LinkedPayment = Scoped<{ sessionId: string; paymentLinkId: string; amount: bigint; at: Date }>

/**
 * `full` means that the link currently accepts no more payments. `crowded` means that the client's IP address
 * already holds its maximum share of the link's slots.
 */
export type LinkAdmission = 'admitted' | 'full' | 'crowded'

/**
 * The operations on payment links that sessions need. They are supplied by a later slice, run in the
 * transaction of the payments, and lock links after sessions.
 */
export type SessionLinks = {
  /** Returns whether a link with this internal id exists. */
  hasLink(db: Reader, scope: Scope, id: string): Promise<boolean>
  /**
   * For each payment, takes a slot of the payment's link, if the link allows it. `address` is the payer's IP
   * address.
   */
  admit(tx: Tx, beginning: (LinkedPayment & { address: string })[]): Promise<LinkAdmission[]>
  /** Returns whether the link of a session has ended, and the path of the link's page. */
  find(db: Reader, scope: Scope, id: string, at: Date): Promise<{ isOver: boolean; path: string }>
  /** Releases the slots of payments that have ended, and counts the payments that were completed. */
  end(tx: Tx, ended: (LinkedPayment & { isPaid: boolean })[]): Promise<void>
}

/** Returns a list with the payment if the session was opened from a link, or an empty list otherwise. */
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

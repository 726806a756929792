import type { Reader, Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import type { Scope } from '../platform/scope.ts'
import type { CheckoutSession } from './store.ts'

/** A payment of a session that was opened from a payment link begins, or has ended, at a moment of the Space's clock. */
export type LinkedPayment = Scoped<{ sessionId: string; paymentLinkId: string; amount: bigint; at: Date }>

/** `full`: the link takes no further payment now. `crowded`: one address holds as many of its places as it may. */
export type LinkAdmission = 'admitted' | 'full' | 'crowded'

/**
 * What payment links say about sessions that were opened from them. A later slice hands it in; each is in the transaction
 * of the payments, and locks links after sessions.
 */
export type SessionLinks = {
  /** Whether there is a link of this inner id. */
  hasLink(db: Reader, scope: Scope, id: string): Promise<boolean>
  /** Takes each payment's place in its link, where it may. `address`: where the payer comes from. */
  admit(tx: Tx, beginning: (LinkedPayment & { address: string })[]): Promise<LinkAdmission[]>
  /** How the link of a session stands: whether it has ended, and the path of its page. */
  find(db: Reader, scope: Scope, id: string, at: Date): Promise<{ isOver: boolean; path: string }>
  /** Gives back the places of payments that have ended, and counts those that were `paid`. */
  end(tx: Tx, ended: (LinkedPayment & { isPaid: boolean })[]): Promise<void>
}

/** The payment of a session, if that belongs to a link. */
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

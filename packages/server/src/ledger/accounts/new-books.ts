import type { Tx } from '../../platform/db/database.ts'

/** The Spaces in which each open transaction is the first to book anything. */
const begunIn = new WeakMap<Tx, Set<string>>()

/**
 * Declares that nothing has been booked in a Space before this transaction, so that nobody has read its accounts. The
 * transaction may then book with past times, and may lock the accounts of the Space one after the other.
 */
export const beginBooks = (tx: Tx, spaceId: string): void =>
  void begunIn.set(tx, (begunIn.get(tx) ?? new Set()).add(spaceId))

export const hasBegunBooks = (tx: Tx, spaceId: string): boolean => begunIn.get(tx)?.has(spaceId) ?? false

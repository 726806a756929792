import type { Tx } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/scope.ts'
import { queryNow } from '../../rails/instructions/instructions.ts'
import { markRedirected, markReturned } from './store.ts'

/**
 * Returns the URL of the rail's page on the first call for a payment, and `undefined` on all later calls. On
 * later visits, the payer is shown a link to the rail's page and is not redirected, which avoids a redirect
 * loop.
 */
export async function takeRedirect(tx: Tx, scope: Scope, id: string, at: Date): Promise<string | undefined> {
  return (await markRedirected(tx, scope, id, at))?.redirectUrl ?? undefined
}

/**
 * Handles the payer's return from the rail's page. Since the return proves nothing, the rail is queried.
 * Returns `false` and does nothing if the payment does not belong to `originId` or had no such page, or if its
 * payer has already returned.
 */
export async function returnFromRail(
  tx: Tx,
  scope: Scope,
  { originId, paymentId }: { originId: string; paymentId: string },
  at: Date,
): Promise<boolean> {
  const payment = await markReturned(tx, scope, paymentId, originId, at)
  if (payment?.status === 'processing') await queryNow(tx, [{ scope, id: paymentId, at }])
  return payment !== undefined
}

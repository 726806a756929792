import { queryNow } from '../instructions/instructions.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Scope } from '../platform/scope.ts'
import { markRedirected, markReturned } from './store.ts'

/** Where to send the payer, the first time only: afterwards they get a link, so that nobody goes in circles. */
export async function takeRedirect(tx: Tx, scope: Scope, id: string, at: Date): Promise<string | undefined> {
  return (await markRedirected(tx, scope, id, at))?.redirectUrl ?? undefined
}

/**
 * The payer is back from the rail's page. That proves nothing, so the rail is queried. Returns `false` and does nothing
 * when this payment does not belong to `originId`, was never sent to a page, or its payer came back before.
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

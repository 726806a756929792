import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { existing, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { type Decision, decide } from '../approvals/approvals.ts'
import type { PayoutParts } from '../payouts/payouts.ts'
import { payOut } from './new-batch.ts'
import { publishBatch } from './presenting.ts'
import { type Batch, lockBatch, selectRows, updateBatch } from './store.ts'

/**
 * Approves a batch and creates all of its payouts, or rejects it permanently. The same user may repeat the
 * decision without further effect. The user who created the batch is refused.
 *
 * @throws Refusal `fund_insufficient`, in which case the batch stays pending; `state_conflict`, also if a row
 * can no longer be paid
 */
export async function decideBatch(
  tx: Tx,
  parts: PayoutParts,
  scope: Scope,
  id: string,
  decision: Decision,
  at: Date,
): Promise<Scoped<Batch>> {
  const batch = await lockKnownBatch(tx, scope, id)
  const approved = await decide(tx, 'payout_batch', sql`payout_batches`, batch, decision, at)
  if (!approved) return batch
  const { approval } = decision
  const status = approval === 'approved' ? 'processing' : 'rejected'
  const decided: Scoped<Batch> = { ...approved, status }
  await updateBatch(tx, decided)
  if (approval === 'approved')
    await payOut(tx, parts, decided, await selectRows(tx, scope, id)).catch(refuseStale)
  await publishBatch(tx, decided, `payout_batch.${approval}`)
  return decided
}

/**
 * Reports issues as `state_conflict`: the batch was valid when it was created but no longer is, so the
 * approver's request is not at fault.
 */
function refuseStale(error: unknown): never {
  if (!(error instanceof Refusal) || error.reason !== 'arguments_invalid') throw error
  throw new Refusal('state_conflict', { message: stale, details: error.details })
}

const stale = 'Some rows cannot be paid now; see details. The batch is still pending and can be rejected.'

/** Cancels a batch that is awaiting approval. Cancelling it again has no effect. */
export async function cancelBatch(tx: Tx, scope: Scope, id: string, at: Date): Promise<void> {
  const batch = await lockKnownBatch(tx, scope, id)
  if (batch.status === 'cancelled') return
  if (batch.status !== 'pending') throw new Refusal('state_conflict')
  const cancelled: Scoped<Batch> = { ...batch, status: 'cancelled', updatedAt: at }
  await updateBatch(tx, cancelled)
  await publishBatch(tx, cancelled, 'payout_batch.cancelled')
}

async function lockKnownBatch(tx: Tx, scope: Scope, id: string): Promise<Scoped<Batch>> {
  const batch = existing(await lockBatch(tx, scope, id))
  return { ...batch, scope }
}

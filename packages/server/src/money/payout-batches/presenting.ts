import { wholeNumber } from '@pesewa/values'
import { type EventType, publish } from '../../events/events.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { showId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { ownershipGraph } from '../../tenants/spaces/ownership.ts'
import { userIds } from '../../tenants/spaces/resources.ts'
import { presentApproval } from '../approvals/approvals.ts'
import { shownPayee } from '../payouts/payouts.ts'
import { batchIds, payoutIds } from '../payouts/resources.ts'
import { type Batch, type ListedRow, type PayoutTotal, selectPayoutTotals } from './store.ts'

/** A batch with the totals of its payouts. */
export type BatchWithTotals = Batch & { tallies: PayoutTotal[] }

/** Returns batches together with the totals of their payouts, which are counted in one statement. */
export async function withPayoutTotals<Row extends Batch>(
  db: Reader,
  scope: Scope,
  batches: Row[],
): Promise<(Row & { tallies: PayoutTotal[] })[]> {
  const begun = batches.filter(({ status }) => status === 'processing' || status === 'completed')
  const ids = begun.map(({ id }) => id)
  const tallies = ids.length > 0 ? await selectPayoutTotals(db, scope, ids) : []
  const byBatch = Map.groupBy(tallies, ({ batchId }) => batchId)
  return batches.map((batch) => ({ ...batch, tallies: byBatch.get(batch.id) ?? [] }))
}

/** Publishes an event about a batch, with the state that the batch has in this transaction. */
export async function publishBatch(tx: Tx, batch: Scoped<Batch>, type: EventType): Promise<void> {
  const { scope, id: objectId, updatedAt: at } = batch
  for (const tallied of await withPayoutTotals(tx, scope, [batch]))
    publish(tx, scope, {
      types: [type],
      objectId,
      data: presentBatch(scope, tallied),
      at,
    })
}

/** Returns the batch as an API resource. */
export function presentBatch({ spaceId }: Scope, batch: BatchWithTotals) {
  const { tallies, financialAccountId: source } = batch
  const countOf = (status: string) =>
    tallies.reduce((sum, tally) => sum + (tally.status === status ? Number(tally.count) : 0), 0)
  return {
    id: showId(batchIds, batch.id),
    status: batch.status,
    name: batch.name,
    source: { financialAccountId: source && showId(accountIds, source) },
    counts: {
      rows: batch.rowCount,
      pending: countOf('pending'),
      processing: countOf('processing'),
      completed: countOf('completed'),
      failed: countOf('failed'),
    },
    totals: batch.sums.map(({ currency, amount }) => ({
      amount: { currency, value: wholeNumber(BigInt(amount)) },
      completed: sumOf(tallies, currency, 'completed'),
      failed: sumOf(tallies, currency, 'failed'),
    })),
    approval: presentApproval(batch),
    createUserId: showId(userIds, batch.createdBy),
    createTime: batch.createdAt.toISOString(),
    updateTime: batch.updatedAt.toISOString(),
    ownershipGraph: ownershipGraph(spaceId),
  }
}

const sumOf = (tallies: PayoutTotal[], currency: string, status: string) => ({
  currency,
  value: wholeNumber(
    tallies.find((tally) => tally.currency === currency && tally.status === status)?.amount ?? 0n,
  ),
})

export const presentRow = (row: ListedRow) => ({
  number: row.number,
  amount: { currency: row.currency, value: wholeNumber(row.amount) },
  destination: shownPayee(row),
  name: row.name,
  reference: row.reference,
  payout:
    row.payoutId && row.payoutStatus
      ? { id: showId(payoutIds, row.payoutId), status: row.payoutStatus }
      : null,
  metadata: row.metadata,
})

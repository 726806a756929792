import { wholeNumber } from '@pesewa/values'
import { accountIds } from '../../ledger/accounts/resources.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { newId, showId } from '../../platform/ids.ts'
import { Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { accountFields } from '../../rails/connections/account.ts'
import { announceApprovals } from '../approvals/announcing.ts'
import { newApproval } from '../approvals/approvals.ts'
import { createAllPayouts } from '../payouts/new-payout.ts'
import type { PayoutParts } from '../payouts/payouts.ts'
import { batchIds } from '../payouts/resources.ts'
import { scheduleCompletion } from './jobs.ts'
import { publishBatch } from './presenting.ts'
import { checkAllRows, needsApproval, sumRows, type ValidRow } from './rows.ts'
import type { NewBatch } from './shapes.ts'
import { type Batch, type BatchRow, insertBatch } from './store.ts'

/** Creates a batch, or refuses it as a whole. If the batch needs no approval, its payouts are created with it. */
export async function createBatch(
  tx: Tx,
  parts: PayoutParts,
  scope: Scope,
  body: NewBatch,
  { userId, idempotencyKey, at }: { userId: string; idempotencyKey: string; at: Date },
): Promise<Scoped<Batch>> {
  const issues = new Issues()
  const { rows: sound, accountId } = await checkAllRows(tx, parts, scope, body, issues)
  issues.refuse()
  const isToApprove = await needsApproval(tx, scope, sound, { userId, at })
  const batch: Scoped<Batch> = {
    scope,
    id: newId(at),
    status: isToApprove ? 'pending' : 'processing',
    name: body.name,
    financialAccountId: accountId ?? null,
    rowCount: sound.length,
    sums: sumRows(sound).map(({ currency, amount }) => ({ currency, amount: String(amount) })),
    createdBy: userId,
    idempotencyKey,
    ...newApproval(isToApprove),
    createdAt: at,
    updatedAt: at,
  }
  const rows = sound.map((row) => rowOf(batch, row))
  await insertBatch(tx, batch, rows)
  if (isToApprove) announceApprovals(tx, 'payouts:approve', [batch])
  else await payOut(tx, parts, batch, rows)
  await publishBatch(tx, batch, 'payout_batch.created')
  return batch
}

const rowOf = ({ scope, id }: Scoped<Batch>, { payee, ...row }: ValidRow): Scoped<BatchRow> => ({
  scope,
  batchId: id,
  number: row.number,
  amount: row.amount,
  currency: row.currency,
  destinationType: payee.type,
  providerId: payee.providerId,
  payeeAccount: payee.account,
  name: row.name ?? null,
  reference: row.reference ?? null,
  metadata: row.metadata ?? {},
})

/**
 * Creates all payouts of a locked or new batch in this transaction. Their creation time is the time of the
 * batch's last change.
 */
export async function payOut(
  tx: Tx,
  parts: PayoutParts,
  batch: Scoped<Batch>,
  rows: BatchRow[],
): Promise<void> {
  const { scope, id, createdBy, updatedAt: at } = batch
  const account = batch.financialAccountId
  await createAllPayouts(
    tx,
    parts,
    rows.map(({ number, amount, currency, ...row }) => ({
      scope,
      amount: { currency, value: wholeNumber(amount) },
      destination: {
        type: row.destinationType,
        providerId: row.providerId,
        [accountFields[row.destinationType]]: row.payeeAccount,
      },
      sourceAccount: account === null ? undefined : showId(accountIds, account),
      metadata: row.metadata,
      userId: createdBy,
      purpose: purposeOf(batch, number),
      batch: { id, row: number, approvedBy: batch.approvalUserId },
      at,
    })),
  )
  await scheduleCompletion(tx, batch, at)
}

/**
 * Returns the purpose of a row's payout, from which the payout's rail reference is derived. The purpose stays
 * the same if the request is repeated after a restore that lost the batch or its approval.
 */
const purposeOf = ({ id, idempotencyKey }: Batch, row: number) =>
  idempotencyKey === null ? `payout ${showId(batchIds, id)} ${row}` : `payout_batch ${row} ${idempotencyKey}`

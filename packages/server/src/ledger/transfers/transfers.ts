import { must, wholeNumber } from '@pesewa/values'
import { type EventType, type NewEvent, publishEach } from '../../events/events.ts'
import type { Tx } from '../../platform/db/database.ts'
import { byGlobalName, globalName, type Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import { scheduleEach } from '../../platform/jobs/queue.ts'
import { existing, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { currentOwner, presentOwned } from '../../tenants/spaces/ownership.ts'
import { type Posting, postEach } from '../accounts/postings.ts'
import { newReference } from '../accounts/reference.ts'
import { accountIds } from '../accounts/resources.ts'
import { transferIds } from './resources.ts'
import type { TransferFailure } from './states.ts'
import { lockTransfers, selectTransfer, type Transfer, updateTransfers } from './store.ts'

/** Error message for exceeding the maximum balance, which no real account comes close to. */
export const balanceTooLarge = 'This transfer would exceed the maximum balance of an account.'

const failureMessages: Record<TransferFailure, string> = {
  fund_insufficient: 'The source account has insufficient available balance.',
  cancelled: 'The transfer was cancelled before it was due.',
  unknown: balanceTooLarge,
}

export const completed = (transfer: Scoped<Transfer>, reference: string): Scoped<Transfer> => ({
  ...transfer,
  status: 'completed',
  ledgerReference: reference,
})

const failed = (transfer: Scoped<Transfer>, failureCode: TransferFailure): Scoped<Transfer> => ({
  ...transfer,
  status: 'failed',
  ledgerReference: null,
  failureCode,
})

/** Returns the posting for a completed transfer. */
export const postingOf = (transfer: Scoped<Transfer>): Posting => ({
  scope: transfer.scope,
  reference: must(transfer.ledgerReference, 'reference of a completed transfer'),
  at: transfer.updatedAt,
  owners: [currentOwner('internal_transfer', transfer)],
  movements: [
    { accountId: transfer.sourceAccountId, amount: -transfer.amount },
    { accountId: transfer.destinationAccountId, amount: transfer.amount },
  ],
})

/** Posts transfers in the given order, and returns them as completed or failed. The caller must save them. */
export async function postTransfers(tx: Tx, transfers: Scoped<Transfer>[]): Promise<Scoped<Transfer>[]> {
  const covered = transfers.map((transfer) => completed(transfer, newReference(transfer.updatedAt)))
  const posted = await postEach(tx, covered.map(postingOf))
  return covered.map((transfer, i) => (posted[i] ? transfer : failed(transfer, 'fund_insufficient')))
}

/** Returns the job that executes a scheduled transfer. */
export const executionOf = ({ scope, id, executeAt }: Scoped<Transfer>) => ({
  dueAt: must(executeAt, 'time of a planned transfer'),
  job: 'internal-transfers.execute',
  payload: { ...scope, transferId: id },
})

/**
 * Starts a scheduled transfer, which can then no longer be cancelled. Returns whether the transfer is now
 * processing.
 */
export async function beginTransfer(tx: Tx, scope: Scope, id: string, at: Date): Promise<boolean> {
  const transfer = await selectTransfer(tx, scope, id, sql`for update`)
  if (!transfer) return false
  // The clock of the node that scheduled this job may be slightly ahead.
  if (transfer.status === 'pending' && transfer.executeAt && transfer.executeAt > at) {
    scheduleEach(tx, [executionOf({ ...transfer, scope })])
    return false
  }
  if (transfer.status === 'pending')
    await updateTransfers(tx, [{ ...transfer, scope, status: 'processing', updatedAt: at }])
  return transfer.status === 'pending' || transfer.status === 'processing'
}

/** A transfer that is due, with the current time on its Space's clock. */
type DueTransfer = Scoped<{ id: string; at: Date }>

/** Posts transfers that have been started, in order of creation. */
export async function executeTransfers(tx: Tx, due: DueTransfer[]): Promise<void> {
  await endEach(tx, await postTransfers(tx, await lockUnderWay(tx, due)))
}

/** Fails a started transfer, because it would exceed the maximum balance of an account. */
export async function failForBalanceOverflow(tx: Tx, due: DueTransfer): Promise<void> {
  await endEach(
    tx,
    (await lockUnderWay(tx, [due])).map((transfer) => failed(transfer, 'unknown')),
  )
}

/** Locks those of the given transfers that have been started, and returns them with the current time. */
async function lockUnderWay(tx: Tx, due: DueTransfer[]): Promise<Scoped<Transfer>[]> {
  const dueByName = byGlobalName(due)
  const transfers = await lockTransfers(tx, due)
  return transfers
    .filter(({ status }) => status === 'processing')
    .map((transfer) => {
      const { at } = must(dueByName.get(globalName(transfer.scope, transfer.id)), 'time of a transfer')
      return { ...transfer, updatedAt: at }
    })
}

async function endEach(tx: Tx, ended: Scoped<Transfer>[]): Promise<void> {
  if (ended.length === 0) return
  await updateTransfers(tx, ended)
  publishEach(
    tx,
    ended.map((transfer) => eventOf(transfer, endTypeOf(transfer))),
  )
}

export const endTypeOf = ({ status }: Transfer): EventType =>
  status === 'completed' ? 'internal_transfer.completed' : 'internal_transfer.failed'

export const eventOf = (transfer: Scoped<Transfer>, ...types: NewEvent['types']): Scoped<NewEvent> => ({
  scope: transfer.scope,
  types,
  objectId: transfer.id,
  data: presentTransfer(transfer.scope, transfer),
  at: transfer.updatedAt,
})

/** Cancels a pending transfer. Cancelling it again has no effect. */
export async function cancelTransfer(tx: Tx, scope: Scope, id: string, at: Date): Promise<void> {
  const transfer = await lockTransfer(tx, scope, id)
  if (transfer.failureCode === 'cancelled') return
  if (transfer.status !== 'pending') throw new Refusal('state_conflict')
  await endEach(tx, [{ ...failed({ ...transfer, scope }, 'cancelled'), updatedAt: at }])
}

export type TransferChange = { description?: string | null; metadata?: Metadata | null }

/** Changes only the given fields of a transfer. */
export async function changeTransfer(tx: Tx, scope: Scope, id: string, change: TransferChange, at: Date) {
  const transfer = await lockTransfer(tx, scope, id)
  const changed: Scoped<Transfer> = {
    ...transfer,
    scope,
    ...(change.description !== undefined && { description: change.description || null }),
    ...(change.metadata !== undefined && { metadata: change.metadata ?? {} }),
    updatedAt: at,
  }
  await updateTransfers(tx, [changed])
  return changed
}

const lockTransfer = async (tx: Tx, scope: Scope, id: string) =>
  existing(await selectTransfer(tx, scope, id, sql`for update`))

/** Returns the transfer as an API resource. */
export function presentTransfer({ spaceId }: Scope, transfer: Transfer) {
  return {
    id: showId(transferIds, transfer.id),
    status: transfer.status,
    amount: { currency: transfer.currency, value: wholeNumber(transfer.amount) },
    sourceFinancialAccount: { id: showId(accountIds, transfer.sourceAccountId) },
    destinationFinancialAccount: { id: showId(accountIds, transfer.destinationAccountId) },
    financialTransactionReference: transfer.ledgerReference,
    description: transfer.description,
    failureDetail: transfer.failureCode
      ? { code: transfer.failureCode, message: failureMessages[transfer.failureCode] }
      : null,
    executeTime: transfer.executeAt?.toISOString() ?? null,
    ...presentOwned(spaceId, transfer),
  }
}

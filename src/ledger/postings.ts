import assert from 'node:assert/strict'
import { publish } from '../events/events.ts'
import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { wholeNumber } from '../platform/http/json.ts'
import { newId, showId } from '../platform/ids.ts'
import { type OwnerRef, ownershipGraph } from '../spaces/ownership.ts'
import { systemAccount } from './accounts.ts'
import { newReference } from './reference.ts'
import { insertCase, insertPosting, type Line } from './store.ts'

export type { Line } from './store.ts'

/** One movement on one account: positive credits it, negative debits it. Minor units. */
export type Movement = { accountId: string; amount: bigint; feeCode?: string }

/** Lines that belong together. They sum to zero per currency, or the posting is a bug. */
export type Posting = { reference: string; at: Date; owners: OwnerRef[]; movements: Movement[] }

/** Writes a posting to the books and tells of every line that a merchant can see. */
export async function post(tx: Tx, scope: Scope, posting: Posting): Promise<Line[]> {
  const { reference, at, owners, movements } = posting
  assert(
    movements.every(({ amount }) => amount !== 0n),
    'a movement must move something',
  )
  const lines = movements.map(({ accountId, amount, feeCode = null }) => ({
    id: newId(at),
    accountId,
    amount,
    feeCode,
  }))
  const written = await insertPosting(tx, scope, { reference, at, owners, lines })
  const shown = written.filter((line) => line.isFinancial)
  await publish(
    tx,
    scope,
    at,
    ...shown.map((line) => ({
      type: 'financial_transaction.created' as const,
      objectId: line.id,
      data: presentLine(scope, line),
    })),
  )
  return written
}

/** The resource as the API shows it. */
export function presentLine({ spaceId }: Scope, line: Line) {
  const money = (value: bigint) => ({ currency: line.currency, value: wholeNumber(value) })
  return {
    id: showId('financialTransaction', line.id),
    type: line.amount > 0n ? ('credit' as const) : ('debit' as const),
    amount: money(line.amount > 0n ? line.amount : -line.amount),
    timestamp: line.at.toISOString(),
    reference: line.reference,
    financialAccount: {
      id: showId('financialAccount', line.accountId),
      balance: { after: money(line.balanceAfter) },
    },
    originatingReversal:
      line.reversedLineId && line.reversedReference
        ? {
            originTxnId: showId('financialTransaction', line.reversedLineId),
            originTxnRef: line.reversedReference,
          }
        : null,
    originatingFee: line.feeCode ? { code: line.feeCode } : null,
    ownershipGraph: ownershipGraph(spaceId, line.owners),
    metadata: {},
  }
}

export type LateSuccess = {
  object: OwnerRef
  /** The clearing account that now holds the money. */
  clearingAccountId: string
  amount: bigint
  currency: string
}

/**
 * Money moved at the rail after we had called it failed. What was told stays told: the money goes to suspense and a
 * case waits for a person. Answers false when the case is open already.
 */
export async function openLateSuccess(tx: Tx, scope: Scope, found: LateSuccess, at: Date): Promise<boolean> {
  const reference = newReference(at)
  const { object, amount, currency } = found
  const opened = await insertCase(tx, scope, {
    id: newId(at),
    kind: 'success_after_failure',
    objectType: object.type,
    objectId: object.id,
    amount,
    currency,
    reference,
    openedAt: at,
  })
  if (opened === 0) return false
  const suspense = await systemAccount(tx, scope, 'suspense', currency, at)
  await post(tx, scope, {
    reference,
    at,
    owners: [object],
    movements: [
      { accountId: found.clearingAccountId, amount: -amount },
      { accountId: suspense, amount },
    ],
  })
  return true
}

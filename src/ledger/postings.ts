import assert from 'node:assert/strict'
import { publishPostings } from '../events/events.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { wholeNumber } from '../platform/http/json.ts'
import { newId, showId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import { type OwnerRef, ownershipGraph } from '../spaces/ownership.ts'
import { isOf } from './reference.ts'
import { accountIds, transactionIds } from './resources.ts'
import {
  callLedgerPost,
  insertPostings,
  type Line,
  type PostingLine,
  type Reversal,
  selectLinesById,
} from './store.ts'

export {
  isBeyondCount,
  type Line,
  overdrawnBy,
  type Reversal,
  selectLinesOf as findLinesOf,
} from './store.ts'

/**
 * One movement on one account: positive credits it, negative debits it; `release` of its holds becomes free with it.
 * Minor units.
 */
export type Movement = {
  accountId: string
  amount: bigint
  release?: bigint
  feeCode?: string
  /** The line that it takes back, whole or in part. */
  reverses?: Reversal
}

/** Lines that belong together, in one Space and currency. They sum to zero, or the posting is a bug. */
export type Posting = Scoped<{ reference: string; at: Date; owners: OwnerRef[]; movements: Movement[] }>

/** Writes a posting to the books. It must fit: an overdraft is thrown, as a bug of the caller. */
export async function post(tx: Tx, scope: Scope, posting: Omit<Posting, 'scope'>): Promise<void> {
  const [isPosted] = await postEach(tx, [{ ...posting, scope }])
  assert(isPosted, 'a posting would overdraw an account')
}

/**
 * Writes many postings at once, of any Spaces, judged in their order. Returns for each whether it was posted; else it would
 * have left an account with less than is held in it. Publishes an event for every line that a merchant can see.
 */
export async function postEach(tx: Tx, postings: Posting[]): Promise<boolean[]> {
  if (postings.length === 0) return []
  const posted = await insertPostings(tx, linesOf(postings))
  publishPostings(
    tx,
    postings.filter((_, i) => posted[i]),
  )
  return posted
}

/** `postEach` as a part of a larger statement; it publishes nothing, and fails if a posting does not fit. */
export const posting = (postings: Posting[], after: Sql): Sql => callLedgerPost(linesOf(postings), after)

/**
 * How long after its moment a posting is sent at the latest, by real time: a clock that is moved is ahead. So what was booked
 * up to a moment is known for good a while after it, which is what makes a statement final.
 */
export const maxPostingDelayMs = 120_000 // limit: time from the moment of a posting until it is sent

function linesOf(postings: Posting[]): PostingLine[] {
  const earliest = new Date(Date.now() - maxPostingDelayMs)
  return postings.flatMap(({ scope, reference, at, movements, ...posting }, i) => {
    const owners = JSON.stringify(posting.owners)
    // The node was paused, or its clock is wrong: with a later moment it may be tried again.
    if (at < earliest) throw new Refusal('service_unavailable')
    assert(isOf(reference, at), 'a reference must be of the moment of its posting')
    return movements.map(({ accountId, amount, release = 0n, feeCode = null, reverses = null }) => {
      assert(amount !== 0n, 'a movement must move something')
      const id = newId(at)
      return {
        scope,
        posting: i + 1,
        id,
        accountId,
        amount,
        release,
        feeCode,
        reference,
        owners,
        at,
        reverses,
      }
    })
  })
}

/** Amounts of a currency as the API shows them. */
export const moneyIn = (currency: string) => (value: bigint) => ({ currency, value: wholeNumber(value) })

/** The resource as the API shows it. */
export function presentLine({ spaceId }: Scope, line: Line) {
  const money = moneyIn(line.currency)
  return {
    id: showId(transactionIds, line.id),
    type: line.amount > 0n ? ('credit' as const) : ('debit' as const),
    amount: money(line.amount > 0n ? line.amount : -line.amount),
    timestamp: line.at.toISOString(),
    reference: line.reference,
    financialAccount: {
      id: showId(accountIds, line.accountId),
      balance: { after: money(line.balanceAfter) },
    },
    originatingReversal:
      line.reversedLineId && line.reversedReference
        ? { originTxnId: showId(transactionIds, line.reversedLineId), originTxnRef: line.reversedReference }
        : null,
    originatingFee: line.feeCode ? { code: line.feeCode } : null,
    ownershipGraph: ownershipGraph(spaceId, line.owners),
    metadata: {},
  }
}

/** Of a row with a `posting`: its lines that have events, as a merchant can see them; by `id`, each with its `place`. */
export const postedLines = sql`ledger_told_lines(space_id, environment, posting)`

/** Lines as the API shows them, by their ids: the data of the events of a posting. */
export async function findLines(db: Reader, scope: Scope, ids: string[]): Promise<Map<string, object>> {
  const lines = await selectLinesById(db, scope, ids)
  return new Map(lines.map((line) => [line.id, presentLine(scope, line)]))
}

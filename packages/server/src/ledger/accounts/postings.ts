import assert from 'node:assert/strict'
import { wholeNumber } from '@pesewa/values'
import { publishPostings } from '../../events/events.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import type { Sql } from '../../platform/db/sql.ts'
import { newId, showId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { type OwnerRef, ownershipGraph } from '../../tenants/spaces/ownership.ts'
import { hasBegunBooks } from './new-books.ts'
import { hasTimestamp } from './reference.ts'
import { accountIds, transactionIds } from './resources.ts'
import {
  callLedgerPost,
  insertPostings,
  type Line,
  type PostingLine,
  type Reversal,
  selectLinesById,
} from './store.ts'

/**
 * One movement on an account, in minor units: a positive amount credits the account, and a negative one debits
 * it. `release` is the amount that is released from the account's holds at the same time.
 */
export type Movement = {
  accountId: string
  amount: bigint
  release?: bigint
  feeCode?: string
  /** The line that this movement reverses in full or in part. */
  reverses?: Reversal
}

/** Movements that belong together, in one Space and currency. Their sum must be zero. */
export type Posting = Scoped<{ reference: string; at: Date; owners: OwnerRef[]; movements: Movement[] }>

/**
 * A posting with the id of the fact that publishes its lines. The ids of the lines differ from it only in the last byte,
 * so that the sequencer finds them by key, however many other lines there are of the same time.
 */
export type AnnouncedPosting = Posting & { factId: string }

/** Writes a posting. Throws if an account would be overdrawn, which is a bug in the caller. */
export async function post(tx: Tx, scope: Scope, posting: Omit<Posting, 'scope'>): Promise<void> {
  const [isPosted] = await postEach(tx, [{ ...posting, scope }])
  assert(isPosted, 'a posting would overdraw an account')
}

/**
 * Writes several postings, which may belong to different Spaces, in the given order. Returns whether each of
 * them was posted. A posting is skipped if it would leave an account with less than its held amount. Publishes
 * an event for every line that a merchant can see.
 */
export async function postEach(tx: Tx, postings: Posting[]): Promise<boolean[]> {
  if (postings.length === 0) return []
  refuseStale(postings.filter(({ scope }) => !hasBegunBooks(tx, scope.spaceId)))
  const announced = postings.map((posting) => ({ ...posting, factId: newId(posting.at) }))
  const posted = await insertPostings(tx, toPostingLines(announced))
  publishPostings(
    tx,
    announced.filter((_, i) => posted[i]),
  )
  return posted
}

/**
 * Does the same as `postEach`, as part of a larger statement. Publishes no events, and fails if an account has
 * insufficient funds for a posting.
 */
export function posting(postings: AnnouncedPosting[], after: Sql): Sql {
  refuseStale(postings)
  return callLedgerPost(toPostingLines(postings), after)
}

/**
 * Maximum time, by the wall clock, from the timestamp of a posting until it is sent to the database. A test
 * clock that was moved does not matter, because it is always ahead of the wall clock. Once this time has passed
 * after a moment, everything booked up to that moment is known, so a statement up to that moment is final.
 */
export const maxPostingDelayMs = 120_000 // maximum time from the timestamp of a posting until it is sent

/**
 * Refuses postings whose timestamps are too old. A Space that the same transaction creates may have older
 * postings, such as those of the demo, because nobody has read a statement of it yet.
 */
function refuseStale(postings: Posting[]): void {
  const earliest = new Date(Date.now() - maxPostingDelayMs)
  // The node was paused or its clock is wrong. Another attempt with a later timestamp may succeed.
  if (postings.some(({ at }) => at < earliest))
    throw new Refusal('service_unavailable', { cause: new Error('the posting was sent too late') })
}

const maxMovements = 250 // limit: movements of one posting, each of which may have an event, and a fact has at most 256

function toPostingLines(postings: AnnouncedPosting[]): PostingLine[] {
  return postings.flatMap(({ scope, reference, at, movements, factId, ...posting }, i) => {
    const owners = JSON.stringify(posting.owners)
    assert(hasTimestamp(reference, at), 'a reference must have the timestamp of its posting')
    assert(movements.length <= maxMovements, 'a posting has too many movements')
    return movements.map(({ accountId, amount, release = 0n, feeCode = null, reverses = null }, place) => {
      assert(amount !== 0n, 'the amount of a movement must not be zero')
      const id = factId.slice(0, -2) + place.toString(16).padStart(2, '0')
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

/** Returns a function that converts amounts in a currency to the form used by the API. */
export const moneyIn = (currency: string) => (value: bigint) => ({ currency, value: wholeNumber(value) })

/** Returns the line as it appears in the API. */
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

/** Returns lines by id as they appear in the API. These are the data of the events of a posting. */
export async function findLines(db: Reader, scope: Scope, ids: string[]): Promise<Map<string, object>> {
  const lines = await selectLinesById(db, scope, ids)
  return new Map(lines.map((line) => [line.id, presentLine(scope, line)]))
}

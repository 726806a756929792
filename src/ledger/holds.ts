import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { schedule } from '../platform/jobs/queue.ts'
import { Refusal } from '../platform/refusals.ts'
import type { OwnerRef } from '../spaces/ownership.ts'
import { type Hold, lockAvailable, lockHolds, moveHeld, writeHolds } from './hold-store.ts'
import { type Movement, type Posting, postEach } from './postings.ts'

export type { Hold } from './hold-store.ts'

/** What is reserved, of which account, for what. Minor units. */
export type NewHold = { accountId: string; amount: bigint; owner: OwnerRef; expiresAt?: Date }

/**
 * Reserves money of an account: it stays posted there, and nothing else can take it. Answers nothing when less than
 * that is available.
 */
export async function reserve(tx: Tx, scope: Scope, given: NewHold, at: Date): Promise<Hold | undefined> {
  return (await reserveEach(tx, scope, [given], at))[0]
}

/** Reserves for many at once, judged in their order: answers of each its hold, or nothing. */
export async function reserveEach(
  tx: Tx,
  scope: Scope,
  given: NewHold[],
  at: Date,
): Promise<(Hold | undefined)[]> {
  const free = await lockAvailable(
    tx,
    scope,
    given.map(({ accountId }) => accountId),
  )
  const reserved = new Map<string, bigint>()
  const answers = given.map((wanted) => {
    const { accountId, amount } = wanted
    const taken = (reserved.get(accountId) ?? 0n) + amount
    if (taken > (free.get(accountId) ?? 0n)) return undefined
    reserved.set(accountId, taken)
    return newHold(wanted, at)
  })
  const holds = answers.filter((hold) => hold !== undefined)
  await writeHolds(tx, scope, holds)
  for (const [accountId, amount] of reserved) await moveHeld(tx, scope, accountId, amount)
  for (const hold of holds) if (hold.expiresAt) await scheduleExpiry(tx, scope, hold)
  return answers
}

const newHold = ({ accountId, amount, owner, expiresAt }: NewHold, at: Date): Hold => ({
  id: newId(at),
  accountId,
  amount,
  captured: 0n,
  released: 0n,
  owner,
  expiresAt: expiresAt ?? null,
  createdAt: at,
  updatedAt: at,
})

/** Where the captured money goes: credits that sum to it, each a line of its own. */
export type Capture = { reference: string; owners: OwnerRef[]; credits: Movement[] }

/**
 * Takes a part of what is held, or all of it, and posts it; the rest stays held. Refuses more than is held, and a hold
 * whose time is over.
 */
export async function capture(tx: Tx, scope: Scope, id: string, given: Capture, at: Date): Promise<Hold> {
  return (await captureEach(tx, scope, new Map([[id, given]]), at))[0]!
}

/** The same for many holds at once, by their ids: all of them, or it refuses. Answers them in order of their ids. */
export async function captureEach(
  tx: Tx,
  scope: Scope,
  captures: Map<string, Capture>,
  at: Date,
): Promise<Hold[]> {
  if (captures.size === 0) return []
  const holds = await lockHolds(tx, scope, [...captures.keys()])
  if (holds.length < captures.size) throw new Refusal('not_found')
  const captured = holds.map((hold) => capturedBy(hold, captures.get(hold.id)!, at))
  await writeHolds(tx, scope, captured)
  const postings = holds.map((hold) => postingOf(hold, captures.get(hold.id)!, at))
  const posted = await postEach(tx, scope, postings)
  if (!posted.every((isPosted) => isPosted)) throw new Error('money that was held was not there')
  return captured
}

function capturedBy(hold: Hold, { credits }: Capture, at: Date): Hold {
  const amount = credits.reduce((sum, credit) => sum + credit.amount, 0n)
  if (isOver(hold, at) || amount <= 0n || amount > remaining(hold)) throw new Refusal('state_conflict')
  return { ...hold, captured: hold.captured + amount, updatedAt: at }
}

/** Each credit has its debit beside it, so that a fee is told apart on both sides. */
function postingOf(hold: Hold, { reference, owners, credits }: Capture, at: Date): Posting {
  const movements = credits.flatMap((credit) => [
    { ...credit, accountId: hold.accountId, amount: -credit.amount, release: credit.amount },
    credit,
  ])
  return { reference, at, owners, movements }
}

/** Gives back what is still held; repeated, the same. Answers how much it was. */
export async function release(tx: Tx, scope: Scope, id: string, at: Date): Promise<bigint> {
  return releaseEach(tx, scope, [id], at)
}

/** The same for many holds at once. Answers how much it was in all. */
export async function releaseEach(tx: Tx, scope: Scope, ids: string[], at: Date): Promise<bigint> {
  const holds = await lockHolds(tx, scope, ids)
  if (holds.length < new Set(ids).size) throw new Refusal('not_found')
  const open = holds.filter((hold) => remaining(hold) > 0n)
  if (open.length === 0) return 0n
  await writeHolds(
    tx,
    scope,
    open.map((hold) => ({ ...hold, released: hold.released + remaining(hold), updatedAt: at })),
  )
  const freed = new Map<string, bigint>()
  for (const hold of open) freed.set(hold.accountId, (freed.get(hold.accountId) ?? 0n) + remaining(hold))
  for (const [accountId, amount] of [...freed].sort()) await moveHeld(tx, scope, accountId, -amount)
  return [...freed.values()].reduce((sum, amount) => sum + amount, 0n)
}

const remaining = ({ amount, captured, released }: Hold) => amount - captured - released
const isOver = ({ expiresAt }: Hold, at: Date) => expiresAt !== null && at >= expiresAt

/** The hold's time is over: what is left of it is free. */
export async function expireHold(tx: Tx, scope: Scope, id: string, at: Date): Promise<void> {
  const [hold] = await lockHolds(tx, scope, [id])
  if (!hold) return
  // Another node's clock may be a little ahead of this one's.
  if (isOver(hold, at)) await release(tx, scope, id, at)
  else await scheduleExpiry(tx, scope, hold)
}

const scheduleExpiry = (tx: Tx, scope: Scope, { id, expiresAt }: Hold) =>
  schedule(tx, expiresAt!, 'ledger.expire-hold', { ...scope, holdId: id })

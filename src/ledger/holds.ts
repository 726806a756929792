import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { schedule } from '../platform/jobs/queue.ts'
import { Refusal } from '../platform/refusals.ts'
import type { OwnerRef } from '../spaces/ownership.ts'
import { type Hold, insertHold, lockHold, updateHold } from './hold-store.ts'
import { type Movement, postEach } from './postings.ts'
import { moveHeld } from './store.ts'

export type { Hold } from './hold-store.ts'

/** What is reserved, of which account, for what. Minor units. */
export type NewHold = { accountId: string; amount: bigint; owner: OwnerRef; expiresAt?: Date }

/**
 * Reserves money of an account: it stays posted there, and nothing else can take it. Answers nothing when less than
 * that is available.
 */
export async function reserve(tx: Tx, scope: Scope, given: NewHold, at: Date): Promise<Hold | undefined> {
  const { accountId, amount, owner, expiresAt = null } = given
  if (!(await moveHeld(tx, scope, accountId, amount))) return undefined
  const hold: Hold = {
    id: newId(at),
    accountId,
    amount,
    captured: 0n,
    released: 0n,
    owner,
    expiresAt,
    createdAt: at,
    updatedAt: at,
  }
  await insertHold(tx, scope, hold)
  if (expiresAt) await scheduleExpiry(tx, scope, hold)
  return hold
}

/** Where the captured money goes: credits that sum to it, each a line of its own. */
export type Capture = { reference: string; owners: OwnerRef[]; credits: Movement[] }

/**
 * Takes a part of what is held, or all of it, and posts it; the rest stays held. Refuses more than is held, and a hold
 * whose time is over.
 */
export async function capture(
  tx: Tx,
  scope: Scope,
  id: string,
  { reference, owners, credits }: Capture,
  at: Date,
): Promise<Hold> {
  const hold = await openHold(tx, scope, id, at)
  const amount = credits.reduce((sum, credit) => sum + credit.amount, 0n)
  if (amount <= 0n || amount > remaining(hold)) throw new Refusal('state_conflict')
  const captured = { ...hold, captured: hold.captured + amount, updatedAt: at }
  await updateHold(tx, scope, captured)
  // Each credit has its debit beside it, so that a fee is told apart on both sides.
  const movements = credits.flatMap((credit) => [
    { ...credit, accountId: hold.accountId, amount: -credit.amount, release: credit.amount },
    credit,
  ])
  const [isPosted] = await postEach(tx, scope, [{ reference, at, owners, movements }])
  if (!isPosted) throw new Error('money that was held was not there')
  return captured
}

/** Gives back what is still held; repeated, the same. Answers how much it was. */
export async function release(tx: Tx, scope: Scope, id: string, at: Date): Promise<bigint> {
  const hold = await lockHold(tx, scope, id)
  if (!hold) throw new Refusal('not_found')
  const amount = remaining(hold)
  if (amount === 0n) return 0n
  await updateHold(tx, scope, { ...hold, released: hold.released + amount, updatedAt: at })
  await moveHeld(tx, scope, hold.accountId, -amount)
  return amount
}

async function openHold(tx: Tx, scope: Scope, id: string, at: Date): Promise<Hold> {
  const hold = await lockHold(tx, scope, id)
  if (!hold) throw new Refusal('not_found')
  if (isOver(hold, at)) throw new Refusal('state_conflict')
  return hold
}

const remaining = ({ amount, captured, released }: Hold) => amount - captured - released
const isOver = ({ expiresAt }: Hold, at: Date) => expiresAt !== null && at >= expiresAt

/** The hold's time is over: what is left of it is free. */
export async function expireHold(tx: Tx, scope: Scope, id: string, at: Date): Promise<void> {
  const hold = await lockHold(tx, scope, id)
  if (!hold) return
  // Another node's clock may be a little ahead of this one's.
  if (isOver(hold, at)) await release(tx, scope, id, at)
  else await scheduleExpiry(tx, scope, hold)
}

const scheduleExpiry = (tx: Tx, scope: Scope, { id, expiresAt }: Hold) =>
  schedule(tx, expiresAt!, 'ledger.expire-hold', { ...scope, holdId: id })

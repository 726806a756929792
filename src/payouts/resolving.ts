import { readNow, type Scope } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/refusals.ts'
import { type Decider, writeAuditEntry } from '../spaces/audit.ts'
import { countDelayed, type OpenPayout, selectOpenPayouts, selectScope } from './open-store.ts'
import { lockPayout, type Payout } from './payouts.ts'
import { completePayout, failPayout, scheduleSecondLook } from './settlement.ts'

export type { OpenPayout } from './open-store.ts'

/** What a person found out about a payout whose rail does not tell. */
export type Resolution = 'completed' | 'failed'

/** For so long the rail is asked, and nobody else decides. */
const resolvableAfterMs = 86_400_000

/**
 * Ends a payout as a person says who has seen what became of the money. The rail is asked once more, as after every
 * failure: should it say the opposite, that is a case.
 *
 * @throws Refusal `not_found`; `state_conflict` when it has ended, was not sent, or was sent within the last day
 */
export async function resolvePayout(
  tx: Tx,
  id: string,
  resolution: Resolution,
  decider: Decider,
): Promise<Payout> {
  const scope = await selectScope(tx, id)
  if (!scope) throw new Refusal('not_found', { message: 'There is no such payout.' })
  const payout = await lockPayout(tx, scope, id)
  const at = await readNow(tx, scope)
  refuseUnlessResolvable(payout, at)
  if (resolution === 'completed') await complete(tx, scope, id, at)
  else await failPayout(tx, scope, id, foundOutByHand, at)
  const object = { objectType: 'payout', objectId: id }
  const details = { as: resolution, railState: payout.railState }
  await writeAuditEntry(tx, scope, decider, { action: 'payout.resolve', ...object, details })
  return lockPayout(tx, scope, id)
}

const foundOutByHand = { code: 'unknown', message: 'The provider did not pay it out.' } as const

async function complete(tx: Tx, scope: Scope, id: string, at: Date): Promise<void> {
  await completePayout(tx, scope, id, { railTransaction: undefined }, at)
  await scheduleSecondLook(tx, scope, id, at)
}

function refuseUnlessResolvable({ status, submittedAt }: Payout, at: Date): void {
  if (status === 'completed' || status === 'failed') throw conflict(`This payout has ended: it is ${status}.`)
  if (!submittedAt) throw conflict('This payout was not sent yet; it can be cancelled.')
  const from = resolvableFrom({ submittedAt })
  if (at < from)
    throw conflict(
      `The provider is still being asked; this payout can be resolved from ${from.toISOString()} on, by the clock of its Space.`,
    )
}

const conflict = (message: string) => new Refusal('state_conflict', { message })

/** By the Space's clock. */
export const resolvableFrom = ({ submittedAt }: { submittedAt: Date }) =>
  new Date(submittedAt.getTime() + resolvableAfterMs)

const maxListed = 1_000

/** Payouts of every Space whose end is not known, those that were sent first at the front, at most a thousand. */
export const listUnknown = (db: Reader): Promise<OpenPayout[]> => selectOpenPayouts(db, maxListed)

const maxCounted = 10_000

/** How many payouts were told to be delayed and have no end yet, of every Space; counted to ten thousand. */
export const delayedPayouts = (db: Reader): Promise<number> => countDelayed(db, maxCounted)

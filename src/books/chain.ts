import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import { repeat, type StopRepeating } from '../platform/repeat.ts'
import { chainBooks, selectUnchained } from './chain-store.ts'

const everyMs = 1_000
const maxSpacesAtOnce = 1_000
/** What people wait for goes first: after each link the database is left alone for so many times as it took. */
const restFactor = 9
const maxRestMs = 1_000

/**
 * Chains what was committed, a link for each Space and environment about once a second. Any number of nodes may try; one
 * at a time adds to a Space's chain.
 */
export function startChaining(db: Database, log: Log): StopRepeating {
  return repeat(everyMs, log, () => chainAll(db, restFactor))
}

/** One link for each Space that waits; returns whether one of them has more. */
async function chainAll(db: Database, rest: number): Promise<boolean> {
  let isMore = false
  for (const scope of await selectUnchained(db, maxSpacesAtOnce)) {
    const startedAt = performance.now()
    if (await db.transaction((tx) => chainBooks(tx, scope))) isMore = true
    await sleep(Math.min(maxRestMs, rest * (performance.now() - startedAt)), undefined, { ref: false })
  }
  return isMore
}

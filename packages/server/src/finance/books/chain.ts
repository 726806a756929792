import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { type Rounds, type StopRepeating, startRounds } from '../../platform/repeat.ts'
import { unchainedChannel } from '../../tenants/spaces/audit.ts'
import { chainBooks, selectUnchained } from './chain-store.ts'

const gapMs = 1_000
/** Interval at which to look for work, in case a notification was missed. */
const everyMs = 5_000
const maxSpacesAtOnce = 1_000 // Spaces served by one round of chaining
/** Leaves capacity for users: after each link, chaining pauses for this many times as long as the link took. */
const pauseFactor = 9
const maxChainingPauseMs = 10_000 // longest pause in chaining after a link

/**
 * Extends each chain with what has been committed since its newest link, at about one link a second for each
 * Space and environment. Any number of nodes may run this, but only one at a time extends the chain of a given
 * Space.
 *
 * See docs/decisions/0061-hash-chain.md.
 */
export async function startChaining(db: Database, log: Log): Promise<StopRepeating> {
  const stopping = new AbortController()
  let rounds: Rounds | undefined
  const stopHearing = await db.onWake(unchainedChannel, () => rounds?.wake())
  rounds = startRounds({ everyMs, gapMs, log }, () => chainAll(db, log, stopping.signal))
  return () => {
    stopping.abort()
    stopHearing()
    return rounds.stop()
  }
}

/**
 * Adds one link for each waiting Space. Returns whether any of them has more to chain. A failure in one Space
 * does not delay the others.
 */
async function chainAll(db: Database, log: Log, signal: AbortSignal): Promise<boolean> {
  let isMore = false
  for (const scope of await selectUnchained(db, maxSpacesAtOnce)) {
    if (signal.aborted) return false
    const startedAt = performance.now()
    try {
      if (await db.transaction((tx) => chainBooks(tx, scope))) isMore = true
    } catch (err) {
      log.error({ err, ...scope }, 'failed to extend the chain of a Space; will retry')
    }
    await pauseChaining(Math.min(maxChainingPauseMs, pauseFactor * (performance.now() - startedAt)), signal)
  }
  return isMore
}

/** Waits for a number of milliseconds, but returns early if the node stops. */
const pauseChaining = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { ref: false, signal }).catch((error) => {
    if (!signal.aborted) throw error
  })

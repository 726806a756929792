import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import { type Rounds, type StopRepeating, startRounds } from '../platform/repeat.ts'
import { unchainedChannel } from '../spaces/audit.ts'
import { chainBooks, selectUnchained } from './chain-store.ts'

const gapMs = 1_000
/** What no wake announced. */
const everyMs = 5_000
const maxSpacesAtOnce = 1_000 // limit: Spaces that one round of chaining serves
/** What people wait for goes first: after each link the database is left alone for so many times as it took. */
const restFactor = 9
const maxRestMs = 10_000 // limit: time that chaining leaves the database alone after a link

/**
 * Chains what was committed, a link for each Space and environment about once a second. Any number of nodes may try; one
 * at a time adds to a Space's chain.
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

/** One link for each Space that waits; returns whether one of them has more. One that fails holds up no other. */
async function chainAll(db: Database, log: Log, signal: AbortSignal): Promise<boolean> {
  let isMore = false
  for (const scope of await selectUnchained(db, maxSpacesAtOnce)) {
    if (signal.aborted) return false
    const startedAt = performance.now()
    try {
      if (await db.transaction((tx) => chainBooks(tx, scope))) isMore = true
    } catch (err) {
      log.error({ err, ...scope }, 'what a Space committed could not be chained; it is tried again')
    }
    await rest(Math.min(maxRestMs, restFactor * (performance.now() - startedAt)), signal)
  }
  return isMore
}

/** Ends early when the node stops. */
const rest = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { ref: false, signal }).catch((error) => {
    if (!signal.aborted) throw error
  })

import type { Database } from '../platform/db/database.ts'
import type { Sql } from '../platform/db/sql.ts'
import type { Log } from '../platform/log.ts'
import { type Rounds, type StopRepeating, startRounds } from '../platform/repeat.ts'
import { unchainedChannel } from '../spaces/audit.ts'
import { factsChannel } from './events.ts'
import { isDatabaseBusy, keepPosition, keepState, lockState, lookForWork } from './sequence-store.ts'
import { createPace, maxRowsOfRound, type RoundLimits } from './sequencer-pace.ts'
import { tellBacklog, tellFresh } from './telling-store.ts'

/** Where nodes hear of new events, of `<environment> <Space>`. */
export const eventsChannel = 'events'

/** Facts that come within so long are published together. */
const lookGapMs = 25
/** What no wake announced: facts of a node that died, or that were written by hand. */
const lookEveryMs = 1_000
/** To meet a fact is quick: however much one Space writes, the others' facts behind it are soon reached. */
const factsMetForEachRow = 4

/**
 * Gives events their place in the sequence, after the commit of their fact: a reader never sees n + 1 before n, and a
 * slow transaction holds up nobody. Any number of nodes may try; one at a time does. `postedLines`: what the ledger says
 * that is told of a posting.
 */
export async function startSequencer(db: Database, postedLines: Sql, log: Log): Promise<StopRepeating> {
  const pace = createPace()
  let rounds: Rounds | undefined
  const stopHearing = await db.onWake(factsChannel, () => rounds?.wake())
  rounds = startRounds({ everyMs: lookEveryMs, gapMs: lookGapMs, log }, async () => {
    let isBehind = false
    const isMore = await pace.round(async (limits) => {
      const telling = await tellNext(db, postedLines, limits)
      isBehind = telling.isBehind
      return telling
    })
    return isMore || (isBehind ? lookGapMs : false)
  })
  return () => {
    stopHearing()
    return rounds.stop()
  }
}

/**
 * `isMore`: there is more to tell. `isBehind`: there may be in a moment, as when the backlog has rested. `isBusy`: others were at work
 * in the database while the backlog was told.
 */
export type Telling = { isMore: boolean; isBehind: boolean; isBusy: boolean }

/** Tells what waits, up to a limit: first what is new, and of the backlog once all that is new is met. */
export async function tellNext(
  db: Database,
  postedLines: Sql,
  { maxRows, isBacklogResting }: RoundLimits = { maxRows: maxRowsOfRound, isBacklogResting: false },
): Promise<Telling> {
  const look = await lookForWork(db)
  const nothingToDo = { isMore: false, isBehind: look.isBacklogWaiting, isBusy: false }
  const isBacklogsTurn = look.isBacklogWaiting && !isBacklogResting
  if (!look.isFresh && !isBacklogsTurn) return nothingToDo
  return db.transaction(async (tx) => {
    const state = await lockState(tx)
    if (!state) return nothingToDo
    const maxFacts = maxRows * factsMetForEachRow
    const fresh = look.isFresh ? await tellFresh(tx, state, postedLines, maxFacts, maxRows) : undefined
    const isAllMet = !fresh || fresh.facts < maxFacts
    if (fresh) await keepState(tx, look, state, fresh, isAllMet)
    const position = state.position + (fresh?.events ?? 0n)
    const behind =
      isBacklogsTurn && isAllMet ? await tellBacklog(tx, position, postedLines, maxRows) : undefined
    if (behind) await keepPosition(tx, position + behind.events)
    const scopes = new Set([...(fresh?.scopes ?? []), ...(behind?.scopes ?? [])])
    for (const scope of scopes) tx.wake(eventsChannel, scope)
    if (scopes.size > 0) tx.wake(unchainedChannel)
    return {
      isMore: !isAllMet || isBacklogsTurn || (fresh !== undefined && fresh.putOff > 0 && !isBacklogResting),
      // What was told now can be settled in the next round.
      isBehind: look.isBacklogWaiting || (fresh !== undefined && fresh.facts > 0),
      isBusy: behind !== undefined && (await isDatabaseBusy(tx)),
    }
  })
}

import type { Database, Tx } from '../platform/db/database.ts'
import type { Sql } from '../platform/db/sql.ts'
import type { Log } from '../platform/log.ts'
import { type Rounds, type StopRepeating, startRounds } from '../platform/repeat.ts'
import { unchainedChannel } from '../spaces/audit.ts'
import { factsChannel } from './events.ts'
import { createPace, maxRowsOfRound, type RoundLimits } from './sequencer-pace.ts'
import { isDatabaseBusy, lockState, pollSequencer, savePosition, saveState } from './sequencer-state-store.ts'
import { sequenceBacklog, sequenceFresh } from './sequencing-store.ts'

/** Wakes nodes when there are new events, of `<environment> <Space>`. */
export const eventsChannel = 'events'

/** Facts that come within so long are sequenced together. */
const pollGapMs = 25
/** Finds what no wake announced: facts of a node that died, or that were written by hand. */
const pollEveryMs = 1_000
/** A round that takes longer fails and is tried again with half of it: what it holds up is every Space's events. */
const roundStatementTimeoutMs = 2_000 // limit: time that a statement of the sequencer takes

/** Reading a fact is quick: however much one Space writes, the others' facts behind it are soon reached. */
const factsReadPerRow = 4 // limit: facts that the sequencer reads for each row that it writes

/**
 * Gives events their place in the sequence, after the commit of their fact: a reader never sees n + 1 before n, and a
 * slow transaction holds up nobody. Any number of nodes may try; one at a time does. `postedLines`: the lines of a
 * posting that have events, which the ledger knows.
 */
export async function startSequencer(db: Database, postedLines: Sql, log: Log): Promise<StopRepeating> {
  const pace = createPace()
  let rounds: Rounds | undefined
  const stopListening = await db.onWake(factsChannel, () => rounds?.wake())
  rounds = startRounds({ everyMs: pollEveryMs, gapMs: pollGapMs, log }, async () => {
    const { isMore, isMoreSoon } = await pace.round((limits) => sequenceNext(db, postedLines, limits))
    return isMore || (isMoreSoon && pollGapMs)
  })
  return () => {
    stopListening()
    return rounds.stop()
  }
}

/** Sequences what waits, up to a limit: first what is new, then of the backlog once nothing new is left. */
export async function sequenceNext(
  db: Database,
  postedLines: Sql,
  { maxRows, isBacklogResting }: RoundLimits = { maxRows: maxRowsOfRound, isBacklogResting: false },
) {
  const poll = await pollSequencer(db)
  const nothingToDo = { isMore: false, isMoreSoon: poll.isBacklogWaiting, isBusy: false }
  const isBacklogsTurn = poll.isBacklogWaiting && !isBacklogResting
  if (!poll.isFresh && !isBacklogsTurn) return nothingToDo
  const sequence = async (tx: Tx) => {
    const state = await lockState(tx)
    if (!state) return nothingToDo
    const maxFacts = maxRows * factsReadPerRow
    const fresh = poll.isFresh ? await sequenceFresh(tx, state, postedLines, maxFacts, maxRows) : undefined
    const isAllRead = !fresh || fresh.facts < maxFacts
    if (fresh) await saveState(tx, poll, state, fresh, isAllRead)
    const position = state.position + (fresh?.events ?? 0n)
    const backlog =
      isBacklogsTurn && isAllRead ? await sequenceBacklog(tx, position, postedLines, maxRows) : undefined
    if (backlog) await savePosition(tx, position + backlog.events)
    const scopes = new Set([...(fresh?.scopes ?? []), ...(backlog?.scopes ?? [])])
    for (const scope of scopes) tx.wake(eventsChannel, scope)
    if (scopes.size > 0) tx.wake(unchainedChannel)
    return {
      isMore: !isAllRead || isBacklogsTurn || (fresh !== undefined && fresh.putOff > 0 && !isBacklogResting),
      // As when the backlog has rested, or what was sequenced now can be settled.
      isMoreSoon: poll.isBacklogWaiting || (fresh !== undefined && fresh.facts > 0),
      isBusy: backlog !== undefined && (await isDatabaseBusy(tx)),
    }
  }
  // After a restore a round goes through all that has been sequenced, and smaller rounds do not make that shorter.
  return db.transaction(sequence, poll.isRestored ? {} : { statementTimeoutMs: roundStatementTimeoutMs })
}

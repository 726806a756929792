import type { Database, Tx } from '../platform/db/database.ts'
import type { Sql } from '../platform/db/sql.ts'
import type { Log } from '../platform/log.ts'
import { type Rounds, type StopRepeating, startRounds } from '../platform/repeat.ts'
import { unchainedChannel } from '../spaces/audit.ts'
import { factsChannel } from './events.ts'
import { createPace, maxRowsOfRound, type RoundLimits } from './sequencer-pace.ts'
import { isDatabaseBusy, lockState, pollSequencer, savePosition, saveState } from './sequencer-state-store.ts'
import { sequenceBacklog, sequenceFresh } from './sequencing-store.ts'

/** Wakes nodes when there are new events; the payload is `<environment> <Space>`. */
export const eventsChannel = 'events'

/** Facts that arrive within this time are sequenced together. */
const pollGapMs = 25
/** Catches facts without a notification: from a node that died, or written manually. */
const pollEveryMs = 1_000
/** A longer round fails and is retried with half the rows, because it delays the events of every Space. */
const roundStatementTimeoutMs = 2_000

/** Reading facts is cheap, so facts of other Spaces behind a busy Space are reached soon. */
const factsReadPerRow = 4

/**
 * Assigns events their position after their fact's commit: readers never see n + 1 before n, and a slow
 * transaction delays no others. Any number of nodes may call this; one runs at a time. `postedLines`: SQL for
 * the lines of a posting that have events, from the ledger.
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

/**
 * Sequences waiting facts up to a limit: new ones first, then the backlog.
 *
 * See docs/decisions/0026-events-after-the-commit.md.
 */
export async function sequenceNext(
  db: Database,
  postedLines: Sql,
  { maxRows, isBacklogPaused }: RoundLimits = { maxRows: maxRowsOfRound, isBacklogPaused: false },
) {
  const poll = await pollSequencer(db)
  const nothingToDo = { isMore: false, isMoreSoon: poll.isBacklogWaiting, isBusy: false }
  const isBacklogsTurn = poll.isBacklogWaiting && !isBacklogPaused
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
      isMore:
        !isAllRead || isBacklogsTurn || (fresh !== undefined && fresh.postponed > 0 && !isBacklogPaused),
      // For example, the backlog's pause has ended, or these facts can be settled.
      isMoreSoon: poll.isBacklogWaiting || (fresh !== undefined && fresh.facts > 0),
      isBusy: backlog !== undefined && (await isDatabaseBusy(tx)),
    }
  }
  // After a restore, a round scans everything already sequenced; smaller rounds would not be faster.
  return db.transaction(sequence, poll.isRestored ? {} : { statementTimeoutMs: roundStatementTimeoutMs })
}

import type { Database, Tx } from '../platform/db/database.ts'
import type { Sql } from '../platform/db/sql.ts'
import type { Log } from '../platform/log.ts'
import { type Rounds, type StopRepeating, startRounds } from '../platform/repeat.ts'
import { unchainedChannel } from '../tenants/spaces/audit.ts'
import { factsChannel } from './events.ts'
import { createPace, maxRowsOfRound, type RoundLimits } from './sequencer-pace.ts'
import { isDatabaseBusy, lockState, pollSequencer, savePosition, saveState } from './sequencer-state-store.ts'
import { sequenceBacklog, sequenceFresh } from './sequencing-store.ts'

/** The channel that wakes nodes when there are new events. The payload is `<environment> <Space>`. */
export const eventsChannel = 'events'
/** The channel that wakes dispatchers when deliveries may be due. The payload is `<environment> <Space>`. */
export const deliveriesChannel = 'deliveries'

/** Facts that arrive within this time are sequenced together. */
const pollGapMs = 25
/**
 * At this interval, the sequencer looks for facts for which there was no notification: those of a node that
 * died, and those inserted by hand.
 */
const pollEveryMs = 1_000
/**
 * If a round takes longer than this, it fails and is retried with half the rows, because a long round would
 * delay the events of every Space.
 */
const roundStatementTimeoutMs = 2_000

/**
 * Starts the sequencer, which assigns positions to events after their facts have been committed. Readers
 * therefore never see event n + 1 before event n, and a slow transaction does not delay the events of other
 * transactions. Any number of nodes may start a sequencer, but only one of them runs a round at a time.
 * `postedLines` is SQL, supplied by the ledger, for the lines of a posting that have events.
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
 * Sequences waiting facts up to a limit. New facts come first, followed by the backlog.
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
    const fresh = poll.isFresh ? await sequenceFresh(tx, state, postedLines, maxRows) : undefined
    const isAllRead = fresh?.isAllRead ?? true
    if (fresh) saveState(tx, poll, state, fresh)
    const position = state.position + (fresh?.events ?? 0n)
    const backlog =
      isBacklogsTurn && isAllRead ? await sequenceBacklog(tx, position, postedLines, maxRows) : undefined
    if (backlog) savePosition(tx, position + backlog.events)
    const results = [fresh, backlog].filter((result) => result !== undefined)
    const scopes = new Set(results.flatMap((result) => result.scopes))
    for (const scope of scopes) tx.wake(eventsChannel, scope)
    for (const scope of new Set(results.flatMap((result) => result.receivers)))
      tx.wake(deliveriesChannel, scope)
    if (scopes.size > 0) tx.wake(unchainedChannel)
    return {
      isMore:
        !isAllRead || isBacklogsTurn || (fresh !== undefined && fresh.postponed > 0 && !isBacklogPaused),
      // There may be more to do soon: the backlog once its pause has ended, or these facts once they can be
      // settled.
      isMoreSoon: poll.isBacklogWaiting || (fresh !== undefined && fresh.facts > 0),
      isBusy: backlog !== undefined && (await isDatabaseBusy(tx)),
    }
  }
  // After a restore, a round scans everything that has already been sequenced, so a smaller round would not be
  // faster.
  return db.transaction(sequence, poll.isRestored ? {} : { statementTimeoutMs: roundStatementTimeoutMs })
}

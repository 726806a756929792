/** Limits of one round. */
export type RoundLimits = {
  /** Approximate number of rows to write: events and their deliveries. A round processes at least one fact. */
  maxRows: number
  /** Skips the backlog in this round. */
  isBacklogPaused: boolean
}

export const maxRowsOfRound = 8_000 // events and deliveries that the sequencer writes in one transaction, about
/**
 * Start value of a node, which does not know what is waiting. If so few rows take long, the cause is elsewhere;
 * only failures shrink rounds further.
 */
const fewRows = 1_000
/** Target duration of a round, which is how long new facts wait. */
const targetMs = 100

/**
 * `isMore`: the round left work. `isBusy`: the database was busy with other work while the round processed the
 * backlog.
 */
type RoundEnd = { isMore: boolean; isBusy: boolean }

/**
 * Controls the size of the sequencer's rounds: starts small and doubles after each quick round that left work.
 * A round that fails, for example by statement timeout, is retried with half the rows; so is a slow one, down
 * to a single fact, which always fits. While the database is busy, the backlog pauses after each of its rounds
 * for as long as it took, so that it uses at most half of the time.
 */
export function createPace(nowMs: () => number = () => performance.now()) {
  let maxRows = fewRows
  let restUntilMs = 0
  const halve = () => {
    maxRows = Math.max(1, Math.trunc(maxRows / 2))
  }
  return {
    /** Runs and times a round. */
    async round<End extends RoundEnd>(work: (limits: RoundLimits) => Promise<End>): Promise<End> {
      const startedMs = nowMs()
      const isBacklogPaused = startedMs < restUntilMs
      try {
        const end = await work({ maxRows, isBacklogPaused })
        const tookMs = nowMs() - startedMs
        // A round that ran out of work says nothing about the right size.
        if (end.isMore && tookMs > 2 * targetMs && maxRows > fewRows) halve()
        else if (end.isMore && tookMs < targetMs) maxRows = Math.min(maxRowsOfRound, 2 * maxRows)
        if (end.isBusy) restUntilMs = nowMs() + tookMs
        return end
      } catch (error) {
        halve()
        throw error
      }
    },
  }
}

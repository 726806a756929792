/** The limits of one round of the sequencer. */
export type RoundLimits = {
  /** Approximate number of rows (events and their deliveries) to write. A round processes at least one fact. */
  maxRows: number
  /** True if this round must skip the backlog. */
  isBacklogPaused: boolean
}

export const maxRowsOfRound = 8_000 // approximate number of events and deliveries that the sequencer writes in one transaction
/**
 * Number of rows in the first round. It is small, because a node does not know how much is waiting. If a round
 * with so few rows takes long, the number of rows is not the cause. Rounds therefore become smaller than this
 * only after failures.
 */
const fewRows = 1_000
/** Target duration of a round. New facts also have to wait for about this long. */
const targetMs = 100

/**
 * `isMore` is true if the round left work undone. `isBusy` is true if the database was busy with other work
 * while the round processed the backlog.
 */
type RoundEnd = { isMore: boolean; isBusy: boolean }

/**
 * Controls the size of the sequencer's rounds. The size starts small and is doubled after each quick round that
 * left work undone. After a failed round, for example because of a statement timeout, it is halved, down to a
 * single fact, which always fits. It is halved after a slow round as well. While the database is busy, the
 * backlog pauses after each round for as long as the round took, so that it uses at most half of the time.
 */
export function createPace(nowMs: () => number = () => performance.now()) {
  let maxRows = fewRows
  let restUntilMs = 0
  const halve = () => {
    maxRows = Math.max(1, Math.trunc(maxRows / 2))
  }
  return {
    /** Runs a round, and adapts the size of the next one to its duration. */
    async round<End extends RoundEnd>(work: (limits: RoundLimits) => Promise<End>): Promise<End> {
      const startedMs = nowMs()
      const isBacklogPaused = startedMs < restUntilMs
      try {
        const end = await work({ maxRows, isBacklogPaused })
        const tookMs = nowMs() - startedMs
        // If a round processed everything that was waiting, its duration says nothing about a suitable size.
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

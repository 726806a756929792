/** What a round may do. */
export type RoundLimits = {
  /** Rows written, about: events, and deliveries of them. A round does one fact at least. */
  maxRows: number
  /** The backlog is left alone in this round. */
  isBacklogResting: boolean
}

export const maxRowsOfRound = 8_000 // limit: events and deliveries that the sequencer writes in one transaction, about
/** Where a round of so many takes long that is not for its size: only one that fails makes smaller ones. */
const fewRows = 1_000
/** What a round is to take: what is new at its beginning waits so long. */
const wantedMs = 100

export type Pace = {
  /** Does a round, measures it, and returns whether there is more to do at once. */
  round(work: (limits: RoundLimits) => Promise<{ isMore: boolean; isBusy: boolean }>): Promise<boolean>
}

/**
 * How much the sequencer does at once. A round that fails, as when it takes longer than a statement may, is tried again
 * with half of it, and so is what takes long; down to a single fact, which always fits. While others are at work the
 * backlog rests after each of its rounds for as long as that took, so that telling it takes half of the time at most.
 */
export function createPace(nowMs: () => number = () => performance.now()): Pace {
  let maxRows = maxRowsOfRound
  let restUntilMs = 0
  const halve = () => {
    maxRows = Math.max(1, Math.trunc(maxRows / 2))
  }
  return {
    async round(work) {
      const startedMs = nowMs()
      const isBacklogResting = startedMs < restUntilMs
      try {
        const { isMore, isBusy } = await work({ maxRows, isBacklogResting })
        const tookMs = nowMs() - startedMs
        if (isMore && tookMs > 2 * wantedMs && maxRows > fewRows) halve()
        else if (tookMs < wantedMs) maxRows = Math.min(maxRowsOfRound, 2 * maxRows)
        if (isBusy) restUntilMs = nowMs() + tookMs
        return isMore
      } catch (error) {
        halve()
        throw error
      }
    },
  }
}

/** What a round may do. */
export type RoundLimits = {
  /** Rows written, about: events, and deliveries of them. A round does one fact at least. */
  maxRows: number
  /** The backlog is left alone in this round. */
  isBacklogResting: boolean
}

export const maxRowsOfRound = 8_000 // limit: events and deliveries that the sequencer writes in one transaction, about
/**
 * A round of so few that takes long does so for another reason: only a failure makes rounds smaller still. A node begins
 * with so many: nobody knows what waits for it.
 */
const fewRows = 1_000
/** The time that a round should take: facts that come meanwhile wait so long. */
const targetMs = 100

/** `isMore`: the round left work. `isBusy`: others were at work in the database while it did some of the backlog. */
type RoundEnd = { isMore: boolean; isBusy: boolean }

/**
 * How much the sequencer does at once: little at first, and twice as much after each round that was quick and left work. A
 * round that fails, as when it takes longer than its statement may, is tried again with half the rows, and so is one that
 * takes long; down to a single fact, which always fits. While others are at work the backlog rests after each of its
 * rounds for as long as that took, and so takes half of the time at most.
 */
export function createPace(nowMs: () => number = () => performance.now()) {
  let maxRows = fewRows
  let restUntilMs = 0
  const halve = () => {
    maxRows = Math.max(1, Math.trunc(maxRows / 2))
  }
  return {
    /** Does a round and measures it. */
    async round<End extends RoundEnd>(work: (limits: RoundLimits) => Promise<End>): Promise<End> {
      const startedMs = nowMs()
      const isBacklogResting = startedMs < restUntilMs
      try {
        const end = await work({ maxRows, isBacklogResting })
        const tookMs = nowMs() - startedMs
        // One that had less to do than it might says nothing about how much is too much.
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

import { createCache } from '../../platform/cache.ts'

/** A run of failures ends with a success, or when the next failure comes so much later. */
const runEndsAfterMs = 60_000 // limit: time between two failures of an endpoint that count as in a row
const maxRuns = 10_000 // limit: endpoints whose failures in a row one node counts

export type FailureRuns = ReturnType<typeof createFailureRuns>

/** Counts the failures in a row of endpoints that this node sends to, whichever lane had them. Times are the Space's. */
export function createFailureRuns() {
  const runs = createCache<string, { failures: number; lastAt: Date }>({ max: maxRuns })
  const lengthOf = (webhookId: string, now: Date) => {
    const run = runs.get(webhookId)
    return run && now.getTime() - run.lastAt.getTime() < runEndsAfterMs ? run.failures : 0
  }
  return {
    lengthOf,
    count: (webhookId: string, now: Date) =>
      void runs.set(webhookId, { failures: lengthOf(webhookId, now) + 1, lastAt: now }),
    end: (webhookId: string) => void runs.delete(webhookId),
  }
}

import { createCache } from '../../platform/cache.ts'

/** A run of consecutive failures ends when an attempt succeeds, or when no failure occurs for this long. */
const runEndsAfterMs = 60_000 // time within which two failures of an endpoint count as consecutive
const maxRuns = 10_000 // endpoints whose consecutive failures are counted on one node

export type FailureRuns = ReturnType<typeof createFailureRuns>

/**
 * Counts the consecutive failures of each endpoint on this node, across workers. Times are by the Space's
 * clock.
 */
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

import { selectSequencerProgress } from './events/waiting-store.ts'
import { selectOldestJob } from './platform/jobs/queue.ts'
import type { Platform } from './platform/platform.ts'
import { repeat, type StopRepeating } from './platform/repeat.ts'

const stallLimitMs = 60_000 // limit: time without progress after which waiting work counts as a stall
const pollsInLimit = 6

/**
 * Text that describes the waiting work and changes whenever there is progress; `undefined` if nothing is
 * waiting.
 */
type Waiting = string | undefined

/**
 * Watches for stalls. In a stall, events are waiting but no node publishes any, or jobs are waiting but no node
 * claims any. This node should do that work, so during a stall it reports that it is not ready, and gives the
 * reason. Even a long backlog is not a stall as long as there is progress.
 *
 * @param jobs names of the jobs to watch
 */
export function watchStalls(
  { db, log, readiness }: Platform,
  jobs: string[],
  limitMs = stallLimitMs,
): StopRepeating {
  const subjects: [string, string, () => Promise<Waiting>][] = [
    ['events', 'events are waiting, but none has been published', () => selectSequencerProgress(db)],
    [
      'jobs',
      'jobs are waiting, but none has been claimed',
      async () => (await selectOldestJob(db, jobs))?.id,
    ],
  ]
  const watches = subjects.map(([subject, trouble, selectWaiting]) => {
    const watch = createWatch(limitMs)
    let wasStalled = false
    return async () => {
      const isStalled = watch(await selectWaiting(), performance.now())
      if (isStalled && !wasStalled) log.error({ subject }, trouble)
      wasStalled = isStalled
      readiness.note(subject, isStalled ? `${trouble} for ${limitMs / 1000} s` : undefined)
    }
  })
  return repeat(limitMs / pollsInLimit, log, async () => {
    for (const watch of watches) await watch()
  })
}

/** Returns a function that returns whether the waiting work has made no progress for longer than the limit. */
function createWatch(limitMs: number): (waiting: Waiting, nowMs: number) => boolean {
  let last: Waiting
  let sinceMs = 0
  return (waiting, nowMs) => {
    if (waiting !== last) [last, sinceMs] = [waiting, nowMs]
    return waiting !== undefined && nowMs - sinceMs >= limitMs
  }
}

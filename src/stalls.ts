import { sequencerProgress } from './events/waiting.ts'
import { selectOldestJob } from './platform/jobs/queue.ts'
import type { Platform } from './platform/platform.ts'
import { repeat, type StopRepeating } from './platform/repeat.ts'

const stallLimitMs = 60_000 // limit: time until what waits and does not move is a stall
const pollsInLimit = 6

/** What waits, as text that differs once something of it has moved; nothing when nothing waits. */
type Waiting = string | undefined

/**
 * Notices when events wait and none is sequenced, and when jobs wait and none is claimed, by whichever node: then this
 * one, which should work, is not ready, and says why. A backlog that moves is no stall, however long. `jobs`: names.
 */
export function watchStalls(
  { db, log, readiness }: Platform,
  jobs: string[],
  limitMs = stallLimitMs,
): StopRepeating {
  const subjects: [string, string, () => Promise<Waiting>][] = [
    ['events', 'events wait and none is published', () => sequencerProgress(db)],
    ['jobs', 'jobs wait and none is claimed', async () => (await selectOldestJob(db, jobs))?.id],
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

/** Returns whether the same has been waiting for so long. */
function createWatch(limitMs: number): (waiting: Waiting, nowMs: number) => boolean {
  let last: Waiting
  let sinceMs = 0
  return (waiting, nowMs) => {
    if (waiting !== last) [last, sinceMs] = [waiting, nowMs]
    return waiting !== undefined && nowMs - sinceMs >= limitMs
  }
}

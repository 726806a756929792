import { sequencerProgress } from './events/waiting.ts'
import { selectOldestJob } from './platform/jobs/queue.ts'
import type { Platform } from './platform/platform.ts'
import { repeat, type StopRepeating } from './platform/repeat.ts'

const stallLimitMs = 60_000 // limit: time until what waits and does not move is a stall
const looksInLimit = 6

/** What waits, as text that differs once something of it has moved; nothing when nothing waits. */
type Waiting = string | undefined

/**
 * Notices when facts wait and none is told, and when jobs wait and none is taken, by whichever node: then this one, which
 * should work, is not ready, and says why. A backlog that moves is no stall, however long it is. `jobs`: their names.
 */
export function watchStalls(
  { db, log, readiness }: Platform,
  jobs: string[],
  limitMs = stallLimitMs,
): StopRepeating {
  const subjects: [string, string, () => Promise<Waiting>][] = [
    ['events', 'events wait and none is told', () => sequencerProgress(db)],
    ['jobs', 'jobs wait and none is taken', async () => (await selectOldestJob(db, jobs))?.id],
  ]
  const watches = subjects.map(([subject, trouble, look]) => {
    const watch = createWatch(limitMs)
    let wasStalled = false
    return async () => {
      const isStalled = watch(await look(), performance.now())
      if (isStalled && !wasStalled) log.error({ subject }, trouble)
      wasStalled = isStalled
      readiness.note(subject, isStalled ? `${trouble} for ${limitMs / 1000} s` : undefined)
    }
  })
  return repeat(limitMs / looksInLimit, log, async () => {
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

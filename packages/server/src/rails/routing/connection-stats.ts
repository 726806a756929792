import type { ConnectionQueue } from '@pesewa/connector-kit'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { repeat } from '../../platform/repeat.ts'
import { addCounts, type Counts, deleteOldCounts, type StatsKey } from './store.ts'

const writeEveryMs = 5_000 // maximum time until a node's connection stats appear in the operator’s list

/** Upper bounds of the call duration buckets, in milliseconds. The last bucket has no upper bound. */
export const callRangesMs = [50, 100, 200, 350, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000]

/**
 * This node's connection stats, which are written to the database every five seconds. If the node crashes, some
 * counts are lost, but records of money are not affected.
 */
export type ConnectionStats = {
  /** Counts a payment, payout or refund that has reached its outcome. */
  countEnd(queue: ConnectionQueue, isSuccess: boolean): void
  /** Counts the duration of a submit. */
  countCall(queue: ConnectionQueue, ms: number): void
  /** Records that a report was received from the rail. */
  noteReport(queue: ConnectionQueue): void
  /** Writes the stats that have not been written yet, and then stops. */
  stop(): Promise<void>
}

export function openConnectionStats({ db, log }: { db: Database; log: Log }): ConnectionStats {
  let counts = new Map<string, Counts>()
  const write = async () => {
    if (counts.size === 0) return
    const counted = [...counts.values()]
    counts = new Map()
    await db.transaction(async (tx) => {
      for (const each of counted) await addCounts(tx, each)
      await deleteOldCounts(tx)
    })
  }
  const countsOf = (queue: ConnectionQueue): Counts => {
    const key = keyOf(queue)
    const name = Object.values(key).join(' ')
    const kept = counts.get(name) ?? { ...key, ...nothingYet() }
    counts.set(name, kept)
    return kept
  }
  const stopWriting = repeat(writeEveryMs, log, write)
  return {
    countEnd(queue, isSuccess) {
      countsOf(queue)[isSuccess ? 'succeeded' : 'failed']++
    },
    countCall(queue, ms) {
      const { calls } = countsOf(queue)
      const range = callRangesMs.findIndex((endMs) => ms <= endMs)
      const place = range < 0 ? callRangesMs.length : range
      calls[place] = (calls[place] ?? 0) + 1
    },
    noteReport(queue) {
      countsOf(queue).hasReported = true
    },
    async stop() {
      await stopWriting()
      await write().catch((err) => log.warn({ err }, 'failed to write connection stats at shutdown'))
    },
  }
}

const keyOf = ({ environment, connection, providerId, kind }: ConnectionQueue): StatsKey => ({
  environment,
  connection,
  providerId,
  direction: kind === 'collect' ? 'collect' : 'pay_out',
})

const nothingYet = () => ({
  succeeded: 0,
  failed: 0,
  calls: new Array<number>(callRangesMs.length + 1).fill(0),
  hasReported: false,
})

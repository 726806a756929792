import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { realNow } from '../../platform/db/real-time.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Log } from '../../platform/log.ts'
import { repeat } from '../../platform/repeat.ts'
import type { Environment } from '../../platform/scope.ts'
import type { ConnectionQueue } from '../connections/queues.ts'
import type { PauseDirection } from './pauses.ts'

const writeEveryMs = 5_000 // maximum time until a node's connection stats appear in the operator’s list
const keptDays = 2

/** Upper bounds of the call duration buckets, in milliseconds. The last bucket has no upper bound. */
export const callRangesMs = [50, 100, 200, 350, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000]

/** Stats are kept separately for each direction of a provider's connection. */
export type StatsKey = {
  environment: Environment
  connection: string
  providerId: string
  direction: PauseDirection
}

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

type Counts = StatsKey & { succeeded: number; failed: number; calls: number[]; hasReported: boolean }

export function openConnectionStats({ db, log }: { db: Database; log: Log }): ConnectionStats {
  let counts = new Map<string, Counts>()
  const write = async () => {
    if (counts.size === 0) return
    const counted = [...counts.values()]
    counts = new Map()
    await db.transaction(async (tx) => {
      for (const each of counted) await addCounts(tx, each)
      await tx.run(sql`
        delete from connection_stats where begun_at < ${realNow} - ${keptDays}::int * interval '1 day'`)
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

const addCounts = (
  tx: Tx,
  { environment, connection, providerId, direction, succeeded, failed, calls, hasReported }: Counts,
) =>
  tx.run(sql`
    insert into connection_stats as kept
      (environment, connection, provider_id, direction, begun_at, succeeded, failed, calls, reported_at)
    values (${environment}, ${connection}, ${providerId}, ${direction},
      date_bin('10 minutes', ${realNow}, timestamptz '2000-01-01 00:00+00'), ${succeeded}, ${failed}, ${calls}::int[],
      case when ${hasReported} then ${realNow} end)
    on conflict (environment, connection, provider_id, direction, begun_at) do update
    set succeeded = kept.succeeded + excluded.succeeded, failed = kept.failed + excluded.failed,
      calls = array(
        select coalesce(one, 0) + coalesce(other, 0)
        from unnest(kept.calls, excluded.calls) with ordinality both_calls (one, other, nth) order by nth),
      reported_at = coalesce(excluded.reported_at, kept.reported_at)`)

export type ConnectionStatsRow = StatsKey & {
  succeeded: number
  failed: number
  /** Number of calls in each duration bucket. Empty in the totals for the last day. */
  calls: number[]
  reportedAt: Date | null
}

/**
 * Reads the stats of the last hour in ten-minute intervals, and the totals of the last day. The totals are
 * computed in the database, because a day consists of thousands of rows.
 */
export async function selectConnectionStats(
  db: Reader,
): Promise<{ hour: ConnectionStatsRow[]; day: ConnectionStatsRow[] }> {
  const hour = await db.query<ConnectionStatsRow>(sql`
    select environment, connection, provider_id, direction, succeeded, failed, calls, reported_at
    from connection_stats where begun_at > ${realNow} - interval '1 hour'`)
  const day = await db.query<ConnectionStatsRow>(sql`
    select environment, connection, provider_id, direction, sum(succeeded)::int as succeeded,
      sum(failed)::int as failed, '{}'::int[] as calls, max(reported_at) as reported_at
    from connection_stats where begun_at > ${realNow} - interval '1 day'
    group by environment, connection, provider_id, direction`)
  return { hour, day }
}

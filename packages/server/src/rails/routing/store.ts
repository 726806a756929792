import { randomUUID } from 'node:crypto'
import type { ConnectionQueue } from '@pesewa/connector-kit'
import type { HomeTx, Reader, Tx } from '../../platform/db/database.ts'
import { realNow } from '../../platform/db/real-time.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Environment } from '../../platform/scope.ts'
import type { PauseDirection, PauseScope } from './pause-scope.ts'

/** A pause, during which a connection takes no new instructions. `words` is the message shown to payers. */
export type Pause = PauseScope & {
  words: string
  pausedBy: string
  pausedAt: Date
  /**
   * When the pause ends automatically; `null` if it does not. `endsInMs`: how much time was left when the pause
   * was read.
   */
  endsAt: Date | null
  endsInMs: number | null
}

export const selectPauses = (db: Reader) =>
  db.query<Pause>(sql`
    select environment, connection, provider_id, direction, words, paused_by, paused_at, ends_at,
      (extract(epoch from ends_at - ${realNow}) * 1000)::float8 as ends_in_ms
    from connection_pauses where resumed_at is null and (ends_at is null or ends_at > ${realNow})
    order by paused_at`)

/** Pauses a connection, unless it is already paused. Returns whether it did. */
export async function insertPause(
  tx: HomeTx,
  { environment, connection, providerId, direction }: PauseScope,
  { words, by, lastingMs }: { words: string; by: string; lastingMs: number | null },
): Promise<boolean> {
  await tx.run(sql`
    update connection_pauses set resumed_by = 'automatic end', resumed_at = ends_at
    where resumed_at is null and ends_at <= ${realNow}`)
  const count = await tx.run(sql`
    insert into connection_pauses
      (id, environment, connection, provider_id, direction, words, paused_by, paused_at, ends_at)
    values (${randomUUID()}, ${environment}, ${connection}, ${providerId}, ${direction}, ${words}, ${by},
      ${realNow}, ${realNow} + ${lastingMs}::float8 * interval '1 millisecond')
    on conflict do nothing`)
  return count > 0
}

/** Ends the current pause of a connection. Returns whether there was one. */
export const endPause = async (
  tx: HomeTx,
  { environment, connection, providerId, direction }: PauseScope,
  by: string,
): Promise<boolean> =>
  (await tx.run(sql`
    update connection_pauses set resumed_by = ${by}, resumed_at = ${realNow}
    where environment = ${environment} and connection = ${connection} and direction = ${direction}
      and provider_id is not distinct from ${providerId} and resumed_at is null`)) > 0

/** An open circuit breaker on a node, and the time until which it stays open. */
export type OpenBreaker = ConnectionQueue & { until: Date }

export const upsertOpenBreaker = (
  tx: Tx,
  { environment, connection, providerId, kind, openForMs }: ConnectionQueue & { openForMs: number },
) =>
  tx.run(sql`
    insert into open_breakers as kept (environment, connection, provider_id, kind, until)
    values (${environment}, ${connection}, ${providerId}, ${kind},
      ${realNow} + ${openForMs}::float8 * interval '1 millisecond')
    on conflict (environment, connection, provider_id, kind) do update
    set until = greatest(kept.until, excluded.until)`)

export const selectOpenBreakers = (db: Reader) =>
  db.query<OpenBreaker>(sql`
    select environment, connection, provider_id, kind, until from open_breakers where until > ${realNow}`)

/** Stats are kept separately for each direction of a provider's connection. */
export type StatsKey = {
  environment: Environment
  connection: string
  providerId: string
  direction: PauseDirection
}

export type Counts = StatsKey & { succeeded: number; failed: number; calls: number[]; hasReported: boolean }

export const addCounts = (
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

const keptDays = 2

export const deleteOldCounts = (tx: Tx) =>
  tx.run(sql`
    delete from connection_stats where begun_at < ${realNow} - ${keptDays}::int * interval '1 day'`)

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

/**
 * Returns how long each live connection has been used without a report. The time starts with the first interval that
 * has calls and is later than the last report, so that a quiet night is no silence.
 */
export const selectCallbackSilences = (db: Reader) =>
  db.query<{ connection: string; seconds: number }>(sql`
    with reports as (
      select connection, max(reported_at) as last_at from connection_stats
      where environment = 'live' group by connection
    )
    select reports.connection,
      coalesce(extract(epoch from ${realNow} - min(stats.begun_at)), 0)::float8 as seconds
    from reports
    left join connection_stats stats on stats.environment = 'live' and stats.connection = reports.connection
      and stats.begun_at > reports.last_at and 0 < any(stats.calls)
    where reports.last_at is not null
    group by reports.connection`)

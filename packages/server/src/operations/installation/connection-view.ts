import { wholeNumber } from '@pesewa/values'
import { callRangesMs } from '../../rails/routing/connection-stats.ts'
import type { PauseDirection } from '../../rails/routing/pause-scope.ts'
import type { ConnectionStatsRow } from '../../rails/routing/store.ts'
import type { ConnectionState } from './connections.ts'

const shownTime = (time: Date | null) => time?.toISOString() ?? null

export const presentConnection = (state: ConnectionState) => ({
  connection: state.connection,
  environment: state.environment,
  providerId: state.provider.providerId,
  name: state.provider.name,
  protocol: state.protocol,
  isOpen: state.isOpen,
  share: state.share,
  pauses: state.pauses.map(({ direction, providerId, words, pausedBy, pausedAt, endsAt }) => ({
    direction,
    providerId,
    words,
    by: pausedBy,
    createTime: pausedAt.toISOString(),
    endTime: shownTime(endsAt),
  })),
  restsUntil: shownTime(state.breakers[0]?.until ?? null),
  breakers: state.breakers.map(({ kind, until }) => ({ kind, endTime: until.toISOString() })),
  collect: directionOf(state, 'collect'),
  payOut: directionOf(state, 'pay_out'),
  float: state.floats.map(({ side, account, currency, amount, readAt }) => ({
    side,
    account,
    amount: { currency, value: wholeNumber(amount) },
    readTime: readAt.toISOString(),
  })),
  credentialsTime: shownTime(state.credentialsAt),
})

function directionOf({ lastHour, lastDay }: ConnectionState, direction: PauseDirection) {
  const recent = lastHour.filter((row) => row.direction === direction)
  const own = lastDay.filter((row) => row.direction === direction)
  const calls = callRangesMs.map((_, i) => sumOf(recent, (row) => row.calls[i] ?? 0))
  const all = sumOf(recent, (row) => row.calls.reduce((sum, count) => sum + count, 0))
  const reported = own.flatMap(({ reportedAt }) => reportedAt ?? [])
  return {
    lastHour: outcomeCounts(recent),
    lastDay: outcomeCounts(own),
    p50Ms: percentileOf(calls, all, 50),
    p95Ms: percentileOf(calls, all, 95),
    lastReportTime: shownTime(reported.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null),
  }
}

function outcomeCounts(rows: ConnectionStatsRow[]) {
  const succeeded = sumOf(rows, (row) => row.succeeded)
  const failed = sumOf(rows, (row) => row.failed)
  const ended = succeeded + failed
  return { succeeded, failed, percent: ended === 0 ? null : percentOf(succeeded, ended) }
}

/** Returns `part` as a percentage of `all`, rounded down to one decimal, so that 100 means all of them. */
const percentOf = (part: number, all: number) => Number((BigInt(part) * 1_000n) / BigInt(all)) / 10

/**
 * Returns the upper bound, in milliseconds, of the duration bucket that contains this percentile of the calls;
 * `null` if there are no calls or if the percentile is above the last bucket.
 */
function percentileOf(calls: number[], all: number, percent: number): number | null {
  if (all === 0) return null
  let counted = 0
  for (const [i, endMs] of callRangesMs.entries()) {
    counted += calls[i] ?? 0
    if (counted * 100 >= percent * all) return endMs
  }
  return null
}

const sumOf = (rows: ConnectionStatsRow[], of: (row: ConnectionStatsRow) => number) =>
  rows.reduce((sum, row) => sum + of(row), 0)

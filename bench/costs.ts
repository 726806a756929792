import type { BenchDatabase } from './database.ts'

/** What one thing that was done took: requests that the node answered, and transactions of the database. */
export type Cost = { requests: number; transactions: number }

/** Of the node's metrics as text, and of the database. */
export type Reading = { metrics: string | undefined; transactions: number | undefined }

export function costBetween(before: Reading, after: Reading, done: number): Cost | null {
  if (before.transactions === undefined || after.transactions === undefined || done === 0) return null
  return {
    requests: (requestsOf(after.metrics) - requestsOf(before.metrics)) / done,
    transactions: (after.transactions - before.transactions) / done,
  }
}

/** All that ended so far, by whomever: a server process tells of its own at most once a second. */
export async function readTransactions({ client }: BenchDatabase): Promise<number> {
  const { rows } = await client.query(
    'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0].count)
}

const requestsOf = (metrics = '') =>
  [...metrics.matchAll(/^pesewa_request_seconds_count\{.*\} (\S+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )

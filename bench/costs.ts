import type { BenchDatabase } from './database.ts'

/** Cost of one operation: requests that the node answered, and database transactions. */
export type Cost = { requests: number; transactions: number }

/** The readings that a cost is computed from: the node's metrics, and the database's transaction count. */
export type Reading = { metrics: string | undefined; transactions: number | undefined }

export function costBetween(before: Reading, after: Reading, done: number): Cost | null {
  if (before.transactions === undefined || after.transactions === undefined || done === 0) return null
  return {
    requests: (requestsOf(after.metrics) - requestsOf(before.metrics)) / done,
    transactions: (after.transactions - before.transactions) / done,
  }
}

/** Counts all finished transactions of all clients; server processes report theirs at most once a second. */
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

import { readFileSync } from 'node:fs'
import type { BenchDatabase } from './database.ts'

/**
 * Cost of one operation: requests that the node answered, database transactions, bytes by which the database grew, and
 * bytes of its log. Sizes are `null` for rows that write nothing.
 */
export type Cost = { requests: number; transactions: number; bytes: number | null; logBytes: number | null }

/** What the database has done so far. Sizes are in bytes. */
type DatabaseReading = { transactions: number; bytes: number; logBytes: number }

/** The readings that a cost is computed from. The database's is `undefined` if it is not part of the row. */
export type Reading = { metrics: string | undefined; database: DatabaseReading | undefined }

/** Below this number of operations, the database's growth in steps of whole pages says nothing. */
const minWeighed = 100

export function costBetween(before: Reading, after: Reading, done: number): Cost | null {
  if (before.database === undefined || after.database === undefined || done === 0) return null
  const each = (name: keyof DatabaseReading) => (after.database![name] - before.database![name]) / done
  const isWeighed = done >= minWeighed
  return {
    requests: (requestsOf(after.metrics) - requestsOf(before.metrics)) / done,
    transactions: each('transactions'),
    bytes: isWeighed ? each('bytes') : null,
    logBytes: isWeighed ? each('logBytes') : null,
  }
}

/** Counts all finished transactions of all clients; server processes report theirs at most once a second. */
export async function readDatabase({ client }: BenchDatabase): Promise<DatabaseReading> {
  const { rows } = await client.query(`
    select xact_commit + xact_rollback as transactions, pg_database_size(datname) as bytes,
      pg_current_wal_lsn() - '0/0' as log
    from pg_stat_database where datname = current_database()`)
  const [{ transactions, bytes, log }] = rows
  return { transactions: Number(transactions), bytes: Number(bytes), logBytes: Number(log) }
}

const requestsOf = (metrics = '') =>
  [...metrics.matchAll(/^pesewa_request_seconds_count\{.*\} (\S+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  )

/** Returns the memory of a process that is not swapped or shared with files, in MiB. */
export function memoryOf(pid: number): number {
  const [, kibibytes] = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kibibytes) / 1024)
}

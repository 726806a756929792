import { must } from '@pesewa/values'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import type { Platform } from '../../platform/platform.ts'
import { type FindChecks, type Proof, verifyBooks } from './verify.ts'

// Results of proofs of all the books. They belong to the operator, so they use wall-clock time.

/** Proves the books every night. If a node stops, the queue gives the job to another node. */
export const proofJobs = (
  { db, log, seals, findChecks }: Pick<Platform, 'db' | 'log' | 'seals'> & { findChecks: FindChecks },
  stopping: AbortSignal,
): Jobs => ({
  'books.verify': async () => {
    const proof = await verifyBooks(db, findChecks, { seals, signal: stopping })
    await db.transaction((tx) => recordProof(tx, proof))
    for (const { name, differences } of proof.checks)
      if (differences.length > 0)
        log.error({ check: name, differences }, 'a check of the books found differences')
  },
})

const proofsKept = 400

/** Records the result of a proof of all the books. Does nothing on a standby, which is read-only. */
export async function recordProof(tx: Tx, { ok, seconds, checks }: Proof): Promise<void> {
  const { isReadOnly } = await tx.only<{ isReadOnly: boolean }>(sql`
    select current_setting('transaction_read_only')::boolean as is_read_only`)
  if (isReadOnly) return
  // The first check examines every line.
  const { examined: lines } = must(checks[0], 'check in a proof')
  const differences = checks.reduce((count, check) => count + check.differences.length, 0)
  await tx.run(sql`
    insert into proofs (started_at, ended_at, is_ok, lines, differences, checks)
    values (now() - ${seconds}::float8 * interval '1 second', now(), ${ok}, ${lines}, ${differences},
      ${JSON.stringify(checks.map(summaryOf))})`)
  await tx.run(sql`delete from proofs where id <= (select max(id) from proofs) - ${proofsKept}::bigint`)
}

export type CheckSummary = { name: string; examined: string; differences: number }

const summaryOf = ({ name, examined, differences }: Proof['checks'][number]): CheckSummary => ({
  name,
  examined,
  differences: differences.length,
})

/** Returns the last proof with the result of each check. */
export const lastProofInFull = (db: Reader) =>
  db.one<{ isOk: boolean; startedAt: Date; endedAt: Date; checks: CheckSummary[] }>(sql`
    select is_ok, started_at, ended_at, checks from proofs order by id desc limit 1`)

export type Recorded = { isOk: boolean; differences: number; endedAtSeconds: number; seconds: number }

export const lastProof = (db: Reader) =>
  db.one<Recorded>(sql`
    select is_ok, differences, extract(epoch from ended_at)::float8 as ended_at_seconds,
      extract(epoch from ended_at - started_at)::float8 as seconds
    from proofs order by id desc limit 1`)

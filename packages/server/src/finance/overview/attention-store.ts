import type { Reader } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'

export const maxAttention = 99 // limit: objects of each kind that are counted as needing attention
const maxPending = 1_000 // newest pending objects of a kind among which those that await approval are counted

type Place = Pick<Scope, 'spaceId' | 'environment'>

/** Counts the payouts that await approval. */
export const countPayouts = (db: Reader, { spaceId, environment }: Place) =>
  countOf(
    db,
    sql`
    select id from (
      select id, approval from payouts
      where space_id = ${spaceId} and environment = ${environment} and status = 'pending'
      order by id desc limit ${maxPending}
    ) newest
    where approval = 'required'`,
  )

/** Counts the payout batches that await approval. */
export const countBatches = (db: Reader, { spaceId, environment }: Place) =>
  countOf(
    db,
    sql`
    select id from payout_batches
    where space_id = ${spaceId} and environment = ${environment} and status = 'pending'`,
  )

/** Counts the refunds that await approval. */
export const countRefunds = (db: Reader, { spaceId, environment }: Place) =>
  countOf(
    db,
    sql`
    select id from (
      select id, pending_reason from refunds
      where space_id = ${spaceId} and environment = ${environment} and status = 'pending'
      order by id desc limit ${maxPending}
    ) newest
    where pending_reason = 'approval'`,
  )

/** Counts the cases that are open. */
export const countCases = (db: Reader, { spaceId, environment }: Place) =>
  countOf(
    db,
    sql`
    select id from ledger_cases
    where space_id = ${spaceId} and environment = ${environment} and closed_at is null`,
  )

/** Counts the webhooks that fail, or were disabled because they failed. */
export const countWebhooks = (db: Reader, { spaceId, environment }: Place) =>
  countOf(
    db,
    sql`
    select id from webhooks
    where space_id = ${spaceId} and environment = ${environment} and deleted_at is null
      and (failing_since is not null or disabled_reason is not null)`,
  )

/** Counts rows up to the limit, so that the cost is bounded. */
async function countOf(db: Reader, rows: Sql): Promise<number> {
  const { count } = await db.only<{ count: number }>(sql`
    select count(*)::int as count from (select id from (${rows}) matching limit ${maxAttention}) counted`)
  return count
}

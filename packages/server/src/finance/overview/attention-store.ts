import type { Reader } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'

export const maxCounted = 1_000 // objects that need attention, counted per kind

type Kind = { permission: string; table: Sql; among: Sql; fit: Sql }

/**
 * Kinds of objects that need a person's attention, each with the condition that an index serves. `fit` is checked
 * on the newest rows: pending payouts and refunds without an approval are soon sent.
 */
const kinds = {
  payoutApprovals: {
    permission: 'payouts:read',
    table: sql`payouts`,
    among: sql`status = 'pending'`,
    fit: sql`approval = 'required'`,
  },
  batchApprovals: {
    permission: 'payouts:read',
    table: sql`payout_batches`,
    among: sql`status = 'pending'`,
    fit: sql`true`,
  },
  refundApprovals: {
    permission: 'refunds:read',
    table: sql`refunds`,
    among: sql`status = 'pending'`,
    fit: sql`pending_reason = 'approval'`,
  },
  openCases: {
    permission: 'financial-transactions:read',
    table: sql`ledger_cases`,
    among: sql`closed_at is null`,
    fit: sql`true`,
  },
  failingWebhooks: {
    permission: 'webhooks:read',
    table: sql`webhooks`,
    among: sql`(failing_since is not null or disabled_reason is not null) and deleted_at is null`,
    fit: sql`true`,
  },
} as const satisfies Record<string, Kind>
export type AttentionKind = keyof typeof kinds

/** Counts the objects of each kind that need a person's attention; null for kinds that the caller may not read. */
export async function countAttention(db: Reader, scope: Scope, may: (permission: string) => boolean) {
  const count = async (kind: AttentionKind) =>
    may(kinds[kind].permission) ? await countKind(db, scope, kinds[kind]) : null
  const [payoutApprovals, batchApprovals, refundApprovals, openCases, failingWebhooks] = await Promise.all([
    count('payoutApprovals'),
    count('batchApprovals'),
    count('refundApprovals'),
    count('openCases'),
    count('failingWebhooks'),
  ])
  return { payoutApprovals, batchApprovals, refundApprovals, openCases, failingWebhooks }
}

async function countKind(db: Reader, { spaceId, environment }: Scope, { table, among, fit }: Kind) {
  const { count } = await db.only<{ count: number }>(sql`
    select count(*)::int as count from (
      select * from ${table} where space_id = ${spaceId} and environment = ${environment} and ${among}
      order by id desc limit ${maxCounted}
    ) newest where ${fit}`)
  return count
}

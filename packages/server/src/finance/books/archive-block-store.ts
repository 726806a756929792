import { firstReferenceAt } from '../../ledger/accounts/reference.ts'
import { caseIds } from '../../ledger/accounts/resources.ts'
import { transferIds } from '../../ledger/transfers/resources.ts'
import { paymentIds } from '../../money/payments/resources.ts'
import { payoutIds } from '../../money/payouts/resources.ts'
import { recallIds } from '../../money/recalls/resources.ts'
import { refundIds } from '../../money/refunds/resources.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { type IdKind, showId } from '../../platform/ids.ts'
import { sessionIds } from '../../ways-to-pay/checkout/resources.ts'
import { tableNamed } from './archive-table-store.ts'
import type { Unit } from './archive-units.ts'

/** Rows because of which a month cannot be archived yet. `example` is the public id of one of them. */
export type Block = { reason: string; count: number; example: string }

type Need = { reason: string; id: Sql; rows: Sql; kind?: IdKind }

/** Returns why a month cannot be archived yet. Reads the whole month. `now` is wall-clock time. */
export async function selectBlocks(
  db: Tx,
  unit: Unit,
  { now, refundWindowMs }: { now: Date; refundWindowMs: number },
): Promise<Block[]> {
  const blocks: Block[] = []
  await db.query(sql`select set_config('statement_timeout', '0', true)`)
  for (const { reason, id, rows, kind } of [
    ...needsOf(unit, firstReferenceAt(new Date(now.getTime() - refundWindowMs))),
    ...openNeeds(unit),
  ]) {
    const { count, example } = await db.only<{ count: number; example: string | null }>(sql`
      select count(*)::int as count, min((${id})::text) as example ${rows}`)
    if (example !== null) blocks.push({ reason, count, example: kind ? showId(kind, example) : example })
  }
  return blocks
}

/** Returns whether something that can still begin after `selectBlocks` needs a row of the month. Reads few rows. */
export async function hasNewBlocks(db: Reader, unit: Unit): Promise<boolean> {
  for (const { rows } of openNeeds(unit)) if (await db.one(sql`select 1 ${rows} limit 1`)) return true
  return false
}

function needsOf(unit: Unit, refundableFrom: string): Need[] {
  const { untilId } = unit
  const of = (name: string) => tableNamed(unit.tables.find(({ table }) => table === name)?.month ?? name)
  // Unfinished objects of the test environment are kept.
  const unfinished = sql`environment = 'live' and status in ('pending', 'processing')`
  return [
    {
      reason: 'unfinished payments',
      kind: paymentIds,
      id: sql`id`,
      rows: sql`from ${of('payments')} where id < ${untilId} and ${unfinished}`,
    },
    {
      reason: 'payments that can still be refunded',
      kind: paymentIds,
      id: sql`id`,
      rows: sql`
        from ${of('payments')}
        where id < ${untilId} and status = 'completed' and refund_reserved < amount
          and ledger_reference collate "C" >= ${refundableFrom}`,
    },
    {
      reason: 'checkout sessions that have not ended',
      kind: sessionIds,
      id: sql`id`,
      rows: sql`from ${of('checkout_sessions')} where id < ${untilId} and environment = 'live' and status = 'pending'`,
    },
    {
      reason: 'instructions without an outcome',
      id: sql`id`,
      rows: sql`
        from ${of('instructions')}
        where id < ${untilId} and environment = 'live' and (state in ('created', 'submitting', 'submitted', 'unknown') or due_at is not null)`,
    },
    {
      reason: 'transfers that have not been carried out',
      kind: transferIds,
      id: sql`id`,
      rows: sql`from ${of('internal_transfers')} where id < ${untilId} and ${unfinished}`,
    },
    {
      reason: 'unfinished payouts',
      kind: payoutIds,
      id: sql`id`,
      rows: sql`-- every space: a month has rows of all Spaces
      from payouts where id < ${untilId} and ${unfinished}`,
    },
    {
      reason: 'unfinished refunds',
      kind: refundIds,
      id: sql`id`,
      rows: sql`-- every space: a month has rows of all Spaces
      from refunds where (id < ${untilId} or payment_id < ${untilId}) and ${unfinished}`,
    },
    {
      reason: 'provider accounts with lines that are not reconciled',
      id: sql`account.id`,
      // every space: a month has rows of all Spaces
      rows: sql`
        from ledger_accounts account
        where account.kind = 'clearing' and account.environment = 'live' and exists (
          select 1 from open_clearing_lines open
          where open.space_id = account.space_id and open.environment = account.environment
            and open.account_id = account.id and open.booked_at < id_moment(${untilId}::uuid)
            and not exists (
              select 1 from item_closings closing
              where closing.space_id = open.space_id and closing.environment = open.environment
                and closing.account_id = open.account_id and closing.seq = open.seq))`,
    },
  ]
}

function openNeeds({ untilId }: Unit): Need[] {
  return [
    {
      reason: 'open cases',
      kind: caseIds,
      id: sql`id`,
      rows: sql`-- every space: a month has rows of all Spaces
      from ledger_cases where closed_at is null and (id < ${untilId} or object_id < ${untilId})`,
    },
    {
      reason: 'open recalls',
      kind: recallIds,
      id: sql`recall.id`,
      // every space: a month has rows of all Spaces
      rows: sql`
        from recalls recall
        join payouts payout on payout.space_id = recall.space_id and payout.environment = recall.environment
          and payout.id = recall.payout_id
        where recall.status = 'open' and ledger_reference_start(payout.ledger_reference) < ${untilId}`,
    },
  ]
}

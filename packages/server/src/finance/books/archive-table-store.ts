import { Sql, sql } from '../../platform/db/sql.ts'
import { signedActions } from '../reconciliation/signed.ts'
import { archiveAction } from './archive-action.ts'

/** SQL for the name of a table that the catalogue listed. */
export function tableNamed(name: string): Sql {
  if (!/^[a-z][a-z0-9_]{0,62}(\.[a-z][a-z0-9_]{0,62})?$/.test(name)) throw new Error(`${name} is not a table`)
  return new Sql(name, [])
}

/** SQL for an id as a literal, because a statement that defines a table has no parameters. */
export function idLiteral(id: string): Sql {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new Error(`${id} is not an id`)
  return new Sql(`'${id}'`, [])
}

/** What decides which rows are kept. `kept` returns the table of rows that another table keeps. */
export type KeptRows = {
  untilId: string
  sessionsUntilId: string
  firstReference: string
  kept(table: string): Sql
}

/**
 * A table whose months are archived. In `keeps`, which is the condition for a row that is still needed, `old` is the
 * row. `isFinal` is true if rows never change.
 */
export type ArchivedTable = { name: string; key: string; isFinal?: true; keeps: (keeping: KeptRows) => Sql }

/** Payments are completed within days, and their sessions and orders are at most a week older. */
const laterPayments = ({ untilId, sessionsUntilId }: KeptRows) =>
  sql`-- every space: a month has rows of all Spaces
    payments where id >= ${untilId} and id < ${sessionsUntilId}`

/**
 * Unfinished objects of the test environment do not block archiving, because some of them never end. If they end, they are
 * posted in a later month.
 */
const isPostedLater = ({ firstReference }: KeptRows) => sql`
  (old.status in ('pending', 'processing') or old.ledger_reference collate "C" >= ${firstReference})`

/** Actions that checks of other rows look for, which are never archived. */
const keptActions = [
  'case.close',
  'recall.return',
  'recall.refuse',
  'settlement.book',
  'settlement.reverse',
  archiveAction,
  ...Object.values(signedActions).map(({ action }) => action),
]

/** Types of objects whose rows are archived together with their seals. */
const archivedTypes = ['payment', 'checkout_session', 'order', 'internal_transfer']

const isOfKeptOrder = ({ kept }: KeptRows) => sql`old.order_id in (select id from ${kept('orders')})`

/**
 * The tables whose months are archived, in the order in which transactions use them. What a payment or a posting of a
 * later month refers to is kept.
 */
export const archivedTables: ArchivedTable[] = [
  {
    name: 'payments',
    key: 'id',
    keeps: (keeping) => sql`
      (${isPostedLater(keeping)} or old.id in (
        -- every space: a month has rows of all Spaces
        select payment_id from refunds where status in ('pending', 'processing')))`,
  },
  {
    name: 'checkout_sessions',
    key: 'id',
    keeps: (keeping) => sql`
      (old.status = 'pending' or old.id in (select origin_id from ${laterPayments(keeping)})
        or old.id in (select origin_id from ${keeping.kept('payments')}))`,
  },
  {
    name: 'orders',
    key: 'id',
    keeps: (keeping) => sql`
      (old.id in (select order_id from ${laterPayments(keeping)})
        or old.id in (select order_id from ${keeping.kept('payments')})
        or old.id in (select order_id from ${keeping.kept('checkout_sessions')}))`,
  },
  {
    name: 'instructions',
    key: 'id',
    keeps: () => sql`(old.state not in ('succeeded', 'failed') or old.due_at is not null)`,
  },
  { name: 'receipts', key: 'order_id', keeps: isOfKeptOrder },
  { name: 'redemptions', key: 'order_id', keeps: isOfKeptOrder },
  { name: 'internal_transfers', key: 'id', keeps: isPostedLater },
  {
    name: 'ledger_lines',
    key: 'id',
    isFinal: true,
    keeps: ({ untilId }) => sql`
      exists (
        -- every space: a month has rows of all Spaces
        select 1 from carried_balances carried
        where carried.space_id = old.space_id and carried.environment = old.environment
          and carried.account_id = old.account_id and carried.until_id = ${untilId} and carried.seq < old.seq)`,
  },
  {
    name: 'audit_entries',
    key: 'id',
    isFinal: true,
    keeps: () => sql`old.action = any(${keptActions})`,
  },
  {
    name: 'book_seals',
    key: 'object_id',
    isFinal: true,
    keeps: ({ kept }) => sql`
      (old.object_type <> all(${archivedTypes})
        or old.object_id in (
          select id from ${kept('payments')} union all select id from ${kept('checkout_sessions')}
          union all select id from ${kept('orders')} union all select id from ${kept('internal_transfers')}))`,
  },
]

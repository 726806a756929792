import { type ReconciledType, unionOfTypes } from '../../ledger/accounts/reconciled-types.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import type { Environment } from '../../platform/scope.ts'

/** The operator's account at a provider, which the provider's statements cover. */
export type StatementSource = { providerId: string; environment: Environment }

/** Limits a query to one provider, to one environment, or to both. An empty extent includes everything. */
export type Extent = Partial<StatementSource>

export const inExtent = ({ providerId, environment }: Extent) => sql`true
  ${environment === undefined ? nothing : sql`and environment = ${environment}`}
  ${providerId === undefined ? nothing : sql`and provider_id = ${providerId}`}`

/**
 * The clearing accounts in an extent, each with the number of the last line that reconciliation has read. The
 * lines of an account become visible in order, and each line that has been read is either open or matched.
 */
export const clearingAccounts = (extent: Extent) =>
  // every space: all Spaces share the operator's provider account
  sql`
  (select account.space_id, account.environment, account.id, account.currency, account.purpose, account.next_seq,
    account.provider_id, account.direction,
    greatest(
      (select max(seq) from open_clearing_lines open
      where open.space_id = account.space_id and open.environment = account.environment
        and open.account_id = account.id),
      (select max(seq) from statement_lines line
      where line.space_id = account.space_id and line.environment = account.environment
        and line.account_id = account.id),
      0) as seen
  from ledger_accounts account
  where account.kind = 'clearing' and ${inExtent(extent)})`

/**
 * Reads the next lines of clearing accounts, up to `limit`, and returns the number of lines read. A debit is
 * money that the provider received. A credit is money that left the provider: a payout, a refund, or money paid
 * to a bank.
 */
export const insertOpenLines = (tx: Tx, objects: ReconciledType[], extent: Extent, limit: number) =>
  // every space: all Spaces share the operator's provider account
  tx.run(sql`
    with unseen as materialized (
      select account.provider_id, line.space_id, line.environment, line.account_id, line.seq,
        line.amount, line.currency, line.at, line.owners -> 0 ->> 'type' as object_type,
        case when line.owners -> 0 ->> 'id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
          then (line.owners -> 0 ->> 'id')::uuid end as object_id
      from ${clearingAccounts(extent)} account
      cross join lateral (
        select * from ledger_lines line
        where line.space_id = account.space_id and line.environment = account.environment
          and line.account_id = account.id and line.seq > account.seen
        order by line.seq limit ${limit}
      ) line
      where account.next_seq > account.seen + 1
      limit ${limit}
    )
    insert into open_clearing_lines (space_id, environment, account_id, seq, provider_id, direction, amount, currency,
      object_type, object_id, rail_reference, rail_transaction, order_number, booked_at)
    select line.space_id, line.environment, line.account_id, line.seq, line.provider_id,
      case when line.amount < 0 then 'collection' else 'disbursement' end,
      abs(line.amount), line.currency,
      line.object_type, line.object_id, object.rail_reference, object.rail_transaction, object.order_number, line.at
    from unseen line
    left join lateral (${unionOfTypes(
      objects,
      ({ type, table, orderNumber }) => sql`
        select rail_reference::text, rail_transaction, ${orderNumber} as order_number from ${table} object
        where line.object_type = ${type} and object.space_id = line.space_id
          and object.environment = line.environment and object.id = line.object_id`,
    )}) object on true`)

/** The position of a line within its source. */
export type LinePosition = { movedAt: Date; id: string }

/**
 * True if an operator has closed the statement line, so that it is no longer open. `isBookedClosed` is the same
 * for a clearing line.
 */
export const isStatedClosed = (line: Sql) =>
  // every space: a statement line has no Space until it is matched
  sql`exists (
    select 1 from item_closings closing
    where closing.provider_id = ${line}.provider_id and closing.environment = ${line}.environment
      and closing.line_id = ${line}.id)`
export const isBookedClosed = (line: Sql) =>
  // every space: both rows have the same Space
  sql`exists (
    select 1 from item_closings closing
    where closing.space_id = ${line}.space_id and closing.environment = ${line}.environment
      and closing.account_id = ${line}.account_id and closing.seq = ${line}.seq)`

/** Selects the open lines of a source that come after one position, up to and including another. */
const openLines = (
  { providerId, environment }: StatementSource,
  after?: LinePosition,
  end?: LinePosition,
) => sql`
  (select * from statement_lines line
  where space_id is null and provider_id = ${providerId} and environment = ${environment}
    and not ${isStatedClosed(sql`line`)}
    ${after ? sql`and (moved_at, id) > (${after.movedAt}, ${after.id})` : nothing}
    ${end ? sql`and (moved_at, id) <= (${end.movedAt}, ${end.id})` : nothing})`

/**
 * Returns the position of the `count`-th open line after a position, or of the last open line if fewer are
 * left.
 */
export const selectEnd = (
  db: Reader,
  source: StatementSource,
  after: LinePosition | undefined,
  count: number,
) =>
  // every space: a statement line has no Space until it is matched
  db.one<LinePosition>(sql`
    select moved_at, id from (
      select moved_at, id from ${openLines(source, after)} line order by moved_at, id limit ${count}
    ) next order by moved_at desc, id desc limit 1`)

/**
 * The identifiers by which a statement line may refer to an object. Those that are unique to an object come
 * first.
 */
export const names: { theirs: Sql; ours: Sql }[] = [
  { theirs: sql`reference`, ours: sql`rail_reference` },
  { theirs: sql`rail_transaction`, ours: sql`rail_transaction` },
  // An order may have been paid more than once, and any of its payments with the same amount matches.
  { theirs: sql`reference`, ours: sql`order_number` },
]

/**
 * Matches the open statement lines between two positions with open ledger lines, one to one. Matching lines
 * have the same identifier, direction, amount and currency.
 */
export const matchLines = (
  tx: Tx,
  source: StatementSource,
  after: LinePosition | undefined,
  end: LinePosition,
  { theirs, ours }: (typeof names)[number],
) =>
  // every space: all Spaces share the operator's provider account
  tx.run(sql`
    with stated as materialized (
      select id, direction, amount, currency, ${theirs} as name,
        row_number() over (partition by direction, amount, currency, ${theirs} order by moved_at, id) as nth
      from ${openLines(source, after, end)} line
      where ${theirs} is not null
    ), booked as materialized (
      select space_id, account_id, seq, direction, amount, currency, ${ours} as name,
        row_number() over (partition by direction, amount, currency, ${ours}
          order by booked_at, space_id, account_id, seq) as nth
      from open_clearing_lines line
      where provider_id = ${source.providerId} and environment = ${source.environment}
        and ${ours} = any (array(select name from stated)) and not ${isBookedClosed(sql`line`)}
    ), pairs as materialized (
      select stated.id, booked.space_id, booked.account_id, booked.seq
      from stated join booked using (direction, amount, currency, name, nth)
    ), closed as (
      delete from open_clearing_lines open using pairs
      where open.space_id = pairs.space_id and open.environment = ${source.environment}
        and open.account_id = pairs.account_id and open.seq = pairs.seq
    )
    update statement_lines line
    set space_id = pairs.space_id, account_id = pairs.account_id, seq = pairs.seq
    from pairs
    where line.provider_id = ${source.providerId} and line.environment = ${source.environment} and line.id = pairs.id`)

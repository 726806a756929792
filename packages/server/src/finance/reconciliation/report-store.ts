import { type ReconciledType, unionOfTypes } from '../../ledger/accounts/reconciled-types.ts'
import type { Direction } from '../../ledger/accounts/store.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Environment } from '../../platform/scope.ts'
import { clearingAccounts, type Extent, inExtent, isBookedClosed, isStatedClosed } from './clearing-store.ts'
import { type ItemName, itemNameOf } from './item-names.ts'

/**
 * `amount_differs`: both sides have the item, with different amounts. `missing_here`: only the provider has it.
 * `missing_there`: only we have it, although statements cover its time. `awaited`: only we have it, and no
 * statement covers its time yet.
 */
export type ItemState = 'amount_differs' | 'missing_here' | 'missing_there' | 'awaited'

/** Money that only one side has, or for which the two sides have different amounts. Amounts are in minor units. */
export type OpenItem = {
  /** The identifier that operators use to close the item; `showItem` formats it. */
  name: ItemName
  state: ItemState
  providerId: string
  environment: Environment
  direction: Direction
  /** When the money moved according to the provider; if only we have the item, when we booked it. */
  at: Date
  theirs: { amount: bigint; currency: string } | null
  ours: { amount: bigint; currency: string } | null
  lineId: string | null
  line: number | null
  fileName: string | null
  reference: string | null
  /** The object in our books that the item belongs to or may belong to, and its status. */
  spaceId: string | null
  objectType: string | null
  objectId: string | null
  objectStatus: string | null
}

/** Selects the open statement lines, each with the open ledger line to which it refers, if there is one. */
const stated = (extent: Extent) =>
  // every space: all Spaces share the operator's provider account
  sql`
  select line.provider_id, line.environment, line.direction, line.moved_at as at, line.amount as their_amount,
    line.currency as their_currency, line.id as line_id, line.line, line.statement_id,
    line.reference, booked.amount as our_amount, booked.currency as our_currency, booked.space_id,
    booked.account_id, booked.seq, booked.object_type, booked.object_id, booked.space_id is not null as is_booked
  from (
    select * from statement_lines line
    where space_id is null and ${inExtent(extent)} and not ${isStatedClosed(sql`line`)}
  ) line
  left join lateral (
    select * from open_clearing_lines booked
    where booked.environment = line.environment and booked.provider_id = line.provider_id
      and booked.direction = line.direction
      and (booked.rail_reference = line.reference or booked.rail_transaction = line.rail_transaction
        or booked.order_number = line.reference)
      and not ${isBookedClosed(sql`booked`)}
    order by (booked.rail_reference = line.reference) desc nulls last, booked.booked_at, booked.seq
    limit 1
  ) booked on true`

/**
 * True if the line was booked for an object and then reversed: no provider moved the money, and no statement
 * will show it.
 */
export const isReversed =
  // every space: both lines have the same Space
  sql`exists (
  select 1 from open_clearing_lines other
  where other.object_id = booked.object_id and other.space_id = booked.space_id
    and other.environment = booked.environment and other.account_id = booked.account_id
    and other.amount = booked.amount and other.direction <> booked.direction)`

/** Selects every open item in an extent, with its `state` and both sides. */
export const items = (extent: Extent): Sql =>
  // every space: all Spaces share the operator's provider account
  sql`
  stated as materialized (${stated(extent)}),
  coverage as (
    select provider_id, environment, min(from_at) as from_at, max(until_at) as until_at
    from statements group by provider_id, environment
  ),
  items as materialized (
    select case when is_booked then 'amount_differs' else 'missing_here' end as state, provider_id, environment,
      direction, at, their_amount, their_currency, our_amount, our_currency, line_id, line, statement_id,
      reference, space_id, account_id, seq, object_type, object_id
    from stated
    union all
    select case when booked.booked_at >= coverage.from_at and booked.booked_at < coverage.until_at
        then 'missing_there' else 'awaited' end,
      booked.provider_id, booked.environment, booked.direction, booked.booked_at, null, null, booked.amount,
      booked.currency, null, null, null, coalesce(booked.rail_reference, booked.rail_transaction), booked.space_id,
      booked.account_id, booked.seq, booked.object_type, booked.object_id
    from (
      select * from open_clearing_lines booked where ${inExtent(extent)} and not ${isBookedClosed(sql`booked`)}
    ) booked
    left join coverage on coverage.provider_id = booked.provider_id and coverage.environment = booked.environment
    where not exists (
      select 1 from stated
      where stated.space_id = booked.space_id and stated.environment = booked.environment
        and stated.account_id = booked.account_id and stated.seq = booked.seq)
      and not ${isReversed}
  )`

type AgeSum = {
  state: ItemState
  bracket: number
  direction: Direction
  currency: string
  items: bigint
  amount: bigint
}

/**
 * Returns the number and total of open items by state, age bracket and direction. `brackets` are in seconds,
 * ascending.
 */
export const selectAges = (db: Reader, extent: Extent, now: Date, brackets: number[]) =>
  // every space: all Spaces share the operator's provider account
  db.query<AgeSum>(sql`
    with ${items(extent)}
    select state, width_bucket(extract(epoch from ${now}::timestamptz - at), ${brackets}::numeric[]) as bracket,
      direction, coalesce(our_currency, their_currency) as currency, count(*) as items,
      sum(coalesce(our_amount, their_amount))::bigint as amount
    from items group by 1, 2, 3, 4 order by 1, 2, 4, 3`)

/** Returns the oldest open items. */
export async function selectItems(
  db: Reader,
  objects: ReconciledType[],
  extent: Extent,
  limit: number,
): Promise<OpenItem[]> {
  // every space: all Spaces share the operator's provider account
  const rows = await db.query<ItemRow>(sql`
    with ${items(extent)},
    oldest as (select * from items order by at, line_id limit ${limit})
    select oldest.state, oldest.provider_id, oldest.environment, oldest.direction, oldest.at, oldest.their_amount,
      oldest.their_currency, oldest.our_amount, oldest.our_currency, oldest.line_id, oldest.line,
      statement.file_name, oldest.reference, booked.id as booked_id,
      coalesce(oldest.space_id, object.space_id) as space_id,
      coalesce(oldest.object_type, object.type) as object_type,
      coalesce(oldest.object_id, object.id) as object_id, object.status as object_status
    from oldest
    left join statements statement on statement.id = oldest.statement_id
    left join ledger_lines booked on booked.space_id = oldest.space_id and booked.environment = oldest.environment
      and booked.account_id = oldest.account_id and booked.seq = oldest.seq
    left join lateral (${unionOfTypes(
      objects,
      ({ type, table }) => sql`
        select ${type}::text as type, space_id, id, status from ${table} object
        where object.environment = oldest.environment and object.rail_reference = ${asUuid}`,
    )} limit 1) object on true
    order by oldest.at, oldest.line_id`)
  return rows.map(({ theirAmount, theirCurrency, ourAmount, ourCurrency, bookedId, ...row }) => ({
    ...row,
    name: itemNameOf({ ...row, bookedId }),
    theirs: moneyOf(theirAmount, theirCurrency),
    ours: moneyOf(ourAmount, ourCurrency),
  }))
}

export const moneyOf = (amount: bigint | null, currency: string | null) =>
  amount === null || currency === null ? null : { amount, currency }

const asUuid = sql`
  case when oldest.reference ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then oldest.reference::uuid end`

type ItemRow = Omit<OpenItem, 'name' | 'theirs' | 'ours'> & {
  bookedId: string | null
  theirAmount: bigint | null
  theirCurrency: string | null
  ourAmount: bigint | null
  ourCurrency: string | null
}

/**
 * The matched and open amounts of a clearing account in minor units, and the balance that they should add up
 * to.
 */
export type AccountSum = {
  spaceId: string
  environment: Environment
  purpose: string
  direction: Direction
  currency: string
  lines: bigint
  matchedLines: bigint
  matchedIn: bigint
  matchedOut: bigint
  openLines: bigint
  openIn: bigint
  openOut: bigint
  /** Money in less money out, up to the last line that reconciliation has read; `null` if that line is missing. */
  balance: bigint | null
}

const movedSums = sql`
  count(*) as lines, coalesce(sum(amount) filter (where direction = 'collection'), 0)::bigint as moved_in,
  coalesce(sum(amount) filter (where direction = 'disbursement'), 0)::bigint as moved_out`

export const selectSums = (db: Reader, extent: Extent) =>
  // every space: all Spaces share the operator's provider account
  db.query<AccountSum>(sql`
    select account.space_id, account.environment, account.purpose, account.direction, account.currency,
      account.seen as lines,
      matched.lines as matched_lines, matched.moved_in as matched_in, matched.moved_out as matched_out,
      open.lines as open_lines, open.moved_in as open_in, open.moved_out as open_out,
      case when account.seen = 0 then 0
        else -balance_after_line(account.space_id, account.environment, account.id, account.seen) end as balance
    from ${clearingAccounts(extent)} account
    cross join lateral (
      select ${movedSums} from statement_lines line
      where line.space_id = account.space_id and line.environment = account.environment
        and line.account_id = account.id
    ) matched
    cross join lateral (
      select ${movedSums} from open_clearing_lines line
      where line.space_id = account.space_id and line.environment = account.environment
        and line.account_id = account.id
    ) open
    order by account.space_id, account.environment, account.purpose, account.currency`)

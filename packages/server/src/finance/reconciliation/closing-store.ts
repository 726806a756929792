import type { Direction } from '../../ledger/accounts/store.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import type { Environment } from '../../platform/scope.ts'
import { type Extent, inExtent } from './clearing-store.ts'
import { type ItemName, itemNameOf } from './item-names.ts'
import { type ItemState, items, moneyOf, type OpenItem } from './report-store.ts'
import type { Signed } from './signed.ts'

/** The two sides of an open item. One of them may be missing. */
type ItemSides = {
  state: ItemState
  providerId: string
  environment: Environment
  lineId: string | null
  spaceId: string | null
  accountId: string | null
  seq: bigint | null
  bookedId: string | null
}

export async function selectOpenItem(db: Reader, name: ItemName): Promise<ItemSides | undefined> {
  const place = 'bookedId' in name ? await selectPlace(db, name.bookedId) : name
  if (!place) return undefined
  const isIt =
    'lineId' in place
      ? sql`item.line_id = ${place.lineId}`
      : sql`(item.space_id, item.account_id, item.seq) = (${place.spaceId}, ${place.accountId}, ${place.seq})`
  const { providerId, environment } = place
  // every space: all Spaces share the operator's provider account
  return db.one<ItemSides>(sql`
    with ${items({ providerId, environment })}
    select item.state, item.provider_id, item.environment, item.line_id, item.space_id, item.account_id, item.seq,
      booked.id as booked_id
    from items item
    left join ledger_lines booked on booked.space_id = item.space_id and booked.environment = item.environment
      and booked.account_id = item.account_id and booked.seq = item.seq
    where ${isIt}`)
}

type Place = { providerId: string; environment: Environment; spaceId: string; accountId: string; seq: bigint }

/** Finds an unmatched ledger line by its id. */
const selectPlace = (db: Reader, bookedId: string) =>
  // every space: operators specify a line only by its id
  db.one<Place>(sql`
    select open.provider_id, open.environment, open.space_id, open.account_id, open.seq
    from open_clearing_lines open
    join ledger_lines line on line.space_id = open.space_id and line.environment = open.environment
      and line.account_id = open.account_id and line.seq = open.seq
    where line.id = ${bookedId}`)

type Closing = { state: ItemState; closedAt: Date; closedBy: string; reason: string }

/** Returns when, by whom and why an item was closed, or `undefined` if it was not closed. */
export const selectClosing = (db: Reader, name: ItemName) =>
  // every space: operators specify an item only by its line
  db.one<Closing>(sql`
    select state, closed_at, closed_by, reason from item_closings closing
    where ${
      'bookedId' in name
        ? sql`exists (
            select 1 from ledger_lines line
            where line.space_id = closing.space_id and line.environment = closing.environment
              and line.account_id = closing.account_id and line.seq = closing.seq and line.id = ${name.bookedId})`
        : sql`provider_id = ${name.providerId} and environment = ${name.environment} and line_id = ${name.lineId}`
    }`)

export const insertClosing = (tx: Tx, item: ItemSides & Closing) =>
  // every space: an item that only the provider has belongs to no Space
  tx.only<Signed>(sql`
    insert into item_closings as closing (provider_id, environment, line_id, space_id, account_id, seq, state, closed_at, closed_by,
      reason)
    values (${item.providerId}, ${item.environment}, ${item.lineId}, ${item.spaceId}, ${item.accountId}, ${item.seq},
      ${item.state}, ${item.closedAt}, ${item.closedBy}, ${item.reason})
    returning counted_id(id) as object_id, item_closing_details(closing) as details`)

/** An item that an operator closed. */
export type ClosedItem = Closing &
  Pick<OpenItem, 'name' | 'providerId' | 'environment' | 'direction' | 'at' | 'theirs' | 'ours'>

/** Selects the closed items, with both sides. */
const closedItems = (extent: Extent): Sql =>
  // every space: all Spaces share the operator's provider account
  sql`
  (select closing.*, line.amount as their_amount, line.currency as their_currency, booked.amount as our_amount,
    booked.currency as our_currency, coalesce(line.direction, booked.direction) as direction,
    coalesce(line.moved_at, booked.booked_at) as at
  from (select * from item_closings where ${inExtent(extent)}) closing
  left join statement_lines line on line.provider_id = closing.provider_id
    and line.environment = closing.environment and line.id = closing.line_id
  left join open_clearing_lines booked on booked.space_id = closing.space_id
    and booked.environment = closing.environment and booked.account_id = closing.account_id
    and booked.seq = closing.seq)`

/** Returns the most recently closed items. */
export async function selectClosedItems(db: Reader, extent: Extent, limit: number): Promise<ClosedItem[]> {
  // every space: all Spaces share the operator's provider account
  const rows = await db.query<ClosedRow>(sql`
    select closed.state, closed.provider_id, closed.environment, closed.direction, closed.at, closed.their_amount,
      closed.their_currency, closed.our_amount, closed.our_currency, closed.line_id, line.id as booked_id,
      closed.closed_at, closed.closed_by, closed.reason
    from ${closedItems(extent)} closed
    left join ledger_lines line on line.space_id = closed.space_id and line.environment = closed.environment
      and line.account_id = closed.account_id and line.seq = closed.seq
    order by closed.closed_at desc, closed.id desc limit ${limit}`)
  return rows.map(({ theirAmount, theirCurrency, ourAmount, ourCurrency, lineId, bookedId, ...row }) => ({
    ...row,
    name: itemNameOf({ ...row, lineId, bookedId }),
    theirs: moneyOf(theirAmount, theirCurrency),
    ours: moneyOf(ourAmount, ourCurrency),
  }))
}

type ClosedRow = Omit<ClosedItem, 'name' | 'theirs' | 'ours'> & {
  theirAmount: bigint | null
  theirCurrency: string | null
  ourAmount: bigint | null
  ourCurrency: string | null
  lineId: string | null
  bookedId: string | null
}

/** Returns the number and total amount of the items closed by hand, by direction and currency. */
export const selectClosedSums = (db: Reader, extent: Extent) =>
  // every space: all Spaces share the operator's provider account
  db.query<{ direction: Direction; currency: string; items: bigint; amount: bigint }>(sql`
    select direction, coalesce(our_currency, their_currency) as currency, count(*) as items,
      sum(coalesce(our_amount, their_amount))::bigint as amount
    from ${closedItems(extent)} closed group by 1, 2 order by 2, 1`)

import type { Direction } from '../ledger/accounts.ts'
import type { Check, Subject } from '../platform/db/check.ts'
import { sql } from '../platform/db/sql.ts'
import { along, costing, leadingTo } from '../platform/db/walk.ts'
import { bookedIn, statedIn } from './day-store.ts'

/** They are few, and have no ids that rise with the time of a Space: all of them are new each time. */
const closings: Subject = {
  all: [along(sql`item_closings`, sql`id`)],
  since: () => [along(sql`item_closings`, sql`id`)],
}

/** Each makes the lines of a day be read again. */
const days = costing(10_000, along(sql`closed_days`, sql`id`))
const closedDays: Subject = {
  all: [days],
  since: (at) => [leadingTo(days, (rows) => sql`(select * from ${rows} day where day.closed_at >= ${at})`)],
}

const sumOf = (direction: Direction) =>
  sql`coalesce(sum(amount) filter (where direction = ${direction}), 0)::bigint`

export const reconciliationChecks: Check[] = [
  {
    name: 'every item that was closed by hand is there and is not matched, and whoever closed it said why',
    about: closings,
    differences: (rows) => sql`
      select closing.id::text, closing.provider_id, closing.environment, closing.line_id, closing.space_id,
        closing.account_id, closing.seq::text
      from ${rows} closing
      where (closing.line_id is not null and not exists (
          select 1 from statement_lines line
          where line.provider_id = closing.provider_id and line.environment = closing.environment
            and line.id = closing.line_id and line.space_id is null))
        or (closing.seq is not null and not exists (
          select 1 from open_clearing_lines open
          join ledger_lines line on line.space_id = open.space_id and line.environment = open.environment
            and line.account_id = open.account_id and line.seq = open.seq
          join audit_entries entry on entry.space_id = line.space_id and entry.environment = line.environment
            and entry.object_type = 'financial_transaction' and entry.object_id = line.id
          where open.space_id = closing.space_id and open.environment = closing.environment
            and open.account_id = closing.account_id and open.seq = closing.seq
            and open.provider_id = closing.provider_id and entry.action = 'reconciliation.close_item'
            and entry.actor = closing.closed_by and entry.reason = closing.reason))`,
  },
  {
    name: 'every day that was closed and not reopened has the sums of the lines that were stated and booked on it',
    about: closedDays,
    differences: (rows) => sql`
      select day.id::text, day.provider_id, day.environment, day.day::text, day.currency, stated.sums as stated,
        booked.sums as booked
      from ${rows} day
      cross join lateral (
        select array[count(*), ${sumOf('collection')}, ${sumOf('disbursement')}] as sums
        from ${statedIn(sql`day`)} line where line.currency = day.currency
      ) stated
      cross join lateral (
        select array[count(*), ${sumOf('collection')}, ${sumOf('disbursement')}] as sums
        from ${bookedIn(sql`day`)} line where line.currency = day.currency
      ) booked
      where day.reopened_at is null and (stated.sums, booked.sums) is distinct from (
        array[day.stated_lines, day.stated_in, day.stated_out],
        array[day.booked_lines, day.booked_in, day.booked_out])`,
  },
]

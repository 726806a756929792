import type { Check } from '../../platform/db/check.ts'
import { sql } from '../../platform/db/sql.ts'
import { alongIndex } from '../../platform/db/walk.ts'

const days = alongIndex(sql`clearing_days`, sql`space_id, environment, date, account_id, type`)
const tallies = alongIndex(sql`clearing_tallies`, sql`space_id, environment, account_id`)

export const clearingDayChecks: Check[] = [
  {
    name: 'the daily totals of every clearing account add up to its balance',
    about: { all: [tallies], since: () => [tallies] },
    differences: (rows) => sql`
      select tally.space_id, tally.environment, tally.account_id, tally.seq::text as seq, days.amount::text as amount,
        line.balance_after::text as balance_after
      from ${rows} tally
      cross join lateral (
        select coalesce(sum(amount), 0) as amount, coalesce(sum(count), 0) as count from clearing_days day
        where day.space_id = tally.space_id and day.environment = tally.environment
          and day.account_id = tally.account_id
      ) days
      cross join lateral (
        select balance_after_line(tally.space_id, tally.environment, tally.account_id, tally.seq) as balance_after
      ) line
      where -days.amount is distinct from coalesce(line.balance_after, 0) or days.count <> tally.seq`,
  },
  {
    name: 'every daily total belongs to a clearing account that was summed',
    about: { all: [days], since: () => [days] },
    differences: (rows) => sql`
      select day.space_id, day.environment, day.account_id, day.date::text
      from ${rows} day
      where not exists (
        select 1 from clearing_tallies tally
        where tally.space_id = day.space_id and tally.environment = day.environment
          and tally.account_id = day.account_id)`,
  },
]

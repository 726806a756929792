import type { Check } from '../platform/db/check.ts'
import { sql } from '../platform/db/sql.ts'
import { along } from '../platform/db/walk.ts'

const tallies = along(sql`clearing_tallies`, sql`space_id, environment, account_id`)

export const overviewChecks: Check[] = [
  {
    name: 'what an overview sums of a clearing account comes to its balance at that line',
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
      left join ledger_lines line on line.space_id = tally.space_id and line.environment = tally.environment
        and line.account_id = tally.account_id and line.seq = tally.seq
      where -days.amount is distinct from coalesce(line.balance_after, 0) or days.count <> tally.seq`,
  },
]

import { type Sql, sql } from '../platform/db/sql.ts'

/** One thing that must be true of the books: what was looked at, and the first rows that contradict it. */
export type Check = { name: string; examined: Sql; differences: Sql }

/** How many differences of a check are told. */
export const differencesTold = 20

const countLines = sql`select count(*) from ledger_lines -- every space: a proof covers all`

export const ledgerChecks: Check[] = [
  {
    name: 'every reference sums to zero in each currency',
    examined: countLines,
    differences: sql`
      select space_id, environment, reference, currency, sum(amount)::text as difference
      from ledger_lines
      group by space_id, environment, reference, currency
      having sum(amount) <> 0 limit ${differencesTold}`,
  },
  {
    name: 'running balances are continuous: 1, 2, 3, … and each balance is the one before plus the amount',
    examined: countLines,
    differences: sql`
      select * from (
        select space_id, environment, account_id, seq, balance_after::text,
          amount + coalesce(lag(balance_after) over account, 0) as expected_balance,
          coalesce(lag(seq) over account, 0) + 1 as expected_seq
        from ledger_lines
        window account as (partition by space_id, environment, account_id order by seq)
      ) line
      where balance_after::bigint <> expected_balance or seq <> expected_seq limit ${differencesTold}`,
  },
  {
    name: 'every balance equals the lines of its account',
    examined: sql`select count(*) from ledger_accounts -- every space: a proof covers all`,
    differences: sql`
      select account.space_id, account.environment, account.id, account.posted::text,
        coalesce(lines.total, 0)::text as lines_total, account.next_seq, coalesce(lines.count, 0) + 1 as expected_next_seq
      from ledger_accounts account
      left join (
        select space_id, environment, account_id, sum(amount) as total, count(*) as count
        from ledger_lines group by space_id, environment, account_id
      ) lines on lines.space_id = account.space_id and lines.environment = account.environment
        and lines.account_id = account.id
      where account.posted <> coalesce(lines.total, 0) or account.next_seq <> coalesce(lines.count, 0) + 1
      limit ${differencesTold}`,
  },
  {
    name: 'no account of a merchant is below what is held in it',
    examined: sql`select count(*) from ledger_accounts where not allows_negative -- every space: a proof covers all`,
    differences: sql`
      select space_id, environment, id, posted::text, held::text from ledger_accounts
      where not allows_negative and posted < held limit ${differencesTold}`,
  },
  {
    name: 'every case has its money in suspense',
    examined: sql`select count(*) from ledger_cases -- every space: a proof covers all`,
    differences: sql`
      select c.space_id, c.environment, c.id, c.object_id, c.amount::text
      from ledger_cases c
      where not exists (
        select 1 from ledger_lines line
        join ledger_accounts account on account.space_id = line.space_id and account.environment = line.environment
          and account.id = line.account_id
        where line.space_id = c.space_id and line.environment = c.environment and line.reference = c.reference
          and line.id between ledger_reference_start(c.reference) and ledger_reference_end(c.reference)
          and account.kind = 'suspense' and line.amount = c.amount)
      limit ${differencesTold}`,
  },
]

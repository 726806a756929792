import { type Check, differencesTold } from '../ledger/checks.ts'
import { sql } from '../platform/db/sql.ts'

const countPayments = sql`select count(*) from payments -- every space: a proof covers all`

export const paymentChecks: Check[] = [
  {
    name: 'every completed payment has one posting: gross to the merchant, its fees from there',
    examined: countPayments,
    differences: sql`
      select p.space_id, p.environment, p.id, p.amount::text, booked.gross::text, booked.fees::text
      from payments p
      left join lateral (
        select coalesce(sum(line.amount) filter (where line.fee_code is null), 0) as gross,
          coalesce(-sum(line.amount) filter (where line.fee_code is not null), 0) as fees,
          count(*) as lines
        from ledger_lines line
        where line.space_id = p.space_id and line.environment = p.environment
          and line.reference = p.ledger_reference
          and line.id between ledger_reference_start(p.ledger_reference) and ledger_reference_end(p.ledger_reference)
          and line.account_id = p.financial_account_id
      ) booked on true
      where p.status = 'completed' and (
        booked.gross <> p.amount
        or booked.lines <> 1 + jsonb_array_length(p.fees)
        or booked.fees <> coalesce((select sum((fee ->> 'amount')::bigint) from jsonb_array_elements(p.fees) fee), 0))
      limit ${differencesTold}`,
  },
  {
    name: 'no posting belongs to a payment that is not completed, but for cases',
    examined: countPayments,
    differences: sql`
      select line.space_id, line.environment, line.reference, line.owners
      from ledger_lines line
      join ledger_accounts account on account.space_id = line.space_id and account.environment = line.environment
        and account.id = line.account_id and account.kind = 'clearing'
      where account.purpose like '% collection'
        and not exists (
          select 1 from payments p
          where p.space_id = line.space_id and p.environment = line.environment and p.ledger_reference = line.reference)
        and not exists (
          select 1 from ledger_cases c
          where c.space_id = line.space_id and c.environment = line.environment and c.reference = line.reference)
      limit ${differencesTold}`,
  },
  {
    name: 'collection clearing equals what completed through each provider, and the cases',
    examined: sql`select count(*) from ledger_accounts where kind = 'clearing' -- every space: a proof covers all`,
    differences: sql`
      with expected as (
        select space_id, environment, 'clearing ' || provider_id || ' collection' as purpose, currency,
          sum(amount) as total
        from (
          select space_id, environment, provider_id, currency, amount from payments where status = 'completed'
          union all
          select p.space_id, p.environment, p.provider_id, c.currency, c.amount from ledger_cases c
          join payments p on p.space_id = c.space_id and p.environment = c.environment and p.id = c.object_id
          where c.object_type = 'payment'
        ) moved
        group by space_id, environment, provider_id, currency
      )
      select space_id, environment, purpose, currency, account.posted::text, (-expected.total)::text as expected
      from (select * from ledger_accounts where kind = 'clearing' and purpose like '% collection') account
      full join expected using (space_id, environment, purpose, currency)
      where coalesce(account.posted, 0) <> -coalesce(expected.total, 0)
      limit ${differencesTold}`,
  },
]

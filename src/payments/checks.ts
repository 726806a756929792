import {
  type Check,
  cases,
  differencesTold,
  linesOf,
  ownersOf,
  postings,
  type Subject,
} from '../ledger/checks.ts'
import { firstReferenceAt } from '../ledger/reference.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { along, leadingTo, since } from '../platform/db/walk.ts'
import { firstId } from '../platform/ids.ts'

/** Those that are new are those that were completed since: a reference begins with its time. */
const payments: Subject = {
  all: [along(sql`payments`, sql`space_id, environment, id`)],
  since: (at) => [since(sql`payments`, sql`ledger_reference`, sql`text`, firstReferenceAt(at))],
}

const receipts: Subject = {
  all: [along(sql`receipts`, sql`space_id, environment, order_id`)],
  since: (at) => [since(sql`receipts`, sql`order_id`, sql`uuid`, firstId(at))],
}

/** What a provider collected: completed payments, and cases of payments that had failed before. */
const collections: Subject = {
  all: [
    ...payments.all.map((walk) => leadingTo(walk, collectionsOf)),
    ...cases.all.map((walk) => leadingTo(walk, lateCollectionsOf)),
  ],
  since: (at) => [
    ...payments.since(at).map((walk) => leadingTo(walk, collectionsOf)),
    ...cases.since(at).map((walk) => leadingTo(walk, lateCollectionsOf)),
  ],
}

function collectionsOf(rows: Sql): Sql {
  return sql`
    (select space_id, environment, id, provider_id, amount, currency, ledger_reference as reference
    from ${rows} payment where status = 'completed')`
}

function lateCollectionsOf(rows: Sql): Sql {
  return sql`
    (select p.space_id, p.environment, p.id, p.provider_id, c.amount, c.currency, c.reference
    from ${rows} c
    cross join lateral (
      select * from payments p
      where p.space_id = c.space_id and p.environment = c.environment and p.id = c.object_id offset 0
    ) p
    where c.object_type = 'payment')`
}

export const paymentChecks: Check[] = [
  {
    name: 'every completed payment has one posting: gross to the merchant, its fees from there',
    about: payments,
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.amount::text, booked.gross::text, booked.fees::text
      from ${rows} p
      cross join lateral (
        select coalesce(sum(line.amount) filter (where line.fee_code is null), 0) as gross,
          coalesce(-sum(line.amount) filter (where line.fee_code is not null), 0) as fees,
          count(*) as lines
        from ${linesOf(sql`p`, sql`p.ledger_reference`)} line
        where line.account_id = p.financial_account_id
      ) booked
      where p.status = 'completed' and (
        booked.gross <> p.amount
        or booked.lines <> 1 + jsonb_array_length(p.fees)
        or booked.fees <> coalesce((select sum((fee ->> 'amount')::bigint) from jsonb_array_elements(p.fees) fee), 0))
      limit ${differencesTold}`,
  },
  {
    name: 'no posting belongs to a payment that is not completed, but for cases',
    about: postings,
    differences: (rows) => sql`
      select posting.space_id, posting.environment, posting.reference, posting.owner_id
      from ${ownersOf(rows)} posting
      where posting.owner_type = 'payment'
        and not exists (
          select 1 from payments p
          where p.space_id = posting.space_id and p.environment = posting.environment
            and p.ledger_reference = posting.reference and p.status = 'completed' and p.id::text = posting.owner_id)
        and not exists (
          select 1 from ledger_cases c
          where c.space_id = posting.space_id and c.environment = posting.environment
            and c.reference = posting.reference and c.object_id::text = posting.owner_id)
        and not exists (
          select 1 from ledger_cases c
          where c.space_id = posting.space_id and c.environment = posting.environment
            and c.closing_reference = posting.reference and c.object_id::text = posting.owner_id)
      limit ${differencesTold}`,
  },
  {
    name: 'no line of a collection clearing account belongs to anything but a payment',
    about: postings,
    differences: (rows) => sql`
      select line.space_id, line.environment, line.id, line.reference, line.owners::text
      from ${rows} line
      where not line.is_financial and line.owners -> 0 ->> 'type' is distinct from 'payment'
        and (
          select account.kind = 'clearing' and account.purpose like '% collection' from ledger_accounts account
          where account.space_id = line.space_id and account.environment = line.environment
            and account.id = line.account_id)
      limit ${differencesTold}`,
  },
  {
    name: 'collection clearing equals what completed through each provider, and the cases',
    about: collections,
    // One by one: each has its own amount there once, and the two checks before let nothing else stand there.
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.provider_id, p.reference, p.currency, (-p.amount)::text as expected,
        clearing.amounts
      from ${rows} p
      cross join lateral (
        select coalesce(array_agg(line.amount::text), '{}') as amounts, count(*) as lines,
          count(*) filter (where line.amount = -p.amount and account.currency = p.currency
            and account.purpose = 'clearing ' || p.provider_id || ' collection') as expected
        from ${linesOf(sql`p`, sql`p.reference`)} line
        join ledger_accounts account on account.space_id = line.space_id and account.environment = line.environment
          and account.id = line.account_id
        where not line.is_financial and account.kind = 'clearing'
      ) clearing
      where (clearing.lines, clearing.expected) <> (1, 1)
      limit ${differencesTold}`,
  },
  {
    name: 'every completed payment has a receipt, with what its order grants less what was redeemed',
    about: payments,
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.order_number, receipt.remaining::text, granted.units::text as expected
      from ${rows} p
      left join lateral (
        select remaining from receipts receipt
        where receipt.space_id = p.space_id and receipt.environment = p.environment and receipt.order_id = p.order_id
        offset 0
      ) receipt on true
      cross join lateral (
        select array_agg((item ->> 'limit')::integer - coalesce(redeemed.units[place], 0) order by place) as units
        from orders o
        cross join json_array_elements(
          case json_typeof(o.entitlements) when 'array' then o.entitlements else '[]' end
        ) with ordinality as items (item, place)
        left join lateral (
          select array_agg(units order by place) as units from (
            select place, sum(unit)::integer as units from redemptions redemption
            cross join unnest(redemption.units) with ordinality as redeemed (unit, place)
            where redemption.space_id = p.space_id and redemption.environment = p.environment
              and redemption.order_id = p.order_id
            group by place
          ) redeemed
        ) redeemed on true
        where o.space_id = p.space_id and o.environment = p.environment and o.id = p.order_id
      ) granted
      where p.status = 'completed' and receipt.remaining is distinct from granted.units
      limit ${differencesTold}`,
  },
  {
    name: 'every receipt is of a payment that completed',
    about: receipts,
    differences: (rows) => sql`
      select receipt.space_id, receipt.environment, receipt.order_id
      from ${rows} receipt
      where not exists (
        select 1 from orders o
        join payments p on p.space_id = o.space_id and p.environment = o.environment and p.order_number = o.number
        where o.space_id = receipt.space_id and o.environment = receipt.environment and o.id = receipt.order_id
          and p.status = 'completed')
      limit ${differencesTold}`,
  },
  {
    name: 'a payment that has not ended says nothing of an end',
    about: payments,
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.rail_transaction, p.failure_code, p.fees::text
      from ${rows} p
      where p.status in ('pending', 'processing') and (p.fees <> '[]'
        or num_nonnulls(p.rail_transaction, p.ledger_reference, p.failure_code, p.failure_message, p.card_scheme) > 0)
      limit ${differencesTold}`,
  },
  {
    name: 'every payment is what its provider was told to collect, and stands as that does',
    about: payments,
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.status, instruction.state, p.amount::text, instruction.amount::text as told
      from ${rows} p
      left join lateral (
        select * from instructions i
        where i.space_id = p.space_id and i.environment = p.environment and i.id = p.id offset 0
      ) instruction on true
      where (instruction.kind, instruction.provider_id, instruction.amount, instruction.currency, instruction.account,
          instruction.reference, instruction.order_number) is distinct from
          ('collect', p.provider_id, p.amount, p.currency, p.payer_account, p.rail_reference, p.order_number)
        or p.status <> case instruction.state when 'created' then 'pending' when 'succeeded' then 'completed'
          when 'failed' then 'failed' else 'processing' end
      limit ${differencesTold}`,
  },
]

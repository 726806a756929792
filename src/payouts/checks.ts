import {
  type Check,
  cases,
  differencesTold,
  inSuspense,
  linesOf,
  ownersOf,
  postings,
  type Subject,
} from '../ledger/checks.ts'
import { firstReferenceAt } from '../ledger/reference.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { along, leadingTo, since } from '../platform/db/walk.ts'
import { firstId } from '../platform/ids.ts'

/** Those that are new were made since, or made before and completed since: a reference begins with its time. */
const payouts: Subject = {
  all: [along(sql`payouts`, sql`space_id, environment, id`)],
  since: (at) => [
    since(sql`payouts`, sql`id`, sql`uuid`, firstId(at)),
    since(sql`payouts`, sql`ledger_reference`, sql`text`, firstReferenceAt(at), sql`and id < ${firstId(at)}`),
  ],
}

const holds: Subject = {
  all: [along(sql`ledger_holds`, sql`space_id, environment, id`)],
  since: (at) => [since(sql`ledger_holds`, sql`id`, sql`uuid`, firstId(at))],
}

/** What a provider paid out: completed payouts, and cases: late successes, and what it never paid out after all. */
const disbursements: Subject = {
  all: [
    ...payouts.all.map((walk) => leadingTo(walk, disbursementsOf)),
    ...cases.all.map((walk) => leadingTo(walk, lateDisbursementsOf)),
  ],
  since: (at) => [
    ...payouts.since(at).map((walk) => leadingTo(walk, disbursementsOf)),
    ...cases.since(at).map((walk) => leadingTo(walk, lateDisbursementsOf)),
  ],
}

function disbursementsOf(rows: Sql): Sql {
  return sql`
    (select space_id, environment, id, provider_id, amount, currency, ledger_reference as reference
    from ${rows} payout where status = 'completed')`
}

function lateDisbursementsOf(rows: Sql): Sql {
  return sql`
    (select p.space_id, p.environment, p.id, p.provider_id, -${inSuspense} as amount, c.currency, c.reference
    from ${rows} c
    cross join lateral (
      select * from payouts p
      where p.space_id = c.space_id and p.environment = c.environment and p.id = c.object_id offset 0
    ) p
    where c.object_type = 'payout')`
}

const feesOf = (payout: Sql) =>
  sql`coalesce((select sum((fee ->> 'amount')::bigint) from jsonb_array_elements(${payout}.fees) fee), 0)`

export const payoutChecks: Check[] = [
  {
    name: 'every completed payout has one posting: its amount and its fees from its account',
    about: payouts,
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.amount::text, booked.amount::text as booked, booked.fees::text
      from ${rows} p
      cross join lateral (
        select coalesce(-sum(line.amount) filter (where line.fee_code is null), 0) as amount,
          coalesce(-sum(line.amount) filter (where line.fee_code is not null), 0) as fees,
          count(*) as lines
        from ${linesOf(sql`p`, sql`p.ledger_reference`)} line
        where line.account_id = p.financial_account_id
      ) booked
      where p.status = 'completed' and (
        booked.amount <> p.amount
        or booked.lines <> 1 + jsonb_array_length(p.fees)
        or booked.fees <> ${feesOf(sql`p`)})
      limit ${differencesTold}`,
  },
  {
    name: 'no posting belongs to a payout that is not completed, but for cases',
    about: postings,
    differences: (rows) => sql`
      select posting.space_id, posting.environment, posting.reference, posting.owner_id
      from ${ownersOf(rows)} posting
      where posting.owner_type = 'payout'
        and not exists (
          select 1 from payouts p
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
    name: 'every payout that has not ended holds its amount and fees; completed it has taken them, failed given back',
    about: payouts,
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.status, p.amount::text, hold.amount::text as held,
        hold.captured::text, hold.released::text
      from ${rows} p
      left join lateral (
        select * from ledger_holds h
        where h.space_id = p.space_id and h.environment = p.environment and h.id = p.hold_id offset 0
      ) hold on true
      where p.hold_id is not null and (hold.account_id, hold.owner ->> 'type', hold.owner ->> 'id', hold.expires_at,
        hold.amount, hold.captured, hold.released) is distinct from (
        p.financial_account_id, 'payout', p.id::text, null::timestamptz, p.amount + ${feesOf(sql`p`)},
        case p.status when 'completed' then hold.amount else 0 end,
        case p.status when 'failed' then hold.amount else 0 end)
      limit ${differencesTold}`,
  },
  {
    name: 'every open hold of a payout is of one that has not ended',
    about: holds,
    differences: (rows) => sql`
      select hold.space_id, hold.environment, hold.id, hold.owner ->> 'id' as payout
      from ${rows} hold
      where hold.captured + hold.released < hold.amount and hold.owner ->> 'type' = 'payout'
        and not exists (
          select 1 from payouts p
          where p.space_id = hold.space_id and p.environment = hold.environment
            and p.id = (hold.owner ->> 'id')::uuid and p.hold_id = hold.id and p.status in ('pending', 'processing'))
      limit ${differencesTold}`,
  },
  {
    name: 'no line of a disbursement clearing account belongs to anything but a payout',
    about: postings,
    differences: (rows) => sql`
      select line.space_id, line.environment, line.id, line.reference, line.owners::text
      from ${rows} line
      where not line.is_financial and line.owners -> 0 ->> 'type' is distinct from 'payout'
        and (
          select account.kind = 'clearing' and account.purpose like '% disbursement' from ledger_accounts account
          where account.space_id = line.space_id and account.environment = line.environment
            and account.id = line.account_id)
      limit ${differencesTold}`,
  },
  {
    name: 'disbursement clearing equals what completed through each provider, and the cases',
    about: disbursements,
    // One by one: each has its own amount there once, and the checks before let nothing else stand there.
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.provider_id, p.reference, p.currency, p.amount::text as expected,
        clearing.amounts
      from ${rows} p
      cross join lateral (
        select coalesce(array_agg(line.amount::text), '{}') as amounts, count(*) as lines,
          count(*) filter (where line.amount = p.amount and account.currency = p.currency
            and account.purpose = 'clearing ' || p.provider_id || ' disbursement') as expected
        from ${linesOf(sql`p`, sql`p.reference`)} line
        join ledger_accounts account on account.space_id = line.space_id and account.environment = line.environment
          and account.id = line.account_id
        where not line.is_financial and account.kind = 'clearing'
      ) clearing
      where (clearing.lines, clearing.expected) <> (1, 1)
      limit ${differencesTold}`,
  },
  {
    name: 'a payout that has not ended says nothing of an end',
    about: payouts,
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.rail_transaction, p.failure_code
      from ${rows} p
      where p.status in ('pending', 'processing')
        and num_nonnulls(p.rail_transaction, p.ledger_reference, p.failure_code, p.failure_message) > 0
      limit ${differencesTold}`,
  },
  {
    name: 'every payout that may be sent is what its provider is told to pay, and stands as that does',
    about: payouts,
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.status, instruction.state, p.amount::text, instruction.amount::text as told
      from ${rows} p
      left join lateral (
        select * from instructions i
        where i.space_id = p.space_id and i.environment = p.environment and i.id = p.id offset 0
      ) instruction on true
      where case when p.hold_id is null or p.approval in ('required', 'rejected')
        then instruction.id is not null
        else (instruction.kind, instruction.provider_id, instruction.amount, instruction.currency, instruction.account,
            instruction.reference) is distinct from
            ('disburse', p.provider_id, p.amount, p.currency, p.payee_account, p.rail_reference)
          or p.status <> case instruction.state when 'created' then 'pending' when 'succeeded' then 'completed'
            when 'failed' then 'failed' else 'processing' end
        end
      limit ${differencesTold}`,
  },
]

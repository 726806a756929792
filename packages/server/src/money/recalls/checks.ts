import {
  linesOfReference,
  type PostingForm,
  postedSubject,
  postingOwners,
  postings,
} from '../../ledger/accounts/checks.ts'
import type { ReconciledType } from '../../ledger/accounts/reconciled-types.ts'
import { isUnarchived } from '../../platform/db/archived-months.ts'
import type { Check, Subject } from '../../platform/db/check.ts'
import { sql } from '../../platform/db/sql.ts'
import { mapRows } from '../../platform/db/walk.ts'
import { rowsNamedBy, tableSubject } from '../../tenants/spaces/since.ts'

const recalls = postedSubject(sql`recalls`)

const payoutsOf = rowsNamedBy(sql`payouts`, sql`payout_id`)

const payoutRows = tableSubject(sql`payouts`)

/** New payouts, and payouts recalled since the last check. */
const payouts: Subject = {
  all: payoutRows.all,
  since: (at) => [...payoutRows.since(at), ...recalls.since(at).map((walk) => mapRows(walk, payoutsOf))],
}

/** Form of a recall's postings, which move money from the clearing account back to the account that paid. */
export const recallPostings: PostingForm = {
  type: 'recall',
  clears: ['disbursement'],
  fits: sql`lines = 2 and merchants = 1 and kinds = '{clearing}'`,
}

/**
 * How recalls are identified in provider statements: by the id of the provider's transaction that returned the
 * money.
 */
export const reconciledRecalls: ReconciledType = {
  type: 'recall',
  table: sql`
    (select space_id, environment, id, status, null::uuid as rail_reference, rail_transaction from recalls)`,
  orderNumber: sql`null::text`,
}

export const recallChecks: Check[] = [
  {
    name: 'every recall belongs to a completed payout with the same account, currency and provider',
    about: recalls,
    differences: (rows) => sql`
      select r.space_id, r.environment, r.id, r.payout_id
      from ${rows} r
      where not exists (
        select 1 from payouts p
        where p.space_id = r.space_id and p.environment = r.environment and p.id = r.payout_id
          and (p.status, p.financial_account_id, p.currency, p.provider_id) =
            ('completed', r.financial_account_id, r.currency, r.provider_id))`,
  },
  {
    name: 'every returned recall has one posting, from its provider to the account that paid, which reverses the payout’s line',
    about: recalls,
    differences: (rows) => sql`
      select r.space_id, r.environment, r.id, r.returned::text, r.ledger_reference, booked.lines::text
      from ${rows} r
      cross join lateral (
        select ledger_reference from payouts p
        where p.space_id = r.space_id and p.environment = r.environment and p.id = r.payout_id offset 0
      ) p
      cross join lateral (
        select count(*) as lines,
          count(*) filter (where line.currency = r.currency and line.at = r.updated_at
            and line.owners -> 0 ->> 'type' = 'recall' and line.owners -> 0 ->> 'id' = r.id::text
            and line.owners -> 1 ->> 'id' = r.payout_id::text) as own,
          count(*) filter (where line.amount = -r.returned and account.kind = 'clearing'
            and account.provider_id = r.provider_id and account.direction = 'disbursement') as clearing,
          count(*) filter (where line.amount = r.returned and account.id = r.financial_account_id
            and line.reversed_reference = p.ledger_reference and exists (
              select 1 from ${linesOfReference(sql`r`, sql`p.ledger_reference`)} original
              where original.id = line.reversed_line_id and original.account_id = line.account_id
                and original.amount < 0 and original.fee_code is null)) as merchant
        from ${linesOfReference(sql`r`, sql`r.ledger_reference`)} line
        join ledger_accounts account on account.space_id = line.space_id and account.environment = line.environment
          and account.id = line.account_id
      ) booked
      where r.status = 'returned' and ${isUnarchived(sql`ledger_reference_start(p.ledger_reference)`)} and (booked.lines, booked.own, booked.clearing, booked.merchant) <> (2, 2, 1, 1)`,
  },
  {
    name: 'every posting of a recall records its return',
    about: postings,
    differences: (rows) => sql`
      select posting.space_id, posting.environment, posting.reference, posting.owner_id
      from ${postingOwners(rows)} posting
      where posting.owner_type = 'recall'
        and not exists (
          select 1 from recalls r
          where r.space_id = posting.space_id and r.environment = posting.environment
            and r.ledger_reference = posting.reference and r.id::text = posting.owner_id)`,
  },
  {
    name: 'the recalled amount of every payout agrees with its recalls and its case, and does not exceed the payout',
    about: payouts,
    // If a payout was never sent and its case is closed, the amount that recalls had not returned by then also
    // counts as recalled.
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.amount::text, p.recalled::text, asked.recalled::text as of_recalls,
        cases.amount::text as of_cases
      from ${rows} p
      cross join lateral (
        select coalesce(sum(case status when 'open' then amount else returned end), 0) as recalled,
          coalesce(sum(returned), 0) as returned
        from recalls r
        where r.space_id = p.space_id and r.environment = p.environment and r.payout_id = p.id
          and status in ('open', 'returned')
      ) asked
      cross join lateral (
        select coalesce(sum(amount - c.returned) filter (where c.closing_reference is not null), 0) as amount,
          coalesce(sum(c.returned), 0) as returned, count(*) as cases
        from ledger_cases c
        where c.space_id = p.space_id and c.environment = p.environment and c.object_type = 'payout'
          and c.object_id = p.id and c.kind = 'failure_after_success'
      ) cases
      where p.recalled <> asked.recalled or asked.returned + cases.amount > p.amount
        or (cases.cases > 0 and cases.returned <> asked.returned)`,
  },
  {
    name: 'every returned or refused recall has its audit entry, and no other recall has one',
    about: recalls,
    differences: (rows) => sql`
      select r.space_id, r.environment, r.id, r.status
      from ${rows} r
      cross join lateral (
        select count(*) as entries, count(*) filter (where entry.action = case r.status
            when 'returned' then 'recall.return' when 'refused' then 'recall.refuse' end
          and (r.status = 'refused' or (entry.details ->> 'transaction', entry.details ->> 'amount',
            entry.details ->> 'reference') = (r.rail_transaction, r.returned::text, r.ledger_reference))) as fitting
        from audit_entries entry
        where entry.space_id = r.space_id and entry.environment = r.environment and entry.object_type = 'recall'
          and entry.object_id = r.id
      ) audited
      cross join lateral (select case when r.status in ('returned', 'refused') then 1 else 0 end as entries) decided
      where (audited.entries, audited.fitting) <> (decided.entries, decided.entries)`,
  },
]

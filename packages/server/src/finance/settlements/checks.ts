import { linesOfReference, type PostingForm, postingOwners, postings } from '../../ledger/accounts/checks.ts'
import type { ReconciledType } from '../../ledger/accounts/reconciled-types.ts'
import { firstReferenceAt } from '../../ledger/accounts/reference.ts'
import { isUnarchived } from '../../platform/db/archived-months.ts'
import type { Check, Subject } from '../../platform/db/check.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { rowsSince, tableSubject } from '../../tenants/spaces/since.ts'

const ofTable = tableSubject(sql`settlements`)

/**
 * Settlements. The ones booked or reversed since the last check are found by their references, which start with
 * a timestamp.
 */
const settlements: Subject = {
  all: ofTable.all,
  since: (at) => [
    ...ofTable.since(at),
    rowsSince(sql`settlements`, sql`reversal_reference`, sql`text`, firstReferenceAt(at)),
  ],
}

/** Postings between a clearing account and the bank. */
export const settlementPostings: PostingForm = {
  type: 'settlement',
  fits: sql`lines = 2 and merchants = 0 and kinds = '{bank,clearing}'`,
  clears: ['collection', 'disbursement'],
}

/**
 * How a line of a provider's statement may identify a settlement: it may contain the bank reference either as
 * its reference or as its transaction.
 */
export const reconciledSettlements: ReconciledType = {
  type: 'settlement',
  table: sql`
    (select space_id, environment, id, case when reversed_at is null then 'booked' else 'reversed' end as status,
      null::uuid as rail_reference, bank_reference as rail_transaction
    from settlements)`,
  orderNumber: sql`object.rail_transaction`,
}

/** Counts the lines of a posting of settlement `s`, and how many of them are its clearing line or its bank line. */
const sidesOf = (reference: Sql, sign: Sql) => sql`
  select count(*) as lines,
    count(*) filter (where account.kind = 'clearing' and account.provider_id = s.provider_id
      and account.direction = s.direction and line.amount = ${sign} * s.amount) as clearing,
    count(*) filter (where account.kind = 'bank' and line.amount = -(${sign} * s.amount)) as bank,
    count(*) filter (where line.currency = s.currency and line.owners -> 0 ->> 'type' = 'settlement'
      and line.owners -> 0 ->> 'id' = s.id::text) as own,
    min(line.at) as at
  from ${linesOfReference(sql`s`, reference)} line
  join ledger_accounts account on account.space_id = line.space_id and account.environment = line.environment
    and account.id = line.account_id`

const sign = sql`case s.kind when 'payout_to_bank' then 1 else -1 end`

const decided = (action: string, actor: Sql, reason: Sql) => sql`
  exists (
    select 1 from audit_entries entry
    where entry.space_id = s.space_id and entry.environment = s.environment and entry.object_type = 'settlement'
      and entry.object_id = s.id and entry.action = ${action} and entry.actor = ${actor} and entry.reason = ${reason}
      and (entry.details ->> 'bankReference', entry.details ->> 'valueDate', entry.details ->> 'isAdvance',
        entry.details ->> 'note') is not distinct from (s.bank_reference, s.value_date, s.is_advance::text, s.note))`

export const settlementChecks: Check[] = [
  {
    name: 'every settlement has one posting between clearing and bank, and the opposite one if it was reversed',
    about: settlements,
    differences: (rows) => sql`
      select s.space_id, s.environment, s.id, s.amount::text, s.ledger_reference, s.reversal_reference
      from ${rows} s
      cross join lateral (${sidesOf(sql`s.ledger_reference`, sql`(${sign})`)}) booked
      cross join lateral (${sidesOf(sql`s.reversal_reference`, sql`-(${sign})`)}) reversed
      where (${isUnarchived(sql`s.id`)} and (booked.lines, booked.clearing, booked.bank, booked.own, booked.at, s.created_at)
          is distinct from (2, 1, 1, 2, s.created_at, id_moment(s.id)))
        or (s.reversal_reference is not null and ${isUnarchived(sql`ledger_reference_start(s.reversal_reference)`)} and (reversed.lines, reversed.clearing, reversed.bank, reversed.own,
          reversed.at) is distinct from (2, 1, 1, 2, s.reversed_at))
        or s.updated_at <> coalesce(s.reversed_at, s.created_at)`,
  },
  {
    name: 'every booking and reversal of a settlement has an audit entry with actor and reason',
    about: settlements,
    differences: (rows) => sql`
      select s.space_id, s.environment, s.id, s.bank_reference, s.created_by, s.reversed_by
      from ${rows} s
      where not ${decided(
        'settlement.book',
        sql`s.created_by`,
        sql`coalesce(s.note, 'bank reference ' || s.bank_reference)`,
      )}
        or (s.reversed_at is not null) <> exists (
          select 1 from audit_entries entry
          where entry.space_id = s.space_id and entry.environment = s.environment
            and entry.object_type = 'settlement' and entry.object_id = s.id and entry.action = 'settlement.reverse')
        or (s.reversed_at is not null
          and not ${decided('settlement.reverse', sql`s.reversed_by`, sql`s.reversal_reason`)})`,
  },
  {
    name: 'every posting of a settlement records its booking or its reversal',
    about: postings,
    differences: (rows) => sql`
      select posting.space_id, posting.environment, posting.reference, posting.owner_id
      from ${postingOwners(rows)} posting
      where posting.owner_type = 'settlement'
        and not exists (
          select 1 from settlements s
          where s.space_id = posting.space_id and s.environment = posting.environment
            and s.ledger_reference = posting.reference and s.id::text = posting.owner_id)
        and not exists (
          select 1 from settlements s
          where s.space_id = posting.space_id and s.environment = posting.environment
            and s.reversal_reference = posting.reference and s.id::text = posting.owner_id)`,
  },
]

import { isUnarchived } from '../../platform/db/archived-months.ts'
import type { Check, Subject } from '../../platform/db/check.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { alongIndex, alongMoments, mapRows } from '../../platform/db/walk.ts'
import { firstId } from '../../platform/ids.ts'
import type { OwnerRef } from '../../tenants/spaces/ownership.ts'
import { rowsNamedBy, rowsSince, tableSubject, uniquenessCheck } from '../../tenants/spaces/since.ts'
import { firstReferenceAt } from './reference.ts'
import type { Direction } from './store.ts'

const linesSince = (at: Date) => rowsSince(sql`ledger_lines`, sql`id`, sql`uuid`, firstId(at))
const holdsSince = (at: Date) => rowsSince(sql`ledger_holds`, sql`id`, sql`uuid`, firstId(at))

const lines: Subject = {
  all: [alongIndex(sql`ledger_lines`, sql`space_id, environment, account_id, seq`)],
  since: (at) => [linesSince(at)],
}

/** Selects the lines of months that have not been archived. Of other postings, only some lines are kept. */
const unarchived = (rows: Sql) => sql`(select * from ${rows} line where ${isUnarchived(sql`line.id`)})`

/**
 * Postings, read in chunks. All lines of a reference are in the same chunk, because their ids begin with the
 * same timestamp.
 */
export const postings: Subject = {
  all: [mapRows(alongMoments(sql`ledger_lines`), unarchived)],
  since: (at) => [mapRows(mapRows(linesSince(at), unarchived), postingsOf)],
}

export const accounts: Subject = {
  all: [alongIndex(sql`ledger_accounts`, sql`space_id, environment, id`)],
  since: (at) => [mapRows(linesSince(at), accountsOf), mapRows(holdsSince(at), accountsOf)],
}

export const cases = tableSubject(sql`ledger_cases`)

/**
 * Selects the lines of a reference in the Space of row `of`. Their ids begin with the timestamp of the
 * reference, so the primary key finds them. `offset 0` prevents the planner from reading the account's lines
 * instead.
 */
export const linesOfReference = (of: Sql, reference: Sql): Sql => sql`
  (select line.* from (select ledger_reference_start(${reference}) as first_id offset 0) moment
  cross join lateral (
    select * from ledger_lines line
    where line.space_id = ${of}.space_id and line.environment = ${of}.environment and line.reference = ${reference}
      and line.id between first_id and id_moment_end(first_id)
    offset 0
  ) line)`

const postingsOf = (rows: Sql) => sql`
  (select line.* from (select distinct space_id, environment, reference from ${rows} walked) touched
  cross join lateral ${linesOfReference(sql`touched`, sql`touched.reference`)} line)`

const accountsOf = rowsNamedBy(sql`ledger_accounts`, sql`account_id`)

/**
 * Returns the subject of a check of a table whose rows are posted under `ledger_reference`: rows created since
 * the last check, and older ones posted since then. The latter are found by their references, which start with
 * a timestamp.
 *
 * @param only restricts the older rows
 */
export function postedSubject(table: Sql, only = sql`true`): Subject {
  const created = tableSubject(table)
  return {
    all: created.all,
    since: (at) => [
      ...created.since(at),
      rowsSince(
        table,
        sql`ledger_reference`,
        sql`text`,
        firstReferenceAt(at),
        sql`and ${only} and id < ${firstId(at)}`,
      ),
    ],
  }
}

/**
 * Selects each posting with its nearest owner. The owner is taken from any of its lines, because all lines have
 * the same owners.
 */
export const postingOwners = (rows: Sql) => sql`
  (select space_id, environment, reference, owners -> 0 ->> 'type' as owner_type, owners -> 0 ->> 'id' as owner_id
  from (
    select distinct on (space_id, environment, reference) space_id, environment, reference, owners from ${rows} line
  ) line)`

/** The amount that case `c` left in suspense. It is negative if the money left late or never arrived. */
export const inSuspense = sql`
  (case when (c.direction = 'disbursement') = (c.kind = 'success_after_failure') then -c.amount else c.amount end)`

/**
 * The permitted postings for the objects of a slice. `type` is the type of these objects in `owners`. `fits` is
 * a condition on the posting's lines: it can use the number of lines (`lines`), of fee lines (`fee_lines`) and
 * of merchant accounts (`merchants`), and the sorted `kinds` of the system accounts. `clears` lists the
 * clearing accounts that the postings may use.
 */
export type PostingForm = { type: OwnerRef['type']; fits: Sql; clears?: readonly Direction[] }

export const ledgerChecks: Check[] = [
  {
    name: 'the lines of every reference sum to zero in each currency',
    about: postings,
    differences: (rows) => sql`
      select space_id, environment, reference, currency, sum(amount)::text as difference
      from ${rows} line
      group by space_id, environment, reference, currency
      having sum(amount) <> 0`,
  },
  {
    name: 'every reference belongs to a single owner',
    about: postings,
    differences: (rows) => sql`
      select space_id, environment, reference, min(owners) as owners, max(owners) as other_owners
      from (select space_id, environment, reference, owners::text collate "C" as owners from ${rows} line) line
      group by space_id, environment, reference
      having min(owners) <> max(owners)`,
  },
  {
    name: 'every line id has the timestamp of its reference',
    // The lines of a reference are found by this timestamp. If a line had a different one, all checks of
    // postings would miss it, and so would checks of new rows.
    about: { all: postings.all, since: (at) => lines.since(at).map((walk) => mapRows(walk, unarchived)) },
    differences: (rows) => sql`
      select space_id, environment, reference, moment as id_begins_with from (
        select distinct space_id, environment, reference, left(id::text, 13) as moment from ${rows} line
      ) line
      where left(reference, 18) is distinct from to_char(timestamp 'epoch'
        + ('x' || left(moment, 8) || right(moment, 4))::bit(48)::bigint * interval '1 millisecond',
        'YYYYMMDD-HH24MISSMS')`,
  },
  {
    name: 'running balances are continuous: line numbers have no gaps, and each balance is the previous one plus the amount',
    about: lines,
    // At the start of each chunk and wherever `seq` has a gap, the previous line is not in the window, so it is
    // looked up.
    differences: (rows) => sql`
      select space_id, environment, account_id, seq::text, amount::text, balance_before::text, balance_after::text
      from (
        select space_id, environment, account_id, seq, amount, balance_after,
          case when seq = 1 then 0
            when lag(seq) over account = seq - 1 then lag(balance_after) over account
            else balance_after_line(walked.space_id, walked.environment, walked.account_id, walked.seq - 1)
          end as balance_before
        from ${rows} walked
        window account as (partition by space_id, environment, account_id order by seq)
      ) line
      where balance_before is null or line.balance_after <> line.balance_before + amount`,
  },
  uniquenessCheck('no two lines of an account have the same number', sql`ledger_lines`, [
    sql`space_id`,
    sql`environment`,
    sql`account_id`,
    sql`seq`,
  ]),
  {
    name: 'every line has the currency of its account, and merchants see exactly the lines of their own accounts',
    about: lines,
    differences: (rows) => sql`
      select line.space_id, line.environment, line.account_id, line.first_seq::text, line.currency, line.is_financial,
        account.currency as account_currency, account.kind as account_kind
      from (
        select space_id, environment, account_id, currency, is_financial, min(seq) as first_seq
        from ${rows} line
        group by space_id, environment, account_id, currency, is_financial
      ) line
      left join ledger_accounts account on account.space_id = line.space_id
        and account.environment = line.environment and account.id = line.account_id
      where (line.currency, line.is_financial) is distinct from (account.currency, account.kind = 'financial')`,
  },
  {
    name: 'every balance equals the sum of its account’s lines',
    about: accounts,
    // Each running balance follows from the previous one, so the last one is the sum of the account's lines.
    differences: (rows) => sql`
      select account.space_id, account.environment, account.id, account.posted::text,
        coalesce(last.balance_after, 0)::text as lines_total,
        account.next_seq::text, (coalesce(last.seq, 0) + 1)::text as expected_next_seq
      from ${rows} account
      left join lateral (
        select seq, balance_after from (
          (select line.seq, line.balance_after from ledger_lines line
          where line.space_id = account.space_id and line.environment = account.environment
            and line.account_id = account.id
          order by line.seq desc limit 1)
          union all
          (select carried.seq, carried.balance from carried_balances carried
          where carried.space_id = account.space_id and carried.environment = account.environment
            and carried.account_id = account.id
          order by carried.until_id desc limit 1)
        ) ending
        order by seq desc limit 1
      ) last on true
      where account.posted <> coalesce(last.balance_after, 0) or account.next_seq <> coalesce(last.seq, 0) + 1`,
  },
  {
    name: 'the held amount of every account equals the sum of its open holds',
    about: accounts,
    differences: (rows) => sql`
      select account.space_id, account.environment, account.id, account.held::text, open.held::text as open_holds
      from ${rows} account
      cross join lateral (
        select coalesce(sum(amount - captured - released), 0) as held from ledger_holds hold
        where hold.space_id = account.space_id and hold.environment = account.environment
          and hold.account_id = account.id and captured + released < amount
      ) open
      where account.held <> open.held`,
  },
  {
    name: 'the balance of every merchant account is at least its held amount',
    about: accounts,
    differences: (rows) => sql`
      select space_id, environment, id, posted::text, held::text from ${rows} account
      where not allows_negative and posted < held`,
  },
  {
    name: 'every case moved its money into suspense when it was opened',
    about: cases,
    differences: (rows) => sql`
      select c.space_id, c.environment, c.id, c.object_id, c.amount::text
      from ${rows} c
      where c.opened_at <> id_moment(c.id) or (${isUnarchived(sql`c.id`)} and not exists (
        select 1 from ${linesOfReference(sql`c`, sql`c.reference`)} line
        join ledger_accounts account on account.space_id = line.space_id and account.environment = line.environment
          and account.id = line.account_id
        where account.kind = 'suspense' and line.amount = ${inSuspense} and line.at = c.opened_at
          and line.owners -> 0 ->> 'type' = c.object_type and line.owners -> 0 ->> 'id' = c.object_id::text))`,
  },
  {
    name: 'every closed case has an audit entry, and no open case has one',
    about: cases,
    differences: (rows) => sql`
      select c.space_id, c.environment, c.id, c.closed_at::text
      from ${rows} c
      where (c.closed_at is not null) <> exists (
        select 1 from audit_entries entry
        where entry.space_id = c.space_id and entry.environment = c.environment and entry.object_type = 'case'
          and entry.object_id = c.id and entry.action = 'case.close')`,
  },
  {
    name: 'every case closed with a posting has no money left in suspense: what recalls returned went to clearing, the rest to a merchant account or elsewhere',
    about: cases,
    differences: (rows) => sql`
      select c.space_id, c.environment, c.id, c.object_id, c.amount::text, c.returned::text, moved.amounts
      from ${rows} c
      cross join lateral (
        select coalesce(array_agg(line.amount::text), '{}') as amounts, count(*) as lines,
          count(*) filter (where account.kind = 'suspense' and line.amount = -${inSuspense}
            and line.at = c.closed_at) as suspense,
          count(*) filter (where account.kind in ('financial', 'elsewhere')
            and line.amount = ${inSuspense} - c.returned) as counterpart,
          count(*) filter (where account.kind = 'clearing' and line.amount = c.returned) as clearing
        from ${linesOfReference(sql`c`, sql`c.closing_reference`)} line
        join ledger_accounts account on account.space_id = line.space_id and account.environment = line.environment
          and account.id = line.account_id
      ) moved
      cross join lateral (select (c.returned < c.amount)::int as rest, (c.returned > 0)::int as returned) expected
      where c.closing_reference is not null and ${isUnarchived(sql`ledger_reference_start(c.closing_reference)`)}
        and (moved.lines, moved.suspense, moved.counterpart, moved.clearing)
        <> (1 + expected.rest + expected.returned, 1, expected.rest, expected.returned)`,
  },
  {
    name: 'every line of a suspense account belongs to a case',
    about: postings,
    // The balance of suspense is therefore the total of the open cases and of the cases that were closed
    // without a posting.
    differences: (rows) => sql`
      select line.space_id, line.environment, line.id, line.reference, line.amount::text
      from ${rows} line
      where not line.is_financial
        and (
          select account.kind = 'suspense' from ledger_accounts account
          where account.space_id = line.space_id and account.environment = line.environment
            and account.id = line.account_id)
        and not exists (
          select 1 from ledger_cases c
          where c.space_id = line.space_id and c.environment = line.environment and c.reference = line.reference)
        and not exists (
          select 1 from ledger_cases c
          where c.space_id = line.space_id and c.environment = line.environment
            and c.closing_reference = line.reference)`,
  },
]

/**
 * Returns the check that every posting has a permitted form. Every slice that makes postings passes in the
 * forms of its postings. Only the demo makes postings without an owner. A case for any object can be closed to
 * `elsewhere`.
 */
export const postingFormCheck = (forms: PostingForm[]): Check => ({
  name: 'every posting has an owner and the lines expected of it; funding without an owner exists only in the test environment',
  about: postings,
  differences: (rows) => sql`
    select * from (
      select space_id, environment, reference, owners::json -> 0 ->> 'type' as owner_type, lines::text, merchants::text, kinds,
        case when kinds in ('{elsewhere,suspense}', '{clearing,elsewhere,suspense}')
          then lines = cardinality(kinds) and merchants = 0
        else case owners::json -> 0 ->> 'type'
          ${forms.map(({ type, fits }) => sql`when ${type} then ${fits}`).reduce((one, other) => sql`${one} ${other}`)}
          else kinds = '{funding}' and lines = 2 and merchants = 1 and environment = 'test' and owners = '[]'
        end end as is_known
      from (
        select space_id, environment, reference, min(owners) as owners, count(*) as lines, count(fee_code) as fee_lines,
          count(distinct account_id) filter (where kind is null) as merchants,
          coalesce(array_agg(kind order by kind) filter (where kind is not null), '{}') as kinds
        from (
          select space_id, environment, reference, owners::text collate "C" as owners, fee_code, account_id,
            case when not is_financial then (
              select kind from ledger_accounts account
              where account.space_id = line.space_id and account.environment = line.environment
                and account.id = line.account_id
            ) end as kind
          from ${rows} line
        ) line
        group by space_id, environment, reference
      ) posting
    ) posting
    where is_known is not true`,
})

/**
 * Returns the check of clearing accounts. Every slice whose money is moved by providers lists the clearing
 * accounts that it uses.
 */
export const clearingCheck = (forms: PostingForm[]): Check => ({
  name: 'every line of a clearing account belongs to money that its provider collects or pays out',
  about: postings,
  differences: (rows) => sql`
    select line.space_id, line.environment, line.id, line.reference, line.owners::text
    from ${rows} line
    cross join lateral (
      select direction from ledger_accounts account
      where account.space_id = line.space_id and account.environment = line.environment
        and account.id = line.account_id offset 0
    ) account
    where not line.is_financial and account.direction is not null
      and (case account.direction
        when 'collection' then coalesce(line.owners -> 0 ->> 'type', '') = any(${typesOf(forms, 'collection')}::text[])
        else coalesce(line.owners -> 0 ->> 'type', '') = any(${typesOf(forms, 'disbursement')}::text[])
        end) is not true`,
})

const typesOf = (forms: PostingForm[], direction: Direction) =>
  forms.flatMap(({ type, clears = [] }) => (clears.includes(direction) ? [type] : []))

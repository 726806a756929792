import type { Check, Subject } from '../../platform/db/check.ts'
import { sql } from '../../platform/db/sql.ts'
import { costing, mapRows, type Walk } from '../../platform/db/walk.ts'
import { isSameUnlessErased } from '../../tenants/retention/person.ts'
import { rowsNamedBy, tableSubject } from '../../tenants/spaces/since.ts'

const [ofBatches, ofPayouts] = [tableSubject(sql`payout_batches`), tableSubject(sql`payouts`)]

const batchesOf = rowsNamedBy(sql`payout_batches`, sql`batch_id`)

/** Accounts for the size of a batch, which has up to a thousand rows and the same number of payouts. */
const each = (walk: Walk) => costing(1_000, walk)

/** New batches, and batches with payouts created since the last check. */
const batches: Subject = {
  all: ofBatches.all.map(each),
  since: (at) => [
    ...ofBatches.since(at).map(each),
    ...ofPayouts.since(at).map((walk) => each(mapRows(walk, batchesOf))),
  ],
}

export const batchChecks: Check[] = [
  {
    name: 'every batch that is paid out has exactly the payouts of its rows, and every other batch has none',
    about: batches,
    // Rows and payouts are joined by row number, which finds an extra row as well as an extra payout.
    differences: (rows) => sql`
      select b.space_id, b.environment, b.id, b.status, made.fitting::text, made.listed::text, made.paid::text
      from ${rows} b
      cross join lateral (
        select count(*) filter (where (p.amount, p.currency, p.destination_type, p.provider_id) =
            (r.amount, r.currency, r.destination_type, r.provider_id)
            and ${isSameUnlessErased(sql`p.payee_account`, sql`r.payee_account`)}
            and p.created_by = b.created_by and p.approval is not distinct from b.approval
            and p.approval_user_id is not distinct from b.approval_user_id
            and (b.financial_account_id is null or p.financial_account_id = b.financial_account_id)) as fitting,
          count(r.number) as listed, count(p.id) as paid
        from (
          select * from payout_batch_rows r
          where r.space_id = b.space_id and r.environment = b.environment and r.batch_id = b.id offset 0
        ) r
        full join (
          select * from payouts p
          where p.space_id = b.space_id and p.environment = b.environment and p.batch_id = b.id offset 0
        ) p on p.batch_row = r.number
      ) made
      cross join lateral (
        select case when b.status in ('processing', 'completed') then b.row_count else 0 end as paid
      ) due
      where (made.listed, made.paid, made.fitting) <> (b.row_count, due.paid, due.paid)`,
  },
  {
    name: 'the totals of every batch are the sums of its rows',
    about: batches,
    differences: (rows) => sql`
      select b.space_id, b.environment, b.id, b.sums::text, summed.sums::text as of_rows
      from ${rows} b
      cross join lateral (
        select coalesce(jsonb_object_agg(currency, amount), '{}') as sums from (
          select currency, sum(amount)::text as amount from payout_batch_rows r
          where r.space_id = b.space_id and r.environment = b.environment and r.batch_id = b.id
          group by currency
        ) by_currency
      ) summed
      cross join lateral (
        select coalesce(jsonb_object_agg(coalesce(one ->> 'currency', ''), one ->> 'amount'), '{}') as sums
        from jsonb_array_elements(b.sums) one
      ) stated
      where stated.sums <> summed.sums`,
  },
  {
    name: 'no batch is completed before all of its payouts have ended',
    about: batches,
    differences: (rows) => sql`
      select b.space_id, b.environment, b.id
      from ${rows} b
      where b.status = 'completed' and exists (
        select 1 from payouts p
        where p.space_id = b.space_id and p.environment = b.environment and p.batch_id = b.id
          and p.status in ('pending', 'processing'))`,
  },
  {
    name: 'no payout belongs to a missing batch',
    about: ofPayouts,
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.batch_id
      from ${rows} p
      where p.batch_id is not null and not exists (
        select 1 from payout_batches b
        where b.space_id = p.space_id and b.environment = p.environment and b.id = p.batch_id)`,
  },
]

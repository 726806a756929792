import { isUnarchived } from '../../platform/db/archived-months.ts'
import type { Check, Subject } from '../../platform/db/check.ts'
import { sql } from '../../platform/db/sql.ts'
import { alongIndex, type Key } from '../../platform/db/walk.ts'
import { firstId } from '../../platform/ids.ts'
import { tableSubject } from '../../tenants/spaces/since.ts'

const all = alongIndex(sql`bill_payments`, sql`id`)

/** Manual payments belong to no Space until they are allocated. Their ids increase with wall-clock time. */
export const bills: Subject = {
  all: [all],
  since: (at) => {
    const start: Key = [firstId(at)]
    return [
      {
        ...all,
        end: (after = start, count) => all.end(after, count),
        rows: (after = start, end, count) => all.rows(after, end, count),
      },
    ]
  },
}

export const billChecks: Check[] = [
  {
    name: 'every allocated manual payment matches a payment that it completed, or a failed payment that has a case',
    about: bills,
    differences: (rows) => sql`
      select bill.space_id, bill.environment, bill.connection, bill.transaction, bill.amount::text,
        p.id as payment_id, p.status, p.amount::text as paid, p.rail_transaction
      from ${rows} bill
      left join lateral (
        select * from payments p
        where p.space_id = bill.space_id and p.environment = bill.environment and p.id = bill.payment_id offset 0
      ) p on true
      where bill.status = 'allocated' and ${isUnarchived(sql`bill.payment_id`)} and (
        (p.amount, p.currency, p.provider_id) is distinct from (bill.amount, bill.currency, bill.provider_id)
        or not (
          (p.status = 'completed' and coalesce(p.rail_transaction, bill.transaction) = bill.transaction)
          or (p.status = 'failed' and exists (
            select 1 from ledger_cases c
            where c.space_id = p.space_id and c.environment = p.environment and c.object_id = p.id
              and c.kind = 'success_after_failure'))))`,
  },
  {
    name: 'every payment with a masked payer is a manual payment',
    about: tableSubject(sql`payments`),
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.payer_mask
      from ${rows} p
      where p.payer_mask is not null and not exists (
        select 1 from bill_payments bill
        where bill.space_id = p.space_id and bill.environment = p.environment and bill.payment_id = p.id)`,
  },
]

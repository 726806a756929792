import type { Check } from '../platform/db/check.ts'
import { sql } from '../platform/db/sql.ts'
import { rowsOf } from '../spaces/since.ts'

const paymentCodes = rowsOf(sql`payment_codes`)

export const paymentCodeChecks: Check[] = [
  {
    name: 'every payment code counts what was paid by it, but for what is being counted',
    about: paymentCodes,
    // A payment is counted in the transaction that takes its attempt away.
    differences: (rows) => sql`
      select code.space_id, code.environment, code.id, code.paid_count::text, code.paid_total::text,
        paid.count::text as payments, paid.total::text as payments_total
      from ${rows} code
      cross join lateral (
        select count(*) as count, coalesce(sum(p.amount), 0) as total from payments p
        where p.space_id = code.space_id and p.environment = code.environment and p.origin_id = code.id
          and p.origin_type = 'payment_code' and p.status = 'completed'
          and not exists (
            select 1 from payment_code_attempts attempt
            where attempt.space_id = p.space_id and attempt.environment = p.environment
              and attempt.payment_code_id = code.id and attempt.payment_id = p.id)
      ) paid
      where (code.paid_count, code.paid_total) <> (paid.count, paid.total)
        or (code.paid_count = 0) <> (code.processed is null)
        or (code.status = 'completed' and code.paid_count = 0)`,
  },
  {
    name: 'every payment code is found by its number',
    about: paymentCodes,
    differences: (rows) => sql`
      select code.space_id, code.environment, code.id, code.number
      from ${rows} code
      where not exists (
        select 1 from payment_code_numbers directory
        where directory.number = code.number and directory.space_id = code.space_id
          and directory.environment = code.environment and directory.payment_code_id = code.id)`,
  },
]

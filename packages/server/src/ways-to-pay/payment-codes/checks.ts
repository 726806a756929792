import { isUnarchived } from '../../platform/db/archived-months.ts'
import type { Check, Subject } from '../../platform/db/check.ts'
import { comparable } from '../../platform/db/encryption.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { alongIndex, mapRows } from '../../platform/db/walk.ts'
import { firstId } from '../../platform/ids.ts'
import { daysAgo, tableSubject } from '../../tenants/spaces/since.ts'

const paymentCodes = tableSubject(sql`payment_codes`)

const attemptWalk = alongIndex(
  sql`payment_code_attempts`,
  sql`space_id, environment, payment_code_id, payment_id`,
)
const attempts: Subject = { all: [attemptWalk], since: () => [attemptWalk] }

/** Walk over the directory of code numbers, which all Spaces share. */
const numberWalk = alongIndex(sql`payment_code_numbers`, sql`number`)
const numbers: Subject = {
  all: [numberWalk],
  since: (at) => paymentCodes.since(at).map((walk) => mapRows(walk, numbersOf)),
}
const numbersOf = (rows: Sql) => sql`
  (select directory.* from ${rows} code join payment_code_numbers directory on directory.number = code.number)`

export const paymentCodeChecks: Check[] = [
  {
    name: 'every payment code counts its completed payments, except those still being counted',
    about: paymentCodes,
    // A payment is counted in the transaction that deletes its attempt.
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
      where (${isUnarchived(sql`code.id`)} and (code.paid_count, code.paid_total) <> (paid.count, paid.total))
        or (code.paid_count = 0) <> (code.processed is null)
        or (${isUnarchived(sql`code.id`)} and code.processed is not null and not exists (
          select 1 from payments p
          where p.space_id = code.space_id and p.environment = code.environment and p.origin_id = code.id
            and p.ledger_reference = code.processed ->> 'financialTransactionReference'
            and p.order_number = code.processed ->> 'orderNumber' and p.currency = code.currency
            and p.amount::text = code.processed -> 'amount' ->> 'value'))
        or exists (
          select 1 from payments p
          where p.space_id = code.space_id and p.environment = code.environment and p.origin_id = code.id
            and p.origin_type = 'payment_code' and p.status in ('pending', 'processing') and not exists (
              select 1 from payment_code_attempts attempt
              where attempt.space_id = p.space_id and attempt.environment = p.environment
                and attempt.payment_code_id = code.id and attempt.payment_id = p.id))
        or (code.status in ('pending', 'processing') and code.paid_count = 0 and (code.status = 'processing') <> exists (
          select 1 from payment_code_attempts attempt
          where attempt.space_id = code.space_id and attempt.environment = code.environment
            and attempt.payment_code_id = code.id))
        or (code.status = 'completed' and code.paid_count = 0)`,
  },
  {
    name: 'every payment code of a checkout session matches its session',
    about: paymentCodes,
    // Its payments are attempts of the session, so its own counters and its status never change.
    differences: (rows) => sql`
      select code.space_id, code.environment, code.id, code.checkout_session_id, session.id is null as is_without_session
      from ${rows} code
      left join lateral (
        select * from checkout_sessions
        where space_id = code.space_id and environment = code.environment and id = code.checkout_session_id
        offset 0
      ) session on true
      where code.checkout_session_id is not null and ${isUnarchived(sql`code.checkout_session_id`)}
        and (session.id is null or code.mode <> 'one_time' or code.status <> 'pending' or not code.enabled
          or (code.name, code.amount, code.currency, code.financial_account_id, code.expires_at)
            is distinct from (session.name, session.amount, session.currency, session.financial_account_id, session.expires_at))`,
  },
  {
    name: 'every attempt to pay a code has a matching payment',
    about: attempts,
    differences: (rows) => sql`
      select attempt.space_id, attempt.environment, attempt.payment_code_id, attempt.payment_id
      from ${rows} attempt
      where not exists (
        select 1 from payments p
        where p.space_id = attempt.space_id and p.environment = attempt.environment and p.id = attempt.payment_id
          and p.origin_id = attempt.payment_code_id and p.amount = attempt.amount and p.created_at = attempt.created_at
          and ${comparable(sql`p.payer_account`, sql`attempt.phone_number`)} is not distinct from attempt.phone_number)`,
  },
  {
    name: 'every payment code can be found by its number',
    about: paymentCodes,
    differences: (rows) => sql`
      select code.space_id, code.environment, code.id, code.number
      from ${rows} code
      where not exists (
        select 1 from payment_code_numbers directory
        where directory.number = code.number and directory.space_id = code.space_id
          and directory.environment = code.environment and directory.payment_code_id = code.id)`,
  },
  {
    // The number is claimed before the code is created. A daily job frees numbers without a code.
    name: 'every number in the directory belongs to its payment code, except new ones whose code is being created',
    about: numbers,
    differences: (rows) => sql`
      select directory.number, directory.space_id, directory.environment, directory.payment_code_id
      from ${rows} directory
      left join payment_codes code on code.space_id = directory.space_id
        and code.environment = directory.environment and code.id = directory.payment_code_id
      where code.number is distinct from directory.number
        and (code.id is not null or directory.payment_code_id < ${firstId(daysAgo(2))}::uuid)`,
  },
]

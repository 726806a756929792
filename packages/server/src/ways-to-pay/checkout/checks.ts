import { completedPayments } from '../../money/payments/checks.ts'
import { isUnarchived } from '../../platform/db/archived-months.ts'
import type { Check } from '../../platform/db/check.ts'
import { sql } from '../../platform/db/sql.ts'
import { tableSubject } from '../../tenants/spaces/since.ts'

const sessions = tableSubject(sql`checkout_sessions`)

export const checkoutChecks: Check[] = [
  {
    name: 'a checkout session is completed if and only if a payment of its full amount is completed, once pending jobs have run',
    about: sessions,
    differences: (rows) => sql`
      select session.space_id, session.environment, session.id, session.status, paid.amounts
      from ${rows} session
      cross join lateral (
        select coalesce(array_agg(p.amount::text), '{}') as amounts, count(*) as count,
          count(*) filter (where p.id = session.payment_id) as named,
          count(*) filter (where p.amount = session.amount and p.currency = session.currency
            and p.order_id = session.order_id) as expected
        from payments p
        where p.space_id = session.space_id and p.environment = session.environment and p.origin_id = session.id
          and p.status = 'completed'
      ) paid
      where ${isUnarchived(sql`session.id`)} and (paid.count <> paid.expected
        or (case when session.payment_id is null then paid.count > 1 else paid.named <> 1 end)
        or (session.status = 'completed' and paid.count = 0)
        or (session.status <> 'completed' and paid.count > 0 and not exists (
          select 1 from jobs job
          where job.space_id = session.space_id and job.environment = session.environment
            and job.payload ->> 'originId' = session.id::text)))`,
  },
  {
    name: 'every payment of a session that another payment paid is returned to its payer, and no other payment is, once pending jobs have run',
    about: completedPayments,
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.amount::text, session.id as session_id, session.payment_id,
        returned.count::text as refunds
      from ${rows} p
      cross join lateral (
        select id, payment_id from checkout_sessions
        where space_id = p.space_id and environment = p.environment and id = p.origin_id offset 0
      ) session
      cross join lateral (
        select count(*) filter (where reason = 'paid_twice') as count, count(*) as all from refunds
        where space_id = p.space_id and environment = p.environment and payment_id = p.id
      ) returned
      where p.status = 'completed' and session.payment_id is not null
        and case when p.id = session.payment_id then returned.count > 0
          else returned.count <> 1
            -- The merchant may have refunded the whole payment first.
            and p.refund_reserved < p.amount
            -- A payment that never arrived, according to its rail, is not returned.
            and not exists (
              select 1 from ledger_cases c
              where c.space_id = p.space_id and c.environment = p.environment and c.object_id = p.id
                and c.object_type = 'payment' and c.kind = 'failure_after_success')
            and not exists (
              select 1 from jobs job
              where job.space_id = p.space_id and job.environment = p.environment
                and job.payload ->> 'paymentId' = p.id::text)
        end`,
  },
  {
    name: 'a session has at most one payment in progress, apart from those that supersede another one',
    about: tableSubject(sql`payments`),
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.origin_id
      from ${rows} p
      where p.status in ('pending', 'processing') and p.origin_type = 'checkout_session' and exists (
        select 1 from payments other
        where other.space_id = p.space_id and other.environment = p.environment and other.origin_id = p.origin_id
          and other.status in ('pending', 'processing') and other.supersedes is not distinct from p.supersedes
          and other.id <> p.id)`,
  },
]

import type { Check } from '../../platform/db/check.ts'
import { sql } from '../../platform/db/sql.ts'
import { tableSubject } from '../../tenants/spaces/since.ts'

export const paymentLinkChecks: Check[] = [
  {
    name: "every payment link's counts match its paid sessions and its sessions with a payment in flight",
    about: tableSubject(sql`payment_links`),
    differences: (rows) => sql`
      select link.space_id, link.environment, link.id, link.paid_count::text, link.paid_total::text,
        link.reserved_count::text, actual.paid::text as payments, actual.total::text as payments_total,
        actual.open::text as payments_in_flight
      from ${rows} link
      cross join lateral (
        select count(*) filter (where is_paid) as paid, coalesce(sum(amount) filter (where is_paid), 0) as total,
          count(*) filter (where not is_paid and is_open) as open
        from (
          -- Only one payment of a session counts, however many are in flight or are returned.
          select session.amount, bool_or(p.status = 'completed') as is_paid,
            bool_or(p.status not in ('completed', 'failed')) as is_open
          from checkout_sessions session
          join payments p on p.space_id = session.space_id and p.environment = session.environment
            and p.origin_id = session.id and p.origin_type = 'checkout_session'
          where session.space_id = link.space_id and session.environment = link.environment
            and session.payment_link_id = link.id
          group by session.id, session.amount
        ) of_session
      ) actual
      where (link.paid_count, link.paid_total, link.reserved_count) <> (actual.paid, actual.total, actual.open)
        or (link.status = 'completed' and link.paid_count is distinct from link.max_payments)`,
  },
]

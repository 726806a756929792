import type { Check } from '../../platform/db/check.ts'
import { sql } from '../../platform/db/sql.ts'
import { tableSubject } from '../../tenants/spaces/since.ts'

export const paymentLinkChecks: Check[] = [
  {
    name: "every payment link's counts match its completed payments and its payments in flight",
    about: tableSubject(sql`payment_links`),
    differences: (rows) => sql`
      select link.space_id, link.environment, link.id, link.paid_count::text, link.paid_total::text,
        link.reserved_count::text, actual.paid::text as payments, actual.total::text as payments_total,
        actual.open::text as payments_in_flight
      from ${rows} link
      cross join lateral (
        select count(*) filter (where p.status = 'completed') as paid,
          coalesce(sum(p.amount) filter (where p.status = 'completed'), 0) as total,
          count(*) filter (where p.status not in ('completed', 'failed')) as open
        from checkout_sessions session
        join payments p on p.space_id = session.space_id and p.environment = session.environment
          and p.origin_id = session.id and p.origin_type = 'checkout_session'
        where session.space_id = link.space_id and session.environment = link.environment
          and session.payment_link_id = link.id
      ) actual
      where (link.paid_count, link.paid_total, link.reserved_count) <> (actual.paid, actual.total, actual.open)
        or (link.status = 'completed' and link.paid_count is distinct from link.max_payments)`,
  },
]

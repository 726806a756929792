import type { Check } from '../../platform/db/check.ts'
import { sql } from '../../platform/db/sql.ts'
import { tableSubject } from '../../tenants/spaces/since.ts'

const sessions = tableSubject(sql`checkout_sessions`)

export const checkoutChecks: Check[] = [
  {
    name: 'a checkout session is completed if and only if one payment of its full amount is completed, once pending jobs have run',
    about: sessions,
    differences: (rows) => sql`
      select session.space_id, session.environment, session.id, session.status, paid.amounts
      from ${rows} session
      cross join lateral (
        select coalesce(array_agg(p.amount::text), '{}') as amounts, count(*) as count,
          count(*) filter (where p.amount = session.amount and p.currency = session.currency
            and p.order_id = session.order_id) as expected
        from payments p
        where p.space_id = session.space_id and p.environment = session.environment and p.origin_id = session.id
          and p.status = 'completed'
      ) paid
      where paid.count <> paid.expected or paid.count > 1
        or (session.status = 'completed' and paid.count = 0)
        or (session.status <> 'completed' and paid.count > 0 and not exists (
          select 1 from jobs job
          where job.space_id = session.space_id and job.environment = session.environment
            and job.payload ->> 'originId' = session.id::text))`,
  },
]

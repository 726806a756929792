import { isUnarchived } from '../../platform/db/archived-months.ts'
import type { Check, Subject } from '../../platform/db/check.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { alongIndex, mapRows } from '../../platform/db/walk.ts'
import { firstId } from '../../platform/ids.ts'
import { daysAgo, tableSubject } from '../../tenants/spaces/since.ts'

const paymentLinks = tableSubject(sql`payment_links`)

/** The walk over the directory of addresses, which all Spaces share. */
const addressWalk = alongIndex(sql`payment_link_addresses`, sql`address`)
const addresses: Subject = {
  all: [addressWalk],
  since: (at) => paymentLinks.since(at).map((walk) => mapRows(walk, addressesOf)),
}
const addressesOf = (rows: Sql) => sql`
  (select directory.* from ${rows} link join payment_link_addresses directory on directory.address = link.address)`

export const paymentLinkChecks: Check[] = [
  {
    name: 'every payment link can be found by its address',
    about: paymentLinks,
    differences: (rows) => sql`
      select link.space_id, link.environment, link.id, link.address
      from ${rows} link
      where link.address is not null and not exists (
        select 1 from payment_link_addresses directory
        where directory.address = link.address and directory.space_id = link.space_id
          and directory.environment = link.environment and directory.payment_link_id = link.id)`,
  },
  {
    // The address is claimed before the link is created. A daily job frees addresses without a link.
    name: 'every address in the directory belongs to its payment link, except new ones whose link is being created',
    about: addresses,
    differences: (rows) => sql`
      select directory.address, directory.space_id, directory.environment, directory.payment_link_id
      from ${rows} directory
      left join payment_links link on link.space_id = directory.space_id
        and link.environment = directory.environment and link.id = directory.payment_link_id
      where link.address is distinct from directory.address
        and (link.id is not null or directory.payment_link_id < ${firstId(daysAgo(2))}::uuid)`,
  },
  {
    name: "every payment link's counts match its paid sessions and its sessions with a payment in flight",
    about: paymentLinks,
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
      where (${isUnarchived(sql`link.id`)}
          and (link.paid_count, link.paid_total, link.reserved_count) <> (actual.paid, actual.total, actual.open))
        or (link.status = 'completed' and link.paid_count is distinct from link.max_payments)`,
  },
]

import { bytea, integer } from '../db/columns.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { unnest } from '../db/unnest.ts'

/** A node's request for a part of a limit's allowance. */
export type LeaseRequest = {
  /** Keyed hash of the limit’s key. */
  key: Buffer
  atMost: number
  perMs: number
  /** Requests that the node has already allowed without a lease, in thousandths. They are counted in any case. */
  owedThousandths: number
  /** Further requests that the node would like to allow. */
  wanted: number
}

/** `waitMs` is the time until another request would be allowed; it is negative if one is allowed now. */
export type Lease = { granted: number; waitMs: number }

const asked = unnest<LeaseRequest>({
  key: bytea,
  atMost: integer,
  perMs: integer,
  owedThousandths: integer,
  wanted: integer,
})

/**
 * Counts what nodes owe, and grants as much of what they want as the limits allow. Returns the grants in the order
 * of the requests, whose keys must be distinct.
 *
 * The rows are locked in the order of their keys. A row that another node inserts at the same time is added to, so
 * its first grants may exceed the limit once, but they are counted.
 */
export async function grantLeases(db: Database, requests: LeaseRequest[]): Promise<Lease[]> {
  // every space: limits also apply to IP addresses, and those of a Space span its environments and nodes
  const grants = await db.query<Lease & { key: Buffer }>(sql`
    with asked as (
      select *, owed_thousandths / 1000.0::float8 as owed, per_ms / at_most::float8 as spacing_ms from ${asked(requests)}
    ),
    known as materialized (
      select key, used_until from rate_limits where key in (select key from asked) order by key for update
    ),
    used as (
      select asked.*,
        greatest(coalesce(extract(epoch from used_until - now())::float8 * 1000, 0), 0) + owed * spacing_ms as used_ms
      from asked left join known using (key)
    ),
    granted as (
      select *, least(wanted, greatest(0, floor((per_ms - used_ms) / spacing_ms + 0.001))) as granted from used
    ),
    written as (
      insert into rate_limits as kept (key, used_until)
      select key, now() + (owed + granted) * spacing_ms * interval '1 millisecond' from granted order by key
      on conflict (key) do update
      set used_until = greatest(kept.used_until, now()) + (excluded.used_until - now())
    )
    select key, granted, used_ms + (granted + 1) * spacing_ms - per_ms as wait_ms from granted`)
  const byKey = new Map(grants.map((grant) => [grant.key.toString('base64'), grant]))
  return requests.map(({ key }) => byKey.get(key.toString('base64')) ?? { granted: 0, waitMs: 0 })
}

/** Deletes limits that have not been used for a while. */
export async function deleteUnusedLimits(db: Database): Promise<void> {
  // every space: see above
  await db.write(sql`delete from rate_limits where used_until < now() - interval '1 minute'`)
}

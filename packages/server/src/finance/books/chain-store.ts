import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'

/** Returns the Spaces that have something to chain, starting with the one that has waited longest. */
export const selectUnchained = (db: Reader, limit: number) =>
  // every space: finds the Spaces that have something to chain
  db.query<Scope>(sql`
    select space_id, environment from unchained group by space_id, environment order by min(id) limit ${limit}`)

/** Adds the next link to the chain of a Space and environment. Returns whether there is more to chain. */
export async function chainBooks(tx: Tx, { spaceId, environment }: Scope): Promise<boolean> {
  const { isMore } = await tx.only<{ isMore: boolean }>(sql`
    select chain_books(${spaceId}, ${environment}, false) as is_more`)
  return isMore
}

/** The newest link of a chain. */
export type Head = { number: bigint; hash: Buffer; madeAt: Date }

/**
 * Returns the chains whose heads must be published. These are the chains that have grown since their last head
 * was published, not counting the event about that head.
 */
export const selectUnpublishedHeads = (db: Reader, limit: number) =>
  // every space: each has a chain
  db.query<Scope>(sql`
    select counter.space_id, counter.environment from event_counters counter
    left join book_heads head on head.space_id = counter.space_id and head.environment = counter.environment
    cross join lateral (
      select number, event_count, ranges_digest, audits_digest, seals_digest from book_links link
      where link.space_id = counter.space_id and link.environment = counter.environment
      order by number desc limit 1
    ) last
    where last.number > coalesce(head.number, 0)
      and (last.number > head.number + 1 or last.event_count > 1 or last.ranges_digest is not null
        or last.audits_digest is not null or last.seals_digest is not null or head.number is null)
    limit ${limit}`)

/** Returns the head of a chain and marks it as published. */
export const claimHead = (tx: Tx, { spaceId, environment }: Scope) =>
  tx.one<Head>(sql`
    with last as (
      select number, hash, made_at from book_links
      where space_id = ${spaceId} and environment = ${environment} order by number desc limit 1
    ), published as (
      insert into book_heads (space_id, environment, number)
      select ${spaceId}, ${environment}, number from last
      on conflict (space_id, environment) do update set number = excluded.number
    )
    select number, hash, made_at from last`)

export const lastHead = (db: Reader, { spaceId, environment }: Scope) =>
  db.one<Head>(sql`
    select number, hash, made_at from book_links
    where space_id = ${spaceId} and environment = ${environment} order by number desc limit 1`)

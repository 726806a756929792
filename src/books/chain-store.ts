import type { Scope } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

/** Those that have something to chain, longest waiting first. */
export const selectUnchained = (db: Reader, limit: number) =>
  // every space: which of them have work
  db.query<Scope>(sql`
    select space_id, environment from unchained group by space_id, environment order by min(id) limit ${limit}`)

/** Adds a link with what comes next in a Space and environment; returns whether there is more. */
export async function chainBooks(tx: Tx, { spaceId, environment }: Scope): Promise<boolean> {
  const row = await tx.one<{ isMore: boolean }>(sql`
    select chain_books(${spaceId}, ${environment}, false) as is_more`)
  return row!.isMore
}

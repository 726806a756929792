import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'

/** Returns the key up to which the daily job has handled the objects of a type, and locks it. */
export const lockProgress = async (tx: Tx, { spaceId, environment }: Scope, type: string) =>
  (
    await tx.one<{ erasedTo: string }>(sql`
      select erased_to from retention_progress
      where space_id = ${spaceId} and environment = ${environment} and type = ${type} for update`)
  )?.erasedTo

export const writeProgress = (tx: Tx, { spaceId, environment }: Scope, type: string, erasedTo: string) =>
  tx.run(sql`
    insert into retention_progress (space_id, environment, type, erased_to)
    values (${spaceId}, ${environment}, ${type}, ${erasedTo})
    on conflict (space_id, environment, type) do update set erased_to = excluded.erased_to`)

/** Returns keys of objects whose personal data had to be kept, after a key. */
export const selectExceptions = (
  db: Reader,
  { spaceId, environment }: Scope,
  type: string,
  after: string,
  take: number,
) =>
  db.query<{ key: string }>(sql`
    select key from retention_exceptions
    where space_id = ${spaceId} and environment = ${environment} and type = ${type} and key > ${after}
    order by key limit ${take}`)

export const insertExceptions = (tx: Tx, { spaceId, environment }: Scope, type: string, keys: string[]) =>
  tx.run(sql`
    insert into retention_exceptions (space_id, environment, type, key)
    select ${spaceId}, ${environment}, ${type}, key from unnest(${keys}::text[]) kept (key)
    on conflict do nothing`)

export const deleteExceptions = (tx: Tx, { spaceId, environment }: Scope, type: string, keys: string[]) =>
  tx.run(sql`
    delete from retention_exceptions
    where space_id = ${spaceId} and environment = ${environment} and type = ${type} and key = any(${keys}::text[])`)

/** Returns the ids of Spaces after an id, in the order of ids. */
export const selectSpaceIds = (db: Reader, after: string, take: number) =>
  db.query<{ id: string }>(sql`select id from spaces where id > ${after} order by id limit ${take}`)

/** Returns whether at least this many changes in a Space and environment wait to be chained. */
export const hasMarks = async (db: Reader, { spaceId, environment }: Scope, count: number) =>
  (await db.one(sql`
    select 1 from unchained where space_id = ${spaceId} and environment = ${environment}
    offset ${count - 1} limit 1`)) !== undefined

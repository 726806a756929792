import { byteas, ints, texts, uuids } from '../db/arrays.ts'
import type { Reader, Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { existing, Refusal } from '../refusals.ts'
import { createVault } from '../vault.ts'
import type { MasterKey, MasterKeySource } from './master-key.ts'
import {
  type KeyPurpose,
  keysChannel,
  placeOf,
  unwrapKey,
  type WrappingKey,
  type WrappingRow,
} from './open-keyring.ts'

// every space: keys belong to the operator

/** Where the job continues: its pass, the table, and the key of the last row. */
export type RunCursor = { pass: number; table: string; after: string[] | null }

export type Run = { startedAt: Date; cursor: RunCursor | null }

/** Returns the run that has not finished, if there is one. */
export const selectRun = async (db: Reader): Promise<Run | undefined> =>
  db.one<Run>(sql`
    select coalesce(run_started_at, now()) as started_at, run_cursor as cursor from encryption
    where is_on and run_started_at is not null and run_finished_at is null`)

/** Starts a new run, which begins at the first row of the first table. */
export const startRun = (tx: Tx, rowsEstimated: bigint) =>
  tx.run(sql`
    update encryption set run_started_at = date_trunc('milliseconds', now()) + interval '1 millisecond', run_finished_at = null, run_cursor = null, rows_done = 0,
      rows_estimated = ${rowsEstimated}`)

export const writeProgress = (tx: Tx, { startedAt }: Run, cursor: RunCursor, read: number) =>
  tx.run(sql`
    update encryption set run_cursor = ${JSON.stringify(cursor)}::json, rows_done = rows_done + ${read}::int
    where run_started_at = ${startedAt}`)

/** Ends a run, and deletes the keys that were retiring when it began. */
export async function retireKeys(tx: Tx, startedAt: Date): Promise<void> {
  await tx.run(sql`
    update data_keys retiring set state = 'retired', wrapped = null
    where state = 'retiring' and exists (
      select from data_keys active
      where active.space_id = retiring.space_id and active.purpose = retiring.purpose and active.state = 'active'
        and active.created_at <= ${startedAt})`)
  await tx.run(sql`
    update encryption set run_finished_at = now(), run_cursor = null, version = version + 1
    where run_started_at = ${startedAt}`)
  tx.wake(keysChannel)
}

export const turnOn = (tx: Tx) =>
  tx.run(sql`update encryption set is_on = true, turned_on_at = now(), version = version + 1 where not is_on`)

export const countKeyChange = async (tx: Tx): Promise<void> => {
  await tx.run(sql`update encryption set version = version + 1`)
  tx.wake(keysChannel)
}

/** Returns the numbers of living nodes that cannot decrypt, because they run an earlier release. */
export const selectOlderNodes = (db: Reader, living: number[]) =>
  db.query<{ node: number; version: string }>(sql`
    select node, version from nodes
    where node = any(${living}::int[]) and stopped_at is null and not decrypts order by node`)

/** Returns an estimate of the number of rows of tables. */
export const estimateRows = async (db: Reader, tables: string[]): Promise<bigint> =>
  (
    await db.only<{ rows: bigint }>(sql`
      select coalesce(sum(greatest(reltuples, 0)), 0)::bigint as rows from pg_class
      where relkind = 'r' and oid in (
        select child.relid from unnest(${tables}::text[]) requested (name)
        cross join lateral pg_partition_tree(requested.name::regclass) child
        union all select name::regclass from unnest(${tables}::text[]) requested (name))`)
  ).rows

export type KeyStatus = {
  isOn: boolean
  turnedOnAt: Date | null
  masterKey: string | null
  activeKeys: bigint
  retiringKeys: bigint
  oldestKeyAt: Date | null
  runStartedAt: Date | null
  runFinishedAt: Date | null
  rowsDone: bigint
  rowsEstimated: bigint | null
}

export const selectKeyStatus = (db: Reader) =>
  db.only<KeyStatus>(sql`
    select is_on, turned_on_at, (select source from wrapping_keys order by generation desc limit 1) as master_key,
      (select count(*) from data_keys where purpose = 'data' and state = 'active') as active_keys,
      (select count(*) from data_keys where purpose = 'data' and state = 'retiring') as retiring_keys,
      (select min(created_at) from data_keys where purpose = 'data' and state = 'active') as oldest_key_at,
      run_started_at, run_finished_at, rows_done, rows_estimated
    from encryption`)

export type MasterKeys = readonly [MasterKey, ...MasterKey[]]

/** Marks the active data keys of a Space, or of all, as retiring, and returns them. */
export const markRetiring = (tx: Tx, spaceId: string | null) =>
  tx.query<{ spaceId: string; generation: number }>(sql`
    update data_keys set state = 'retiring'
    where purpose = 'data' and state = 'active' and (${spaceId}::uuid is null or space_id = ${spaceId}::uuid)
    returning space_id, generation`)

export const insertWrappingKey = (tx: Tx, generation: number, wrapped: Buffer, source: MasterKeySource) =>
  tx.run(
    sql`insert into wrapping_keys (generation, wrapped, source) values (${generation}, ${wrapped}, ${source})`,
  )

export const deleteWrappingKeys = (tx: Tx, upTo: number) =>
  tx.run(sql`delete from wrapping_keys where generation <= ${upTo}`)

/** Returns all keys that are not retired, locked. */
export const lockKeys = (tx: Tx) =>
  tx.query<StoredKey & { wrapped: Buffer }>(sql`
    select space_id, purpose, generation, coalesce(wrapped, '') as wrapped from data_keys
    where state <> 'retired' for update`)

export const writeRewrapped = (
  tx: Tx,
  rewrapped: (StoredKey & { wrapped: Buffer })[],
  wrappingGeneration: number,
) =>
  tx.run(sql`
    update data_keys stored set wrapped = rewrapped.wrapped, wrapping_generation = ${wrappingGeneration}
    from ${keyRows(rewrapped)} as rewrapped (space_id, purpose, generation, wrapped)
    where stored.space_id = rewrapped.space_id and stored.purpose = rewrapped.purpose
      and stored.generation = rewrapped.generation`)

/** Returns the newest wrapping key, unwrapped. Calls the master key, so it must not be called in a transaction. */
export async function unwrapNewest(db: Reader, masters: MasterKeys): Promise<WrappingKey> {
  const row = existing(
    await db.one<WrappingRow>(
      sql`select generation, wrapped, source from wrapping_keys order by generation desc limit 1`,
    ),
  )
  return { generation: row.generation, vault: createVault(await unwrapKey(row, masters)) }
}

/** Locks the wrapping key, so that no node creates keys that are wrapped with it, and refuses if it was replaced. */
export async function lockWrappingKey(tx: Tx, { generation }: WrappingKey): Promise<void> {
  const found = await tx.one(sql`select 1 from wrapping_keys where generation = ${generation} for update`)
  if (!found)
    throw new Refusal('state_conflict', { message: 'Another command has replaced the keys. Try again.' })
}

export type StoredKey = { spaceId: string; purpose: KeyPurpose; generation: number }

const keyRows = (keys: (StoredKey & { wrapped: Buffer })[]) => sql`
  unnest(${uuids(keys.map(({ spaceId }) => spaceId))}::uuid[], ${texts(keys.map(({ purpose }) => purpose))}::text[],
    ${ints(keys.map(({ generation }) => generation))}::int[], ${byteas(keys.map(({ wrapped }) => wrapped))}::bytea[])`

export const insertDataKeys = (
  tx: Tx,
  { vault, generation }: WrappingKey,
  keys: (StoredKey & { key: Buffer })[],
) => {
  const wrapped = keys.map((each) => ({
    ...each,
    wrapped: vault.lock(placeOf(each.spaceId, each.purpose, each.generation), each.key),
  }))
  return tx.run(sql`
    insert into data_keys (space_id, purpose, generation, wrapped, wrapping_generation, state)
    select space_id, purpose, generation, wrapped, ${generation}, 'active'
    from ${keyRows(wrapped)} as added (space_id, purpose, generation, wrapped)`)
}

import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '@pesewa/values'
import { byteas, texts } from '../../platform/db/arrays.ts'
import { textArray } from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { type Encryption, lastOf, wordHashes } from '../../platform/db/encryption.ts'
import { Sql, sql } from '../../platform/db/sql.ts'
import { encryptedColumn } from '../../platform/db/unnest.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { erased } from '../../tenants/retention/person.ts'
import { installationScope, markSealed } from '../../tenants/spaces/chained-changes.ts'
import { type EncryptedTable, encryptedTables } from './encrypted-tables.ts'
import { retireKeys, selectRun, writeProgress } from './store.ts'

type Options = {
  signal?: AbortSignal
  /** Time for which nodes may still write as before, because they have not heard of the change. */
  settleMs?: number
  chunkSize?: number
}

const standardChunkSize = 1_000 // rows that are read, and encrypted if needed, in one transaction
const standardSettleMs = 30_000 // time after which every node has noticed that encryption or keys have changed
const maxMarks = 5_000 // changes that wait to be sealed before the job pauses
const markPauseMs = 250

/**
 * Encrypts everything that is plain, and everything that is encrypted with a retiring key. Continues where it was
 * interrupted. A second pass finds what nodes wrote that had not yet noticed the change. Retiring keys are then deleted.
 *
 * The sealed contents of an object change from the plain number to its hash, so the change is marked. If the object had
 * been tampered with, it keeps its seal, and `pesewa verify` finds it.
 */
export async function reencrypt(
  db: Database,
  { signal, settleMs = standardSettleMs, chunkSize = standardChunkSize }: Options = {},
): Promise<void> {
  const encryption = must(db.encryption, 'keys of personal data')
  await encryption.load([])
  const run = await selectRun(db)
  if (!run || !encryption.isOn()) return
  const passes = [1, 2].filter((pass) => pass >= (run.cursor?.pass ?? 1))
  for (const pass of passes) {
    const from = run.cursor?.pass === pass ? run.cursor : undefined
    if (pass === 2 && !from) await sleep(settleMs, undefined, { signal })
    const first = from ? encryptedTables.findIndex(({ name }) => name === from.table) : 0
    for (const [i, table] of encryptedTables.entries()) {
      if (i < first) continue
      let after = i === first ? from?.after : undefined
      do {
        signal?.throwIfAborted()
        await waitForSeals(db)
        const chunk = { after, size: chunkSize }
        const done = await db.transaction(async (tx) => {
          const done = await encryptChunk(tx, encryption, table, chunk)
          const cursor = { pass, table: table.name, after: done.last ?? null }
          await writeProgress(tx, run, cursor, pass === 1 ? done.read : 0)
          return done
        })
        after = done.last
      } while (after)
    }
  }
  await db.transaction(async (tx) => {
    await hashRest(tx, encryption)
    await retireKeys(tx, run.startedAt)
  })
}

/** Waits while many changes are waiting to be sealed, so that the chain keeps up. */
async function waitForSeals(db: Reader): Promise<void> {
  const count = async () =>
    // every space: the chain of each of them has its own part
    (
      await db.only<{ count: bigint }>(sql`
      select count(*) from (select from unchained limit ${maxMarks}) waiting`)
    ).count
  while ((await count()) >= maxMarks) await sleep(markPauseMs)
}

type KeyValues = string[]
type ChunkRow = {
  key: KeyValues
  spaceId: string
  environment: Environment
  /** The decrypted values of its columns, and whether any of them is plain. */
  [value: `value${number}`]: string | null
  isPlain: boolean
}

/**
 * Encrypts the rows of a chunk that need it. Returns the key of its last row, or `undefined` after the last chunk.
 */
async function encryptChunk(
  tx: Tx,
  encryption: Encryption,
  table: EncryptedTable,
  { after, size }: { after: KeyValues | null | undefined; size: number },
): Promise<{ read: number; last?: KeyValues }> {
  const { name, key, columns } = table
  const types = await selectTypes(tx, table)
  const keyList = key.join(', ')
  const keyTexts = `array[${key.map((each) => `${each}::text`).join(', ')}]`
  const isAfter = after
    ? sql`where (${text(keyList)}) > (${listOf(key.map((column, i) => sql`${after[i]}::text::${text(types[column] ?? '')}`))})`
    : sql``
  const read = await tx.query<{ key: KeyValues }>(sql`
    select ${text(keyTexts)} as key from ${text(name)} ${isAfter} order by ${text(keyList)} limit ${size}`)
  const last = read.at(-1)
  if (!last) return { read: 0 }
  const isUpTo = sql`(${text(keyList)}) <= (${listOf(key.map((column, i) => sql`${last.key[i]}::text::${text(types[column] ?? '')}`))})`
  const needs = columns
    .map(
      ({ name: column }) =>
        `(${column} <> '' and ${column}_encrypted is null) or ${isRetiring(table, column)}`,
    )
    .join(' or ')
  const values = columns.map(({ name: column }, i) =>
    encryptedColumn(`${name}.${column}`, { as: `value${i}`, spaceId: table.spaceId }),
  )
  const isPlain = columns
    .map(({ name: column }) => `(${column} <> '' and ${column}_encrypted is null)`)
    .join(' or ')
  const space = table.spaceId ? `'${table.spaceId}'::uuid` : 'space_id'
  const rows = await tx.query<ChunkRow>(sql`
    select ${text(keyTexts)} as key, ${text(space)} as space_id, environment, ${listOf(values)},
      ${text(isPlain)} as is_plain
    from ${text(name)}
    ${after ? sql`${isAfter} and` : sql`where`} ${isUpTo} and (${text(needs)})
    order by ${text(keyList)} for update`)
  if (rows.length > 0) {
    await markRows(tx, table, types, rows)
    await updateRows(tx, encryption, table, types, rows)
  }
  return { read: read.length, ...(read.length === size && { last: last.key }) }
}

/** Text of SQL that comes from this program. */
const text = (sqlText: string): Sql => new Sql(sqlText, [])
const listOf = ([first = sql``, ...others]: Sql[]): Sql =>
  others.reduce((list, each) => sql`${list}, ${each}`, first)

const isRetiring = ({ name, spaceId }: EncryptedTable, column: string) => `exists (
  select from data_keys key
  where key.space_id = ${spaceId ? `'${spaceId}'::uuid` : `${name}.space_id`} and key.purpose = 'data' and key.state = 'retiring'
    and key.generation = get_byte(${column}_encrypted, 1) * 256 + get_byte(${column}_encrypted, 2))`

/** Returns the types of the columns of a table, as PostgreSQL prints them. */
async function selectTypes(db: Reader, { name }: EncryptedTable): Promise<Record<string, string>> {
  const rows = await db.query<{ name: string; type: string }>(sql`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ${name}::text::regclass and attnum > 0 and not attisdropped`)
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]))
}

const requested = ({ key }: EncryptedTable, types: Record<string, string>, rows: ChunkRow[]): Sql =>
  sql`unnest(${listOf(key.map((column, i) => sql`${texts(rows.map((row) => row.key[i] ?? null))}::text[]::${text(types[column] ?? '')}[]`))})`

/** Marks the sealed objects whose rows are about to be encrypted. */
async function markRows(
  tx: Tx,
  table: EncryptedTable,
  types: Record<string, string>,
  rows: ChunkRow[],
): Promise<void> {
  const { sealed, key } = table
  // With a new key, only the encrypted value changes, which is not sealed.
  const plain = rows.filter(({ isPlain }) => isPlain)
  if (!sealed || plain.length === 0) return
  const isSame = key.map((column) => `own.${column} = requested.${column}`).join(' and ')
  const [space, environment] = sealed.isInstallation
    ? [`'${table.spaceId}'::uuid`, 'object.environment']
    : ['object.space_id', 'object.environment']
  const ofSpace = sealed.isInstallation ? '' : 'object.space_id = own.space_id and'
  await markSealed(
    tx,
    sql`(
      select distinct ${text(space)} as space_id, ${text(environment)} as environment, object.id, seal.terms, seal.outcome
      from ${requested(table, types, plain)} requested (${text(key.join(', '))})
      join ${text(table.name)} own on ${text(isSame)}
      join ${text(sealed.table)} object on ${text(ofSpace)} object.environment = own.environment
        and object.id = own.${text(sealed.id)}
      cross join lateral ${text(`${sealed.type}_seal(object)`)} seal)`,
  )
}

async function updateRows(
  tx: Tx,
  encryption: Encryption,
  table: EncryptedTable,
  types: Record<string, string>,
  rows: ChunkRow[],
): Promise<void> {
  encryption.require(rows.map(({ spaceId }) => spaceId))
  const keyNames = table.key.map((_, i) => `key${i}`)
  const written = table.columns.map(({ name: column, isName }, i) => {
    const each = <T>(convert: (value: string, scope: Scope) => T) =>
      rows.map((row) => {
        const value = row[`value${i}`] ?? null
        return value === null ? null : convert(value, { spaceId: row.spaceId, environment: row.environment })
      })
    const place = `${table.name}.${column}`
    // A value that has been erased stays empty.
    const kept = <T>(convert: (value: string, scope: Scope) => T) =>
      each((value, scope) => (value === erased ? null : convert(value, scope)))
    const hashes = texts(each((value, scope) => (value === erased ? erased : encryption.hash(scope, value))))
    const encrypted = byteas(kept((value, scope) => encryption.encrypt(place, scope, value)))
    return {
      arrays: [
        sql`${hashes}::text[]`,
        sql`${encrypted}::bytea[]`,
        isName
          ? sql`${textArray.encode(kept((value, scope) => wordHashes(encryption, scope, value)))}::text[]`
          : sql`${texts(kept(lastOf))}::text[]`,
      ],
      names: [`hash${i}`, `encrypted${i}`, `more${i}`],
      assignments: [
        `${column} = written.hash${i}`,
        `${column}_encrypted = written.encrypted${i}`,
        isName ? `${column}_words = written.more${i}::text[]` : `${column}_last = written.more${i}`,
      ],
    }
  })
  const keys = table.key.map(
    (column, i) =>
      sql`${texts(rows.map((row) => row.key[i] ?? null))}::text[]::${text(`${types[column]}[]`)}`,
  )
  const names = [...keyNames, ...written.flatMap(({ names }) => names)].join(', ')
  const isSame = table.key.map((column, i) => `own.${column} = written.key${i}`).join(' and ')
  await tx.run(sql`
    update ${text(table.name)} own set ${text(written.flatMap(({ assignments }) => assignments).join(', '))}
    from unnest(${listOf([...keys, ...written.flatMap(({ arrays }) => arrays)])}) as written (${text(names)})
    where ${text(isSame)}`)
}

const maxHashedAtOnce = 1_000 // rows that contain only a hash, replaced in one statement

/**
 * Replaces the numbers in tables that contain only hashes. Prompts of the last minutes and open USSD sessions are
 * forgotten.
 */
async function hashRest(tx: Tx, encryption: Encryption): Promise<void> {
  const isPlain = sql`phone_number not like '#%'`
  // every space: phones belong to no Space
  await tx.run(sql`delete from asked_phones where ${isPlain}`)
  await tx.run(sql`delete from ussd_sessions where ${isPlain}`)
  for (const [table, others] of [
    ['ussd_phones', 'environment, language, wrong_otps, wrong_codes'],
    ['ussd_otp_numbers', 'number, environment, space_id, otp_id, is_open'],
  ] as const)
    for (;;) {
      const rows = await tx.query<{ phoneNumber: string; environment: Environment }>(sql`
        select distinct phone_number, environment from ${text(table)} where ${isPlain} limit ${maxHashedAtOnce}`)
      if (rows.length === 0) break
      const environments = texts(rows.map(({ environment }) => environment))
      const numbers = texts(rows.map(({ phoneNumber }) => phoneNumber))
      const scopes = rows.map(({ environment }) => installationScope(environment))
      encryption.require(scopes.map(({ spaceId }) => spaceId))
      const hashes = texts(
        rows.map(({ phoneNumber, environment }) =>
          encryption.hash(installationScope(environment), phoneNumber),
        ),
      )
      await tx.run(sql`
        with hashed as (
          select * from unnest(${numbers}::text[], ${hashes}::text[], ${environments}::text[]::environment[]) as hashed (plain, hash, env)
        ), taken as (
          delete from ${text(table)} using hashed where phone_number = plain and environment = env
          returning hash, ${text(others)}
        )
        insert into ${text(table)} (phone_number, ${text(others)}) select hash, ${text(others)} from taken
        on conflict do nothing`)
    }
}

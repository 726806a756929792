import { byteas, texts } from '../../platform/db/arrays.ts'
import { textArray } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { type Encryption, lastOf, wordHashes } from '../../platform/db/encryption.ts'
import { Sql, sql } from '../../platform/db/sql.ts'
import { encryptedColumn } from '../../platform/db/unnest.ts'
import { walkPlannerSettings } from '../../platform/db/walk.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { erased } from '../../tenants/retention/person.ts'
import { installationScope, markSealed } from '../../tenants/spaces/chained-changes.ts'
import type { EncryptedTable } from './encrypted-tables.ts'

/** Counts the changes that wait to be sealed, up to `atMost`. */
export const countMarks = async (db: Reader, atMost: number): Promise<bigint> =>
  // every space: the chain of each of them has its own part
  (
    await db.only<{ count: bigint }>(sql`
    select count(*) from (select from unchained limit ${atMost}) waiting`)
  ).count

export type KeyValues = string[]

type ChunkRow = {
  key: KeyValues
  spaceId: string
  environment: Environment
  /** The decrypted values of its columns, and whether any of them is plain. */
  [value: `value${number}`]: string | null
  isPlain: boolean
}

/** Encrypts the rows of a chunk that need it. `last` is the key of its last row, if there are more rows. */
export async function encryptChunk(
  tx: Tx,
  encryption: Encryption,
  table: EncryptedTable,
  { after, size }: { after: KeyValues | null | undefined; size: number },
): Promise<{ read: number; last?: KeyValues }> {
  const { name, key, columns } = table
  // So that each statement reads only its chunk along the primary key, whatever the planner believes about the table.
  await tx.query(walkPlannerSettings)
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
export async function hashRest(tx: Tx, encryption: Encryption): Promise<void> {
  const isPlain = sql`phone_number not like '#%'`
  for (const table of ['asked_phones', 'ussd_sessions'])
    await tx.run(sql`delete from ${text(table)} where ${isPlain}`)
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

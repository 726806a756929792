import { randomBytes } from 'node:crypto'
import { must } from '@pesewa/values'
import type pg from 'pg'
import { byteas, texts, uuids } from '../db/arrays.ts'
import type { Database } from '../db/database.ts'
import { MissingKeysError } from '../db/encryption.ts'
import { refuseIfUnavailable } from '../db/failures.ts'
import { objectsOf, types } from '../db/rows.ts'
import { type Connection, createClient, sessionOf } from '../db/servers.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Log } from '../log.ts'
import { startRounds } from '../repeat.ts'
import { createVault, type Vault } from '../vault.ts'
import { createKeyring, type Keyring, type SpaceKeys } from './keyring.ts'
import type { MasterKey, MasterKeySource } from './master-key.ts'

/** Thrown if the wrapping key cannot be unwrapped. The message says what to do. */
export class MasterKeyError extends Error {
  override name = 'MasterKeyError'
}

/** Woken when encryption was turned on, or keys were rotated. */
export const keysChannel = 'keys'

const statementLimitMs = 10_000
export const keyBytes = 32

/**
 * Returns the keyring of a database. The keys are read when they are first needed, on a connection of their own, because
 * all connections of the pool may be waiting for them. They stay in memory.
 *
 * The master key wraps one wrapping key, which wraps the keys of all Spaces, so that a KMS is called once per process,
 * and not once per Space.
 *
 * @param masters the master key, and those that it may have replaced
 */
export function openKeyring(connection: Connection, masters: readonly [MasterKey, ...MasterKey[]]): Keyring {
  let loading: Promise<void> = Promise.resolve()
  let wrapping: WrappingKey | undefined

  async function load(
    keyring: Keyring,
    ...[spaceIds, { isInTransaction = false } = {}]: Parameters<Keyring['load']>
  ): Promise<void> {
    const client = createClient({ ...sessionOf(connection), statement_timeout: statementLimitMs })
    client.on('error', () => {})
    try {
      await client.connect()
      const state = await selectState(client)
      const isChanged = state.version !== keyring.version()
      const { version } = state
      if (!state.isOn) keyring.replace({ isOn: false, version, keys: new Map() })
      else {
        if (isChanged) {
          const isKnown = wrapping && (await selectWrapping(client))?.generation === wrapping.generation
          if (!isKnown && isInTransaction) throw new MissingKeysError(spaceIds)
          if (!isKnown) wrapping = await findWrappingKey(client, masters)
        }
        const key = must(wrapping, 'wrapping key')
        await insertMissing(client, key, spaceIds)
        const keys = await selectKeys(client, key, isChanged ? null : spaceIds)
        if (isChanged) keyring.replace({ isOn: true, version, keys })
        else keyring.add(keys)
      }
    } catch (error) {
      refuseIfUnavailable(error)
    } finally {
      await client.end().catch(() => {})
    }
  }

  // One at a time, because concurrent calls need the same keys.
  return createKeyring((...wanted) => {
    const next = () => load(...wanted)
    loading = loading.then(next, next)
    return loading
  })
}

export type WrappingKey = { generation: number; vault: Vault }

const query = async <Row>(client: pg.Client, { text, values }: Sql): Promise<Row[]> =>
  objectsOf<Row>(await client.query({ text, values, rowMode: 'array', types }))

/** `version` changes whenever encryption is turned on and whenever keys are replaced. */
async function selectState(client: pg.Client): Promise<{ isOn: boolean; version: number }> {
  const [state] = await query<{ isOn: boolean; version: number }>(
    client,
    sql`select is_on, version from encryption`,
  )
  return must(state, 'state of encryption')
}

export type WrappingRow = { generation: number; wrapped: Buffer; source: MasterKeySource }

const selectWrapping = async (client: pg.Client): Promise<WrappingRow | undefined> =>
  (
    await query<WrappingRow>(
      client,
      sql`select generation, wrapped, source from wrapping_keys order by generation desc limit 1`,
    )
  )[0]

/** Returns the newest wrapping key. The first one is created when it is needed. */
async function findWrappingKey(
  client: pg.Client,
  masters: readonly [MasterKey, ...MasterKey[]],
): Promise<WrappingKey> {
  let row = await selectWrapping(client)
  if (!row) {
    const [master] = masters
    const wrapped = await master.wrap(randomBytes(keyBytes))
    await query(
      client,
      sql`insert into wrapping_keys (generation, wrapped, source) values (1, ${wrapped}, ${master.source})
        on conflict (generation) do nothing`,
    )
    await refuseOlderReleases(client)
    row = must(await selectWrapping(client), 'wrapping key')
  }
  return { generation: row.generation, vault: createVault(await unwrapKey(row, masters)) }
}

/** Releases without these keys cannot read what is encrypted. From now on, they neither start nor stay ready. */
const refuseOlderReleases = (client: pg.Client) =>
  query(client, sql`update schema_migrations set oldest_release = version where version = ${firstVersion}`)

const firstVersion = 22 // migration that adds the encrypted columns

/** Unwraps a key with the first master key that fits. Returns it as text. */
export async function unwrapKey(
  { wrapped, source }: WrappingRow,
  masters: readonly MasterKey[],
): Promise<string> {
  // A previous SECRET_KEY can be in MASTER_KEY_OLD_FILE.
  const fitting = masters.filter((master) => (master.source === 'command') === (source === 'command'))
  const failures: unknown[] = []
  for (const master of fitting) {
    try {
      return (await master.unwrap(wrapped)).toString('base64')
    } catch (error) {
      failures.push(error)
    }
  }
  const setting = { secret_key: 'SECRET_KEY', file: 'MASTER_KEY_FILE', command: 'MASTER_KEY_COMMAND' }[source]
  throw new MasterKeyError(
    `The keys of personal data are wrapped with another master key (${setting}). Restore it, or set MASTER_KEY_OLD_FILE or MASTER_KEY_OLD_COMMAND and run: pesewa keys rewrap`,
    { cause: failures.at(-1) },
  )
}

/** Creates the keys of Spaces that have none. If another node does the same, its keys are used. */
async function insertMissing(
  client: pg.Client,
  { vault, generation }: WrappingKey,
  spaceIds: string[],
): Promise<void> {
  if (spaceIds.length === 0) return
  const missing = await query<{ id: string }>(
    client,
    sql`select id from unnest(${uuids(spaceIds)}::uuid[]) requested (id)
      where not exists (select from data_keys where space_id = id)`,
  )
  const created = missing.flatMap(({ id }) =>
    (['hash', 'data'] as const).map((purpose) => ({
      ...{ id, purpose },
      wrapped: vault.lock(placeOf(id, purpose, 1), randomBytes(keyBytes)),
    })),
  )
  // The wrapping key must not be replaced between reading it and using it.
  await query(
    client,
    sql`insert into data_keys (space_id, purpose, generation, wrapped, wrapping_generation, state)
      select space_id, purpose, 1, wrapped, ${generation}, 'active'
      from unnest(${uuids(created.map(({ id }) => id))}::uuid[], ${texts(created.map(({ purpose }) => purpose))}::text[],
        ${byteas(created.map(({ wrapped }) => wrapped))}::bytea[]) created (space_id, purpose, wrapped)
      where exists (select from wrapping_keys where generation = ${generation} for share)
      order by space_id, purpose
      on conflict (space_id, purpose, generation) do nothing`,
  )
}

export type KeyPurpose = 'hash' | 'data'

type KeyRow = {
  spaceId: string
  purpose: KeyPurpose
  generation: number
  wrapped: Buffer
  state: 'active' | 'retiring'
}

/** Returns the keys of these Spaces, or of all. */
async function selectKeys(
  client: pg.Client,
  { vault, generation: wrappingGeneration }: WrappingKey,
  spaceIds: string[] | null,
): Promise<Map<string, SpaceKeys>> {
  const rows = await query<KeyRow>(
    client,
    sql`select space_id, purpose, generation, wrapped, state from data_keys
      where wrapping_generation = ${wrappingGeneration} and state <> 'retired'
        and (${spaceIds}::uuid[] is null or space_id = any(${spaceIds}::uuid[]))
      order by space_id, purpose, generation`,
  )
  const found = new Map<string, SpaceKeys>()
  for (const { spaceId, purpose, generation, wrapped, state } of rows) {
    const keys = found.get(spaceId) ?? { hashKey: Buffer.alloc(0), dataKeys: new Map(), generation: 0 }
    found.set(spaceId, keys)
    const key = vault.unlock(placeOf(spaceId, purpose, generation), wrapped)
    if (purpose === 'hash') keys.hashKey = key
    else keys.dataKeys.set(generation, key)
    if (purpose === 'data' && state === 'active') keys.generation = generation
  }
  return found
}

/** Where a key is stored, which is authenticated when it is unwrapped. */
export const placeOf = (spaceId: string, purpose: KeyPurpose, generation: number) =>
  `${spaceId} ${purpose} ${generation}`

const pollEveryMs = 10_000 // time after which a node notices new keys if the notification was lost

/** Loads the keys, and again whenever another node has changed them. Returns a function that stops this. */
export async function followKeys(db: Database, keyring: Keyring, log: Log): Promise<() => Promise<void>> {
  await keyring.load([])
  const rounds = startRounds({ everyMs: pollEveryMs, log }, async () => {
    const { version } = await db.primary.only<{ version: number }>(sql`select version from encryption`)
    if (version !== keyring.version()) await keyring.load([])
  })
  const stopHearing = await db.onWake(keysChannel, () => rounds.wake())
  return async () => {
    stopHearing()
    await rounds.stop()
  }
}

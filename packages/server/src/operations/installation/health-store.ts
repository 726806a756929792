import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Environment, Scope } from '../../platform/scope.ts'

// every space: the operator's view covers all of them. Each count has a limit, and each statement reads along
// an index.

export const maxQueued = 10_000 // jobs, facts and deliveries that are counted for the state of the installation
export const maxOpen = 500 // open instructions of each kind, oldest first, that are read for the state of the installation
export const maxQueueCount = 1_000 // instructions queued for one provider that are counted for the state of the installation

// every space: there is one job queue
export const selectDueJobs = (db: Reader) =>
  db.only<{ due: number; oldestAt: Date | null }>(sql`
    select count(*)::int as due, min(due_at) as oldest_at from (
      select due_at from jobs where taken_by is null and due_at <= now()
      order by due_at limit ${maxQueued}) job`)

export type ProviderQueue = {
  environment: Environment
  kind: 'collect' | 'disburse' | 'refund'
  providerId: string
  waiting: number
}

// every space: queues are per provider
export const selectProviderQueues = (db: Reader, providerIds: string[]) =>
  db.query<ProviderQueue>(sql`
    -- every space: queues are per provider
    select lane.environment, lane.kind, lane.provider_id, waiting.count as waiting
    from (
      select * from unnest(${providerIds}::text[]) providers (provider_id)
      cross join (values ('test'::environment), ('live')) environments (environment)
      cross join (values ('collect'), ('disburse'), ('refund')) kinds (kind)
    ) lane
    cross join lateral (
      select count(*)::int as count from (
        select 1 from instructions
        where kind = lane.kind and environment = lane.environment and provider_id = lane.provider_id
          and state = 'created'
        limit ${maxQueueCount}) created offset 0
    ) waiting
    where waiting.count > 0
    order by lane.environment desc, lane.provider_id, lane.kind`)

export type OpenOutcomes = {
  environment: Environment
  ownerType: 'payment' | 'payout' | 'refund'
  providerId: string
  count: number
  oldestAt: Date
}

// every space: the oldest submitted instructions without an outcome
export const selectOpenOutcomes = (db: Reader) =>
  db.query<OpenOutcomes>(sql`
    -- every space: the oldest submitted instructions without an outcome
    select environment, owner_type, provider_id, count(*)::int as count, min(submitted_at) as oldest_at
    from (values ('payment'), ('payout'), ('refund')) owners (type)
    cross join lateral (
      select environment, owner_type, provider_id, submitted_at from instructions
      where owner_type = owners.type and state in ('submitting', 'submitted', 'unknown')
      order by submitted_at, id limit ${maxOpen} offset 0
    ) instruction
    group by environment, owner_type, provider_id
    order by environment desc, oldest_at`)

export type FailingWebhooks = { failing: number; disabled: number }

// every space: totals across Spaces
export const countFailingWebhooks = (db: Reader) =>
  db.only<FailingWebhooks>(sql`
    -- every space: totals across Spaces
    select count(*) filter (where disabled_reason is null)::int as failing,
      count(*) filter (where disabled_reason is not null)::int as disabled
    from (
      select disabled_reason from webhooks
      where (failing_since is not null or disabled_reason is not null) and deleted_at is null
      limit ${maxQueued}) webhook`)

const shownWebhooks = 5 // failing webhooks that the state of the installation names

export type FailingWebhook = Scope & { id: string; failingSince: Date | null; isDisabled: boolean }

/** Lists a few failing webhooks, those of the live environment and those that have failed for longest first. */
// every space: the operator tells the merchants
export const selectFailingWebhooks = (db: Reader) =>
  db.query<FailingWebhook>(sql`
    -- every space: the operator tells the merchants
    select space_id, environment, id, failing_since, disabled_reason is not null as is_disabled
    from (
      select space_id, environment, id, failing_since, disabled_reason from webhooks
      where (failing_since is not null or disabled_reason is not null) and deleted_at is null
      limit ${maxQueued}) webhook
    order by environment desc, failing_since, id limit ${shownWebhooks}`)

export type DatabaseState = {
  version: string
  sizeBytes: bigint
  connections: number
  maxConnections: number
  isStandby: boolean
  schemaVersion: number
}

export const selectDatabaseState = (db: Reader) =>
  db.only<DatabaseState>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as size_bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as max_connections, pg_is_in_recovery() as is_standby,
      (select max(version) from schema_migrations) as schema_version`)

export type ServerSettings = {
  versionNumber: number
  fsync: string
  synchronousCommit: string
  synchronousStandbyNames: string
  fullPageWrites: string
  dataChecksums: string
  maxConnections: number
  reservedConnections: number
  isStandby: boolean
}

/** The server's settings for durability, and its connection limit. */
export const selectServerSettings = (db: Reader) =>
  db.only<ServerSettings>(sql`
    select current_setting('server_version_num')::int as version_number, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('synchronous_standby_names') as synchronous_standby_names,
      current_setting('full_page_writes') as full_page_writes, current_setting('data_checksums') as data_checksums,
      current_setting('max_connections')::int as max_connections,
      current_setting('superuser_reserved_connections')::int as reserved_connections,
      pg_is_in_recovery() as is_standby`)

export type Replica = {
  name: string
  state: string | null
  /** Whether commits wait for this standby. */
  isSynchronous: boolean
  lagSeconds: number | null
}

/**
 * Lists the standbys that the database user is allowed to see. The lag of a standby that does not respond grows; PostgreSQL
 * itself would report the lag of its last response.
 */
export const selectReplicas = (db: Reader) =>
  db.query<Replica>(sql`
    select application_name as name, state, coalesce(sync_state in ('sync', 'quorum'), false) as is_synchronous,
      extract(epoch from case
        when replay_lsn >= case
          when pg_is_in_recovery() then pg_last_wal_receive_lsn() else pg_current_wal_flush_lsn() end then interval '0'
        else greatest(replay_lag, clock_timestamp() - reply_time) end)::float8 as lag_seconds
    from pg_stat_replication order by application_name limit 20`)

/**
 * Returns the number of standbys that have every commit, and the largest lag; `undefined` if this is a standby or if the
 * database user is not allowed to see the standbys.
 */
export async function selectStandbyState(
  db: Reader,
): Promise<{ synchronous: number; lagSeconds: number | undefined } | undefined> {
  const [replicas, { isStandby }] = await Promise.all([selectReplicas(db), selectServerSettings(db)])
  if (isStandby || replicas.some(({ state }) => state === null)) return undefined
  const lags = replicas.flatMap(({ lagSeconds }) => lagSeconds ?? [])
  return {
    synchronous: replicas.filter(({ isSynchronous, state }) => isSynchronous && state === 'streaming').length,
    lagSeconds: lags.length > 0 ? Math.max(...lags) : undefined,
  }
}

/** Returns whether there is a live access token that can be used. */
// every space: the durability of the database concerns all of them
export const hasLiveTokens = async (db: Reader): Promise<boolean> =>
  (
    await db.only<{ exists: boolean }>(sql`
    -- every space: the durability of the database concerns all of them
    select exists (
      select from tokens
      where environment = 'live' and revoked_at is null and (expires_at is null or expires_at > now())) as exists`)
  ).exists

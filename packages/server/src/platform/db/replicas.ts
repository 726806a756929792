import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, messageOf } from '@pesewa/values'
import pg from 'pg'
import { Refusal } from '../refusals.ts'
import { isDatabaseUnavailable } from './failures.ts'
import { destroy, timed } from './servers.ts'

/** What an operator sees of a replica. `problem` is why reads are not sent to it, if that is so. */
export type ReplicaState = {
  name: string
  /** How far the replica is behind the primary, in bytes of WAL; `undefined` if unknown. */
  lagBytes: number | undefined
  problem: string | undefined
}

/** Counts of reads that could have used a replica, since the start of the process. */
export type ReplicaCounts = { replica: number; primary: number }

export type Replicas = {
  /**
   * Runs `read` on a replica that has everything that was committed before this call, or else `readPrimary`. The
   * primary is also read if the replica fails. `check` throws if the connection that `read` uses was opened too late
   * to be sure of that; a transaction calls it first.
   */
  read<T>(
    read: (pool: pg.Pool, check: () => void) => Promise<T>,
    readPrimary: () => Promise<T>,
    options?: { waitMs?: number },
  ): Promise<T>
  /** Runs `work`, within which `isReading` returns true. */
  within<T>(work: () => T): T
  isReading(): boolean
  counts: ReplicaCounts
  states(): Promise<ReplicaState[]>
  close(): Promise<void>
}

const waitLimitMs = 100 // time for which a read waits for a replica to catch up
const waitStepMs = 3 // interval at which a replica is asked how far it is
const recheckEveryMs = 500 // interval at which a replica that is left out is asked again
const freshMs = 1_000 // time for which it is known how far a replica is; also notices one that has vanished

/** A position in the WAL. Positions in different timelines cannot be compared. */
type Place = { systemId: string; timeline: number; lsn: bigint }

type Replica = {
  name: string
  pool: pg.Pool
  clients: Set<pg.Client>
  /** Increases with each new connection, because only a connection to another server can lead to an older state. */
  epoch: number
  /** How far the replica was at a certain time. */
  seen: (Place & { epoch: number; at: number }) | undefined
  isOut: boolean
  askPlace(): Promise<Place | undefined>
}

/** Thrown if a connection may lead to an older state than the one that was checked. */
class ReplicaChangedError extends Error {}

/**
 * Sends reads to replicas. Before each read, the primary is asked how far its WAL has been flushed, which includes every
 * commit that anybody can know of, on any node. A replica that has replayed the WAL up to there answers. One that has not
 * within a tenth of a second, or that fails, is left out until it has caught up.
 *
 * See docs/decisions/0254-read-replicas.md.
 */
export function createReplicas(
  urls: string[],
  openPool: (connection: pg.ClientConfig) => pg.Pool,
  primary: pg.Pool,
): Replicas {
  const reading = new AsyncLocalStorage<boolean>()
  const counts = { replica: 0, primary: 0 }
  const replicas = urls.map((url) => openReplica(url, openPool))
  const askPrimary = shareCalls(() => askPlace(primary, primaryPlace))
  let turn = 0
  let isClosed = false

  /** Waits until a replica is at least as far as `target`. */
  async function hasReached(replica: Replica, target: Place, limitMs: number): Promise<boolean> {
    const endsAt = performance.now() + limitMs
    for (;;) {
      if (isBehind(replica, target) === false) return true
      const left = endsAt - performance.now()
      if (left <= 0) return false
      const isKnown = await Promise.race([look(replica), sleep(left, false, { ref: false })])
      if (!isKnown || replica.seen?.timeline !== target.timeline) return false
      if (isBehind(replica, target)) await sleep(waitStepMs)
    }
  }

  function leaveOut(replica: Replica): void {
    if (replica.isOut) return
    replica.isOut = true
    void (async () => {
      while (replica.isOut && !isClosed) {
        await sleep(recheckEveryMs, undefined, { ref: false })
        if (isClosed) return
        const target = await askPrimary().catch(() => undefined)
        if (target && (await hasReached(replica, target, waitLimitMs).catch(() => false)))
          replica.isOut = false
      }
    })()
  }

  /** Returns the next replica in turn that has caught up. */
  async function choose(limitMs: number): Promise<Replica | undefined> {
    const usable = replicas.filter(({ isOut }) => !isOut)
    if (usable.length === 0) return undefined
    const target = await askPrimary().catch(() => undefined)
    const replica = usable[turn++ % usable.length]
    if (!target || !replica) return undefined
    if (await hasReached(replica, target, limitMs)) return replica
    leaveOut(replica)
    return undefined
  }

  return {
    async read(read, readPrimary, { waitMs = waitLimitMs } = {}) {
      const replica = await choose(waitMs)
      const epoch = replica?.seen?.epoch
      if (replica && epoch !== undefined) {
        const check = () => {
          if (replica.epoch !== epoch) throw new ReplicaChangedError()
        }
        try {
          const answer = await read(replica.pool, check)
          counts.replica++
          return answer
        } catch (error) {
          if (!isReplicaFault(error)) throw error
          if (isDatabaseUnavailable(error)) leaveOut(replica)
        }
      }
      counts.primary++
      return readPrimary()
    },
    within: (work) => reading.run(true, work),
    isReading: () => reading.getStore() === true,
    counts,
    async states() {
      const target = await askPrimary()
      if (!target) return []
      return Promise.all(replicas.map((replica) => stateOf(replica, target)))
    },
    async close() {
      isClosed = true
      // A replica that has vanished would not answer the goodbye.
      for (const { clients } of replicas) for (const client of clients) destroy(client)
      await Promise.all([primary, ...replicas.map(({ pool }) => pool)].map((pool) => pool.end()))
    },
  }
}

function openReplica(url: string, openPool: (connection: pg.ClientConfig) => pg.Pool): Replica {
  const connection = { connectionString: url }
  const { host, port } = new pg.Client(connection)
  const pool = openPool({ ...connection, connectionTimeoutMillis: freshMs })
  const replica: Replica = {
    name: `${host}:${port}`,
    pool,
    clients: new Set(),
    epoch: 0,
    seen: undefined,
    isOut: false,
    askPlace: shareCalls(() => askPlace(pool, replicaPlace)),
  }
  pool.on('connect', (client) => {
    replica.epoch++
    replica.clients.add(client)
  })
  pool.on('remove', (client) => replica.clients.delete(client))
  return replica
}

/** Asks a replica how far it is, and returns whether that is known. */
async function look(replica: Replica): Promise<boolean> {
  const at = performance.now()
  const place = await replica.askPlace().catch(() => undefined)
  replica.seen = place && { ...place, at, epoch: replica.epoch }
  return place !== undefined
}

/** Returns `undefined` if it is not known how far a replica is now. */
function isBehind({ seen, epoch }: Replica, target: Place): boolean | undefined {
  if (!seen || seen.epoch !== epoch || performance.now() - seen.at > freshMs) return undefined
  if (seen.systemId !== target.systemId || seen.timeline !== target.timeline) return undefined
  return seen.lsn < target.lsn
}

async function stateOf(replica: Replica, target: Place): Promise<ReplicaState> {
  const { name } = replica
  const unknown = (problem: string) => ({ name, lagBytes: undefined, problem })
  try {
    const place = await Promise.race([replica.askPlace(), sleep(freshMs, null, { ref: false })])
    if (place === null) return unknown('does not answer')
    if (place === undefined) return unknown('is not a standby')
    if (place.systemId !== target.systemId) return unknown('belongs to another cluster')
    if (place.timeline !== target.timeline) return unknown('has not followed the last failover')
    const lagBytes = Math.max(0, Number(target.lsn - place.lsn))
    return { name, lagBytes, problem: replica.isOut ? 'is catching up' : undefined }
  } catch (error) {
    return unknown(messageOf(error))
  }
}

/** The first eight digits of the name of a WAL file are its timeline. */
const primaryPlace = `
  select system_identifier::text as "systemId", pg_current_wal_flush_lsn()::text as lsn,
    ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline
  from pg_control_system()`

/**
 * What a standby has received shows its timeline immediately, but only to users with `pg_read_all_stats`. Others see it
 * after the standby's next restart point.
 */
const replicaPlace = `
  select system_identifier::text as "systemId", pg_last_wal_replay_lsn()::text as lsn,
    coalesce((select received_tli from pg_stat_wal_receiver), timeline_id) as timeline
  from pg_control_system(), pg_control_checkpoint() where pg_is_in_recovery()`

async function askPlace(pool: pg.Pool, text: string): Promise<Place | undefined> {
  const { rows } = await pool.query<{ systemId: string; lsn: string | null; timeline: number }>(
    timed(text, freshMs),
  )
  const [row] = rows
  return row?.lsn ? { ...row, lsn: numberOf(row.lsn) } : undefined
}

/** Converts a position in the form `16/B374D848`. */
function numberOf(lsn: string): bigint {
  const [high = '', low = ''] = lsn.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** Makes calls of the same turn of the event loop share one call, which begins after all of them. */
function shareCalls<T>(call: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | undefined
  return () => {
    next ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      next = undefined
      return call()
    })
    return next
  }
}

/** SQLSTATEs of a conflict with recovery, and of statements that a standby cannot run. */
const standbyStates = new Set(['40001', '25006', '55000'])
const cancelledState = '57014'

/** Returns whether a read that failed on a replica can succeed on the primary. */
function isReplicaFault(error: unknown): boolean {
  if (error instanceof ReplicaChangedError) return true
  const cause = error instanceof Refusal ? error.cause : error
  const code = codeOf(cause)
  if (code === cancelledState) return messageOf(cause).includes('conflict with recovery')
  return (
    standbyStates.has(code) || (cause !== undefined && isDatabaseUnavailable(cause)) || isReadTimeout(cause)
  )
}

const isReadTimeout = (error: unknown) => messageOf(error) === 'Query read timeout'

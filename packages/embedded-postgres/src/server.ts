// Starts, watches and stops the server process.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Account, serverEnvironment } from './account.ts'
import { codeOf, EmbeddedPostgresError, ignore } from './failure.ts'
import { readIfPresent } from './files.ts'
import { boundLog, failureOf, openLog, type ServerLog } from './log.ts'

const shortSocketFolder = '/tmp/pesewa-'
const socketPort = 5432
const socketName = `.s.PGSQL.${socketPort}`
const socketPathLimitBytes = 107
const readyLimitMs = 600_000
const pollMs = 4
const logCheckMs = 10_000
const stopSteps = [
  ['SIGINT', 20_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 5_000],
] as const

/** The memory of the machine, or the memory limit of the container if that is lower. */
const memoryMiB = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2 ** 20

const ownSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '100',
  // Until a table has been analysed, the query planner has to guess. A new table should therefore get its first
  // statistics within seconds, not minutes.
  autovacuum_naptime: '5s',
  // This memory is only allocated as its pages are used. If the index pages of the ledger do not fit into it,
  // every transfer becomes slower.
  shared_buffers: `${Math.round(Math.min(Math.max(memoryMiB / 8, 128), 2048))}MB`,
  effective_cache_size: `${Math.round(memoryMiB / 2)}MB`,
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_completion_target: '0.9',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Our program decides what to log about failed statements. In the server's log, these statements could reveal
  // payers' data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

export interface EmbeddedPostgres {
  /** Connection settings that are passed to `pg` unchanged. */
  connection: { host: string; port: number; user: 'pesewa'; password: string; database: 'pesewa' }
  /**
   * Stops the server, closing open connections, and resolves when it has exited. It can be called more than
   * once.
   */
  stop(): Promise<void>
  /** Resolves when the server has exited: to an error, or to `undefined` after a call to `stop`. */
  exited: Promise<EmbeddedPostgresError | undefined>
}

/**
 * Everything needed to start the server: the locked folder, the binaries, the database's own folder (`home`),
 * and the user to run as.
 */
export interface Start {
  folder: string
  lock: DatabaseSync
  settings: Record<string, string>
  native: string
  home: string
  account: Account
}

export async function launch(start: Start): Promise<EmbeddedPostgres> {
  const cluster = join(start.home, 'data')
  const server = await spawnServer(start, cluster)
  try {
    const connection = await connectionOf(start.home, server.host)
    await untilReady(server, cluster)
    await ensureDatabase(connection)
    return supervise(server, start.lock, connection)
  } catch (error) {
    await endServer(server.pid, server.isRunning)
    await removeSockets(server.host)
    throw error
  }
}

async function connectionOf(home: string, host: string): Promise<EmbeddedPostgres['connection']> {
  const password = await fs.readFile(join(home, 'password'), 'utf8')
  return { host, port: socketPort, user: 'pesewa', password, database: 'pesewa' }
}

/**
 * If the server of this database folder is running and ready, returns the connection settings for it.
 * Otherwise, returns `undefined`.
 */
export async function findRunning(home: string): Promise<EmbeddedPostgres['connection'] | undefined> {
  const { isReady, sockets } = readServerRecord(join(home, 'data'))
  return isReady && sockets ? connectionOf(home, sockets) : undefined
}

interface Server {
  pid: number
  host: string
  log: ServerLog
  isRunning: () => boolean
  /** Resolves to a description of how the process ended. */
  ended: Promise<string>
}

async function spawnServer({ folder, native, account, ...start }: Start, cluster: string): Promise<Server> {
  const host = await openSocketFolder(cluster, account)
  const log = await openLog(join(folder, 'postgres.log'))
  const settings = { ...ownSettings, ...start.settings, unix_socket_directories: `"${host}"` }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(native, 'bin', 'postgres'), ['-D', cluster, ...flags], {
    ...account,
    cwd: '/',
    env: serverEnvironment,
    stdio: ['ignore', log.file.fd, log.file.fd],
    // The server gets its own process group, because Ctrl-C in a terminal must reach only the program, which
    // still has to finish its requests.
    detached: true,
  })
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  await once(child, 'spawn').finally(() => log.file.close())
  assert(child.pid, 'a spawned process has a pid')
  return { pid: child.pid, host, log, isRunning, ended }
}

async function untilReady({ log, isRunning }: Server, cluster: string): Promise<void> {
  const isSettled = () => readServerRecord(cluster).isReady || !isRunning()
  const isInTime = await until(isSettled, readyLimitMs)
  if (isInTime && isRunning()) return
  const what = isInTime ? `could not be started: ${await failureOf(log)}` : 'is not ready after 10 minutes'
  throw new EmbeddedPostgresError(`PostgreSQL ${what} (see ${log.path})`)
}

async function ensureDatabase(connection: EmbeddedPostgres['connection']): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  // If the server dies, the running query fails; without a listener, the error would also end the process.
  client.on('error', () => {})
  await client.connect()
  const { rowCount } = await client.query("select from pg_database where datname = 'pesewa'")
  if (rowCount === 0) await client.query('create database pesewa')
  await client.end()
}

function supervise(
  server: Server,
  lock: DatabaseSync,
  connection: EmbeddedPostgres['connection'],
): EmbeddedPostgres {
  // Failing to truncate the log is no reason to stop taking payments.
  const logCheck = setInterval(() => boundLog(server.log.path).catch(() => {}), logCheckMs).unref()
  // If the program exits without calling `stop` (after a second Ctrl-C), the server is stopped as well.
  const endWithProgram = () => void process.kill(server.pid, 'SIGINT')
  process.once('exit', endWithProgram)
  let stopped: Promise<void> | undefined
  const exited = server.ended.then(async (how) => {
    process.off('exit', endWithProgram)
    clearInterval(logCheck)
    await removeSockets(server.host)
    lock.close()
    if (stopped) return undefined
    return new EmbeddedPostgresError(
      `PostgreSQL exited unexpectedly (${how}): see ${server.log.path}, and start Pesewa again`,
    )
  })
  const stop = () => {
    stopped ??= endServer(server.pid, server.isRunning).then(() => exited.then(() => {}))
    return stopped
  }
  return { connection, stop, exited }
}

// SIGINT closes the connections and flushes all data. SIGQUIT stops the server immediately, so the next start
// begins with crash recovery.
async function endServer(pid: number, isRunning: () => boolean): Promise<void> {
  for (const [signal, limitMs] of stopSteps) {
    if (!isRunning()) return
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (codeOf(error) !== 'ESRCH') throw error
    }
    if (await until(() => !isRunning(), limitMs)) return
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL (process ${pid}) has not stopped: stop it, then start Pesewa again`,
  )
}

// The cluster's own folder would be private as well, but the path of a socket is limited to 107 bytes.
async function openSocketFolder(cluster: string, account: Account): Promise<string> {
  if (Buffer.byteLength(join(cluster, socketName)) <= socketPathLimitBytes) return cluster
  const folder = await fs.mkdtemp(shortSocketFolder)
  if (account.uid !== undefined) await fs.chown(folder, account.uid, account.gid)
  return folder
}

// The files are removed by name, and the folder is not removed recursively, so that only sockets can be deleted
// here.
async function removeSockets(folder: string): Promise<void> {
  await fs.rm(join(folder, socketName), { force: true })
  await fs.rm(join(folder, `${socketName}.lock`), { force: true })
  if (folder.startsWith(shortSocketFolder)) await fs.rmdir(folder).catch(ignore('ENOENT', 'ENOTEMPTY'))
}

// Stops a server whose program was killed. The server is not reused, because its settings, log and binaries may
// differ, and because it may still be executing statements of the dead program.
export async function stopOrphan(cluster: string): Promise<void> {
  const { pid, sockets } = readServerRecord(cluster)
  if (pid) await endServer(pid, () => readServerRecord(cluster).pid === pid)
  if (sockets) await removeSockets(sockets)
  // A stale record would prevent the server from starting if its process id now belongs to another process, as
  // can happen in a restarted container.
  await fs.rm(join(cluster, 'postmaster.pid'), { force: true })
}

/**
 * Reads PostgreSQL's record of the running server. `pid` is set only if that process is a server of this
 * cluster.
 */
function readServerRecord(cluster: string): { pid?: number; sockets?: string; isReady: boolean } {
  const record = readIfPresent(join(cluster, 'postmaster.pid')).split('\n')
  const pid = Number(record[0])
  const isOurs = pid > 0 && readIfPresent(`/proc/${pid}/cmdline`).split('\0').includes(cluster)
  return {
    ...(isOurs && { pid }),
    ...(record[4] && { sockets: record[4] }),
    isReady: isOurs && record[7]?.trim() === 'ready',
  }
}

async function until(condition: () => boolean, limitMs: number): Promise<boolean> {
  const endsAt = performance.now() + limitMs
  while (!condition()) {
    if (performance.now() > endsAt) return false
    await sleep(pollMs)
  }
  return true
}

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

/** Memory of the machine, or of the container if that has less. */
const memoryMiB = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2 ** 20

const ownSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '100',
  // Plans are guesses until a table is analysed, so a new one should get its first statistics in seconds, not
  // minutes.
  autovacuum_naptime: '5s',
  // Memory is only taken as pages are used. If the ledger's index pages do not fit, every transfer gets slower.
  shared_buffers: `${Math.round(Math.min(Math.max(memoryMiB / 8, 128), 2048))}MB`,
  effective_cache_size: `${Math.round(memoryMiB / 2)}MB`,
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_completion_target: '0.9',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The program decides what to log about failed statements; logged here, they could reveal a payer.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

export interface EmbeddedPostgres {
  /** Passed to `pg` unchanged. */
  connection: { host: string; port: number; user: 'pesewa'; password: string; database: 'pesewa' }
  /** Stops the server, closing open connections, and waits until it has exited. Can be called repeatedly. */
  stop(): Promise<void>
  /** Resolves when the server has exited: with an error, or with `undefined` after `stop`. */
  exited: Promise<EmbeddedPostgresError | undefined>
}

/** Everything a start needs: the locked folder, the server's binaries and home, and its user. */
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

/** Returns the connection of the server with this home, if it is running and ready. */
export async function findRunning(home: string): Promise<EmbeddedPostgres['connection'] | undefined> {
  const { isReady, sockets } = readServerRecord(join(home, 'data'))
  return isReady && sockets ? connectionOf(home, sockets) : undefined
}

interface Server {
  pid: number
  host: string
  log: ServerLog
  isRunning: () => boolean
  /** How the process ended. */
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
    // A separate process group, because Ctrl-C in a terminal must reach only the program, which still has
    // requests to finish.
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
  // If the program exits without `stop` (a second Ctrl-C), the server stops with it.
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

// SIGINT closes the connections and flushes everything; SIGQUIT leaves the rest to recovery at the next start.
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

// The cluster's own folder is already private, but a socket's path is limited to 107 bytes.
async function openSocketFolder(cluster: string, account: Account): Promise<string> {
  if (Buffer.byteLength(join(cluster, socketName)) <= socketPathLimitBytes) return cluster
  const folder = await fs.mkdtemp(shortSocketFolder)
  if (account.uid !== undefined) await fs.chown(folder, account.uid, account.gid)
  return folder
}

// Removed by name and not recursively, so that only sockets can be removed here.
async function removeSockets(folder: string): Promise<void> {
  await fs.rm(join(folder, socketName), { force: true })
  await fs.rm(join(folder, `${socketName}.lock`), { force: true })
  if (folder.startsWith(shortSocketFolder)) await fs.rmdir(folder).catch(ignore('ENOENT', 'ENOTEMPTY'))
}

// Stops a server whose program was killed. It is not reused: its settings, log and binaries may differ, and it
// may still be working for the dead program.
export async function stopOrphan(cluster: string): Promise<void> {
  const { pid, sockets } = readServerRecord(cluster)
  if (pid) await endServer(pid, () => readServerRecord(cluster).pid === pid)
  if (sockets) await removeSockets(sockets)
  // A stale record would block the start if its process id now belongs to another process, as in a restarted
  // container.
  await fs.rm(join(cluster, 'postmaster.pid'), { force: true })
}

/** Reads PostgreSQL's record of the running server. `pid` is set only for a server of this cluster. */
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

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { serverAccount, serverEnvironment } from '../../packages/embedded-postgres/src/account.ts'
import { findBinaries, usableBinaries } from '../../packages/embedded-postgres/src/binaries.ts'
import { freePort } from './free-port.ts'
import { waitBeforeNextCheck } from './patience.ts'

export type ClusterServer = {
  host: string
  port: number
  connection: pg.ClientConfig
  /** Runs one statement on this server, and returns its rows. */
  ask<Row>(text: string): Promise<Row[]>
  promote(): Promise<void>
  /** Ends the server as a power failure does. */
  kill(): Promise<void>
  /** Starts the server again, as a standby of another. */
  follow(primary: ClusterServer): Promise<void>
}

const password = 'planted-password'
const user = 'pesewa'

/**
 * Starts a primary with these settings, and a standby that follows it, which are real servers on loopback. The primary
 * has a database `pesewa`.
 */
export async function startCluster(settings: Record<string, string> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-test-cluster-'))
  chmodSync(folder, 0o755)
  const account = await serverAccount(folder)
  const bin = path.join(await usableBinaries(await findBinaries(), folder, account), 'bin')
  const options = { ...account, cwd: '/', env: serverEnvironment, stdio: 'ignore' as const }
  const secret = path.join(folder, 'password')
  writeFileSync(secret, password)

  const children: ChildProcess[] = []
  // If the test is ended before it can close the cluster.
  const endAll = () => {
    for (const child of children) child.kill('SIGQUIT')
  }
  process.once('exit', endAll)
  const place = (name: string) => path.join(folder, name)
  const own = (name: string) =>
    account.uid === undefined || execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, place(name)])

  async function open(name: string): Promise<ClusterServer> {
    const port = await freePort()
    const connection = { host: '127.0.0.1', port, user, password, database: 'pesewa' }
    let child: ChildProcess | undefined
    const run = async (primary?: ClusterServer) => {
      if (primary) writeFileSync(path.join(place(name), 'standby.signal'), '')
      const all = {
        listen_addresses: '127.0.0.1',
        port: `${port}`,
        unix_socket_directories: '',
        fsync: 'off',
        hot_standby: 'on',
        wal_keep_size: '64MB',
        shared_buffers: '32MB',
        ...(primary ? {} : settings),
        ...(primary && {
          primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${user} password=${password}`,
        }),
      }
      const flags = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`])
      child = spawn(path.join(bin, 'postgres'), ['-D', place(name), ...flags], options)
      children.push(child)
      await untilReady(connection, child)
    }
    const server = {
      host: '127.0.0.1',
      port,
      connection,
      ask: (text: string) => askOnce(connection, text),
      promote: async () => void (await askOnce(connection, 'select pg_promote()')),
      async kill() {
        child?.kill('SIGQUIT')
        if (child?.exitCode === null) await once(child, 'exit')
      },
      follow: run,
    }
    if (name === 'first') await run()
    return server as ClusterServer
  }

  if (account.uid !== undefined) for (const one of [folder, secret]) chownSync(one, account.uid, account.gid)
  mkdirSync(place('first'), { mode: 0o700 })
  own('first')
  execFileSync(
    path.join(bin, 'initdb'),
    ['-D', place('first'), '-U', user, '-A', 'scram-sha-256', `--pwfile=${secret}`, '-E', 'UTF8', '-N'],
    options,
  )
  cpSync(place('first'), place('second'), { recursive: true })
  chmodSync(place('second'), 0o700)
  own('second')
  const first = await open('first')
  const second = await open('second')
  await second.follow(first)
  await askOnce({ ...first.connection, database: 'postgres' }, 'create database pesewa')
  await until(() =>
    second.ask('select').then(
      () => true,
      () => false,
    ),
  )
  return {
    first,
    second,
    async close() {
      endAll()
      process.off('exit', endAll)
      await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Returns a `DATABASE_URL` that lists these servers. */
export const listOf = (...servers: { host: string; port: number }[]): string =>
  `postgresql://${user}:${password}@${servers.map(({ host, port }) => `${host}:${port}`).join(',')}/pesewa`

async function askOnce<Row>(connection: pg.ClientConfig, text: string): Promise<Row[]> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end()
  }
}

const untilReady = (connection: pg.ClientConfig, child: ChildProcess) =>
  until(async () => {
    if (child.exitCode !== null) throw new Error('a PostgreSQL server of the cluster has ended')
    return askOnce({ ...connection, database: 'postgres' }, 'select').then(
      () => true,
      () => false,
    )
  })

async function until(condition: () => Promise<boolean>): Promise<void> {
  const since = performance.now()
  while (!(await condition())) await waitBeforeNextCheck(since)
}

/**
 * Opens an address that leads to a server. It can be moved to another server, which closes its connections, and it can
 * vanish: then it keeps its connections and accepts others, but nothing passes in either direction.
 */
export async function openAddress(target: { port: number }) {
  let port = target.port
  let isGone = false
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = createConnection(port, '127.0.0.1')
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      if (!isGone) from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        if (!isGone) to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    host: '127.0.0.1',
    port: (server.address() as { port: number }).port,
    moveTo(other: { port: number }) {
      port = other.port
      drop()
    },
    vanish() {
      isGone = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    close() {
      drop()
      server.close()
    },
  }
}

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { serverAccount } from '../../packages/embedded-postgres/src/account.ts'
import { freePort } from './free-port.ts'
import { waitBeforeNextCheck } from './patience.ts'
import { ask, makeFolder, urlOf } from './program.ts'

const bin = process.env.PGBOUNCER_BIN ?? 'pgbouncer'

/** The version of PgBouncer, as `[major, minor]`; `undefined` if it is not installed. */
export const pgbouncerVersion = readVersion()

function readVersion(): [number, number] | undefined {
  try {
    const text = execFileSync(bin, ['--version'], {
      encoding: 'utf8',
      env: { PATH: `${process.env.PATH}:/usr/sbin` },
    })
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(text) ?? []
    return [Number(major), Number(minor)]
  } catch {
    return undefined
  }
}

/** Whether the installed PgBouncer can prepare statements for its clients. */
export const canPrepare =
  pgbouncerVersion !== undefined && (pgbouncerVersion[0] > 1 || pgbouncerVersion[1] >= 21)

/** Starts a PgBouncer in transaction mode with `poolSize` connections to a database, and returns its URL. */
export async function startPgbouncer(
  { host, port, user, password, database }: pg.ClientConfig,
  { poolSize = 4, maxPreparedStatements = 0 } = {},
) {
  const folder = makeFolder()
  const account = await serverAccount(folder)
  const listenPort = await freePort()
  const config = path.join(folder, 'pgbouncer.ini')
  const users = path.join(folder, 'users.txt')
  writeFileSync(users, `"${user}" "${password}"\n`)
  writeFileSync(
    config,
    `[databases]
${database} = host=${host} port=${port} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 1000
${canPrepare ? `max_prepared_statements = ${maxPreparedStatements}` : ''}
`,
  )
  if (account.uid !== undefined) for (const file of [config, users]) chownSync(file, account.uid, account.gid)
  const child = spawn(bin, [config], {
    ...account,
    stdio: 'ignore',
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  })
  const connection = { host: '127.0.0.1', port: listenPort, user, password, database }
  const since = performance.now()
  while (!(await ask(connection, 'select').catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with exit code ${child.exitCode}`)
    await waitBeforeNextCheck(since)
  }
  return {
    connection,
    url: urlOf(connection),
    async close() {
      if (child.exitCode !== null) return
      child.kill('SIGINT')
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

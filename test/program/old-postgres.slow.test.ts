import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import type pg from 'pg'
import { freePort } from '../support/free-port.ts'
import { createPayer } from '../support/payer.ts'
import { ask, makeFolder, readDemo, runProgram, startProgram, waitUntil } from '../support/program.ts'

/** The folder with `initdb` and `postgres` of the oldest supported PostgreSQL, if it is installed. */
const bin = process.env.OLD_POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin'
const skip = existsSync(path.join(bin, 'postgres'))
  ? false
  : 'set OLD_POSTGRES_BIN to the bin folder of a PostgreSQL 15'

const stops: (() => Promise<unknown>)[] = []
after(async () => {
  for (const stop of stops) await stop()
})

test('the whole program runs on the oldest supported PostgreSQL: start, demo, a payment, verify', {
  skip,
}, async (t) => {
  const connection = await startOldPostgres()
  const [{ version }] = await ask(connection, `select current_setting('server_version') as version`)
  t.diagnostic(`PostgreSQL ${version}`)
  const { user, port } = connection
  const given = {
    DATABASE_URL: `postgresql://${user}@127.0.0.1:${port}/postgres`,
    DATA_DIR: makeFolder(),
    RATE_LIMITS: 'off',
  }
  const program = await startProgram(['start'], given)
  const payments = async () => {
    const { baseUrl, spaceId, testToken } = readDemo(given.DATA_DIR)
    const headers = { authorization: `Bearer ${testToken}`, 'service-space-id': spaceId }
    const answer = (await (await fetch(`${baseUrl}/v1/payments`, { headers })).json()) as {
      result: { status: string }[]
    }
    return answer.result.map(({ status }) => status)
  }
  await waitUntil(program, async () => (await payments())[0] === 'completed')
  const payer = createPayer(/http\S+\/pay\/\S+/.exec(program.stdout())![0])
  await payer.pay('m17', '076 123 456')
  await waitUntil(program, async () => (await payer.status()) === 'done')
  assert.deepEqual((await payments()).slice(0, 2), ['completed', 'completed'])
  const { code, stdout } = await runProgram(['verify'], given)
  assert.equal(code, 0, stdout)
  const ended = await program.stop()
  assert.equal(ended.code, 0)
})

/** Starts a server on loopback without passwords, in its own folder, and as another user if this is root. */
async function startOldPostgres() {
  const cluster = path.join(makeFolder(), 'cluster')
  mkdirSync(cluster, { mode: 0o700 })
  const as = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  if (as.uid) chownSync(cluster, as.uid, as.gid)
  const options = { ...as, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } }
  execFileSync(
    path.join(bin, 'initdb'),
    ['-D', cluster, '-U', 'pesewa', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    options,
  )
  const port = await freePort()
  const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', fsync: 'off' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(path.join(bin, 'postgres'), ['-D', cluster, ...flags], { ...options, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  stops.push(() => {
    server.kill('SIGINT')
    return ended
  })
  const connection = { host: '127.0.0.1', port, user: 'pesewa', database: 'postgres' }
  await untilReady(connection, () => server.exitCode === null)
  return connection
}

async function untilReady(connection: pg.ClientConfig, isRunning: () => boolean): Promise<void> {
  while (isRunning()) {
    const isReady = await ask(connection, 'select 1').then(
      () => true,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.fail('failed to start the older PostgreSQL')
}

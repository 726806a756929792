import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { openDatabase } from '../../../packages/server/src/platform/db/database.ts'
import { createPayer } from '../../support/payer.ts'
import { canPrepare, startPgbouncer } from '../../support/pgbouncer.ts'
import {
  ask,
  type Environment,
  makeDatabase,
  makeFolder,
  readDemo,
  runProgram,
  startProgram,
  waitUntil,
} from '../../support/program.ts'
import { upgradeUnderLoad, withoutBalancers } from '../rolling-upgrade.ts'

// `npm run pooler` runs the program behind a real PgBouncer, at least 1.21. CI does not, because Debian 12 has none.
assert.ok(canPrepare, 'install PgBouncer 1.21 or newer, or set PGBOUNCER_BIN')

const poolSize = 6
const { connection, url } = await makeDatabase({ isEmpty: true })
let pooler: Awaited<ReturnType<typeof startPgbouncer>>
const given = { DATABASE_SESSION_URL: url, DATA_DIR: makeFolder(), RATE_LIMITS: 'off' }
before(async () => {
  pooler = await startPgbouncer(connection, { poolSize, maxPreparedStatements: 2000 })
})
after(() => pooler.close())

/** Returns the statements that `pesewa migrate` asks for. */
async function readStatements(env: Environment, release?: { release: string }): Promise<string> {
  const { code, stderr } = await runProgram(['migrate'], env, release)
  assert.equal(code, 1)
  const [, statements = ''] =
    /^DATABASE_URL: behind a pooler, .* Run: (.*); then restart the pooler\.\n$/.exec(stderr) ?? []
  return statements
}

test('the database user needs the settings that a client of the pooler cannot set', async () => {
  const statements = await readStatements({ ...given, DATABASE_URL: pooler.url })
  assert.match(statements, /statement_timeout = '15s'; .*plan_cache_mode = 'force_generic_plan'$/)
  await ask(connection, statements)
  await pooler.close()
  pooler = await startPgbouncer(connection, { poolSize, maxPreparedStatements: 2000 })
})

test('the whole program works behind the pooler, in two processes, on few connections', async (t) => {
  const env = { ...given, DATABASE_URL: pooler.url, PROCESSES: '2' }
  const program = await startProgram(['start'], env)
  const { baseUrl, spaceId, testToken } = readDemo(given.DATA_DIR)
  const headers = { authorization: `Bearer ${testToken}`, 'service-space-id': spaceId }
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      ...init,
      headers: { ...headers, 'content-type': 'application/json', ...init.headers },
    })
    // biome-ignore lint/suspicious/noExplicitAny: JSON from the wire
    return { status: response.status, body: (await response.json()) as any }
  }
  const payer = createPayer(/http\S+\/pay\/\S+/.exec(program.stdout())![0])
  await payer.pay('m17', '076 123 456')
  await waitUntil(program, async () => (await payer.status()) === 'done')

  // Many calls at once, of all kinds: more clients than the pooler has connections.
  const order = (n: number) =>
    call('/v1/checkout-sessions', {
      method: 'POST',
      headers: { 'idempotency-key': `order-${n}` },
      body: JSON.stringify({
        name: `Order ${n}`,
        lineItems: [{ name: 'Cloth', price: { currency: 'SLE', value: 15000 }, quantity: 1 }],
      }),
    })
  const startedAt = performance.now()
  const answers = await Promise.all(
    Array.from({ length: 600 }, (_, n) => (n % 2 === 0 ? order(n) : call('/v1/payments?limit=5'))),
  )
  t.diagnostic(`600 calls in ${Math.round(performance.now() - startedAt)} ms`)
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])

  const [{ count }] = await ask(
    connection,
    `select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  t.diagnostic(`${count} connections to PostgreSQL for two processes with pools of 20`)
  const verified = await runProgram(['verify'], env)
  assert.equal(verified.code, 0, verified.stderr)
  assert.equal((await runProgram(['migrate'], env)).stdout, 'The database is up to date.\n')
  const backup = await runProgram(['backup', '--to', makeFolder()], env)
  assert.equal(backup.code, 0, backup.stderr)
  const ended = await program.stop()
  assert.deepEqual([ended.code, ended.stderr.match(/"level":50.*/g)], [0, null])
})

test(
  'a rolling upgrade and restart of four nodes behind the pooler fail no request and lose nothing',
  {
    skip: withoutBalancers,
  },
  (t) =>
    upgradeUnderLoad(t, async ({ connection, url }, old) => {
      const start = () => startPgbouncer(connection, { poolSize, maxPreparedStatements: 2000 })
      const first = await start()
      const sessionUrl = { DATABASE_SESSION_URL: url, DATA_DIR: makeFolder() }
      await ask(connection, await readStatements({ ...sessionUrl, DATABASE_URL: first.url }, old))
      await first.close()
      const second = await start()
      t.after(() => second.close())
      return { ...sessionUrl, DATABASE_URL: second.url }
    }),
)

test('locks and notifications use the session connection', async () => {
  const connections = {
    connectionString: pooler.url,
    session: { connectionString: url },
  }
  const [one, other] = [1, 2].map(() =>
    openDatabase(connections, { maxConnections: 4, onIdleError: () => {} }),
  )
  const heard: unknown[] = []
  await one!.onWake('a', () => {})
  await other!.onWake('a', (about) => heard.push(about))
  while (!heard.includes('it')) {
    one!.wake('a', 'it')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  let runs = 0
  await one!.alone(42, async () => {
    runs++
    await other!.alone(42, async () => void runs++)
  })
  assert.equal(runs, 1)
  const client = new pg.Client(pooler.url)
  await client.connect()
  assert.equal((await client.query('show statement_timeout')).rows[0].statement_timeout, '15s')
  await client.end()
  await Promise.all([one!.close(), other!.close()])
})

import assert from 'node:assert/strict'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createPlainServer } from 'node:net'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '@pesewa/embedded-postgres'
import pg from 'pg'
import { alivenessLock } from '../../packages/server/src/platform/db/listener.ts'
import { openBank } from '../support/bank.ts'
import { createCertificate } from '../support/certificate.ts'
import { openCommandLine } from '../support/command-line.ts'
import {
  ask,
  type Environment,
  makeDatabase,
  makeFolder,
  makeShop,
  runProgram,
  urlOf,
} from '../support/program.ts'
import { startMailbox } from '../support/smtp.ts'

// Real rows, files, servers and settings make each check fail.

type Checked = { check: string; status: string; says: string; todo: string | null }

const { run } = openCommandLine()
const secretKey = 'planted-secret-key-of-at-least-32-characters'

async function doctor(env: Environment, ...options: string[]) {
  const { code, stdout, stderr } = await run(['doctor', '--json', ...options], { env })
  assert.equal(stderr, '')
  assert.doesNotMatch(stdout, /planted|key-of/)
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Checked[] }
  assert.equal(
    ok,
    checks.every(({ status }) => status !== 'problem'),
  )
  assert.equal(code, ok ? 0 : 1)
  const found = new Map(checks.map((each) => [each.check, each]))
  return (name: string) => {
    const { status, says, todo } = found.get(name) ?? assert.fail(`no ${name} in ${[...found.keys()]}`)
    return { status, says, todo }
  }
}

function assertFound({ status, says }: Pick<Checked, 'status' | 'says'>, expected: string, words: RegExp) {
  assert.deepEqual([status, words.test(says)], [expected, true], says)
}

const tables = [
  'connections',
  'backups',
  'nodes',
  'jobs',
  'months',
  'outcomes',
  'webhooks',
  'books',
  'providers',
]
const onServer = ['schema', 'durability', 'standby', 'clock']

describe('settings', () => {
  test('that are invalid are a problem, and misspelt ones are reported with a suggestion', async () => {
    const found = await doctor({
      PORT: 'planted',
      LOG_LEVEL: 'loud',
      DATABSE_URL: 'x',
      PESEWA_BASE_URL: 'x',
      HOME: '/root',
    })
    assertFound(found('settings'), 'problem', /PORT must be .*; LOG_LEVEL must be /)
    assertFound(
      found('names'),
      'warning',
      /DATABSE_URL \(did you mean DATABASE_URL\?\), PESEWA_BASE_URL \(did you mean BASE_URL\?\)$/,
    )
  })
})

describe('a database', () => {
  test('that is down is one problem, and dependent checks are skipped', async () => {
    const found = await doctor({
      DATABASE_URL: 'postgresql://pesewa:planted-password@127.0.0.1:1/pesewa',
      SECRET_KEY: secretKey,
      DATA_DIR: makeFolder(),
    })
    assertFound(found('database'), 'problem', /^DATABASE_URL: nothing is listening at that host and port/)
    for (const name of [...onServer, ...tables]) assertFound(found(name), 'skipped', /^needs the database$/)
  })

  test('without our tables is one problem', async () => {
    const { url } = await makeDatabase({ isEmpty: true })
    const found = await doctor({ DATABASE_URL: url, SECRET_KEY: secretKey, DATA_DIR: makeFolder() })
    assertFound(found('database'), 'ok', /^PostgreSQL \d+\.\d+ is responding$/)
    assertFound(
      found('schema'),
      'problem',
      /^The database is missing \d+ migration\(s\); run: pesewa migrate$/,
    )
    for (const name of tables) assertFound(found(name), 'skipped', /^needs this version’s schema$/)
  })
})

test('commits that wait for a standby that is gone are a problem', async () => {
  const server = await startEmbeddedPostgres({ dataDir: makeFolder(), settings: { shared_buffers: '16MB' } })
  await ask(server.connection, `alter system set synchronous_standby_names = 'db2'`)
  await ask(server.connection, 'select pg_reload_conf()')
  const env = { DATABASE_URL: urlOf(server.connection), SECRET_KEY: secretKey, DATA_DIR: makeFolder() }
  const standby = (await doctor(env, '--offline'))('standby')
  await server.stop()
  assertFound(
    standby,
    'problem',
    /^none is connected, and commits wait for .* synchronous_standby_names is db2$/,
  )
  assert.match(standby.todo ?? '', /alter system set synchronous_standby_names = ''/)
})

describe('an installation', () => {
  const folder = makeFolder()

  test('that is new has only warnings, apart from this test server’s durability settings', async () => {
    const { url } = await makeDatabase()
    const env = {
      DATABASE_URL: url,
      SECRET_KEY: secretKey,
      DATA_DIR: makeFolder(),
      BASE_URL: 'https://pay.shop.example',
    }
    const found = await doctor(env, '--offline')
    const expected = {
      settings: ['ok', /^4 of \d+ are set/],
      names: ['ok', /./],
      service: ['ok', /^the public URL is https:/],
      secrets: ['ok', /^no secret files yet/],
      'secret key': ['ok', /./],
      networks: ['ok', /./],
      simulator: ['ok', /^off/],
      transport: ['skipped', /./],
      'data folder': ['ok', / GB free in /],
      database: ['ok', /is responding$/],
      schema: ['ok', /./],
      connections: ['ok', /of 300 in use; 1 node needs up to 22; the database size is \d+\.\d MB$/],
      durability: ['problem', /^fsync and synchronous_commit and full_page_writes are off/],
      standby: ['warning', /^none: /],
      clock: ['ok', /^\d+ ms (behind|ahead of) the database/],
      backups: ['warning', /never run/],
      nodes: ['warning', /^none is running$/],
      jobs: ['ok', /^no overdue jobs$/],
      outcomes: ['ok', /^0 not yet known/],
      webhooks: ['ok', /./],
      books: ['warning', /^never verified$/],
      providers: ['warning', /^no live providers/],
      mail: ['warning', /^SMTP_URL is not set/],
    } as const
    for (const [name, [status, words]] of Object.entries(expected)) assertFound(found(name), status, words)
  })

  test('with many problems has each reported with a fix', async (t) => {
    const bank = await openBank()
    t.after(() => bank.close())
    bank.keys.set('shut', ['another-key'])
    const file = path.join(folder, 'providers.json')
    const shut = bank.connectionTo('shut', { providers: ['slb001'] })
    const connections = {
      shut,
      open: bank.connectionTo('open', { providers: ['slb004'], share: 5 }),
      gone: { ...bank.connectionTo('gone', { providers: ['slb004'] }), baseUrl: 'https://127.0.0.1:1' },
    }
    writeFileSync(file, JSON.stringify({ connections }))
    chmodSync(file, 0o644)
    const tls = createTlsServer(createCertificate('pay.shop.example'))
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve))
    t.after(() => tls.close())
    const { port } = tls.address() as { port: number }

    const { url, connection } = await makeDatabase()
    const { spaceId } = await makeShop({ DATABASE_URL: url }, '')
    await ask(connection, breakage)
    const client = new pg.Client(connection)
    const standby = new pg.Client({ ...connection, ...{ replication: 'true' } })
    await Promise.all([client.connect(), standby.connect()])
    t.after(() => Promise.all([client.end(), standby.end()]))
    await client.query(`select pg_advisory_lock(${alivenessLock}, 7)`)

    const found = await doctor({
      DATABASE_URL: url,
      SECRET_KEY: secretKey,
      DATA_DIR: folder,
      BASE_URL: `https://127.0.0.1:${port}`,
      PROVIDERS_FILE: file,
      DATABASE_POOL_SIZE: '400',
      RATE_LIMITS: 'off',
      SMTP_URL: 'smtp://planted-user:planted-password@127.0.0.1:1',
    })
    assert.ok(spaceId)
    const expected = {
      service: ['warning', /^RATE_LIMITS is off/],
      secrets: ['problem', /^other users on this machine can read .*providers\.json/],
      connections: ['problem', /1 node needs up to 402/],
      standby: ['problem', /is startup \(asynchronous, lag unknown\)/],
      backups: ['warning', /^12\.0 MB, 3 days ago, in \/backups\/one$/],
      nodes: ['problem', /^1 serving requests, 0 running jobs: nothing is sent/],
      jobs: ['problem', /^1 job is overdue, the oldest by 1 hour$/],
      outcomes: ['problem', /^the oldest payout with an unknown outcome at slb001 was sent 2 days ago$/],
      webhooks: ['warning', /^1 failing, 0 disabled after failures: whk-\w{26} of spc-\w{26} \(live\)$/],
      books: ['problem', /^the books did not balance 1 hour ago: sums$/],
      providers: [
        'warning',
        /^open is paused \(pay_out\) by Aminata: Back at noon\.; the circuit breaker of open is open \(collect for slb004\)$/,
      ],
      'rail shut': ['problem', /401 unauthorized/],
      'rail open': ['ok', /./],
      'rail gone': ['warning', /connection refused/],
      [`certificate of 127.0.0.1:${port}`]: ['problem', /^clients reject it: it is self-signed$/],
      'certificate of 127.0.0.1:1': ['problem', /^no certificate: connection refused$/],
      mail: ['problem', /^127\.0\.0\.1:1: connection refused$/],
    } as const
    for (const [name, [status, words]] of Object.entries(expected)) {
      assertFound(found(name), status, words)
      assert.equal(typeof found(name).todo, status === 'ok' ? 'object' : 'string', name)
    }
  })

  test('with a working mail server and private secret files passes those checks', async (t) => {
    const mailbox = await startMailbox()
    t.after(() => mailbox.close())
    const { url } = await makeDatabase()
    const env = { DATABASE_URL: url, SECRET_KEY: secretKey, DATA_DIR: folder, SMTP_URL: mailbox.url }
    assertFound((await doctor(env))('mail'), 'ok', /accepts our connection$/)
    assertFound((await doctor(env, '--offline'))('mail'), 'skipped', /./)
    const { SECRET_KEY: _, ...without } = env
    writeFileSync(path.join(folder, 'secret.key'), secretKey, { mode: 0o640 })
    const found = await doctor(without, '--offline')
    assertFound(found('secrets'), 'problem', /^other users on this machine can read .*secret\.key/)
    assert.match(found('secrets').todo ?? '', /^chmod 600 \/.*\/secret\.key$/)
    assertFound(found('service'), 'problem', /^SECRET_KEY is not set/)
    const file = '/no/such/providers.json'
    const lost = await doctor({ ...env, PROVIDERS_FILE: file }, '--offline')
    assertFound(lost('providers'), 'problem', /no\/such\/providers\.json/)
  })
})

describe('an installation in production', () => {
  const production = async () => ({
    DATABASE_URL: (await makeDatabase()).url,
    SECRET_KEY: secretKey,
    DATA_DIR: makeFolder(),
    BASE_URL: 'https://pay.shop.example',
  })

  test('with overly wide networks, a weak secret, plain http or the simulator has a problem for each', async () => {
    const found = await doctor(
      {
        ...(await production()),
        BASE_URL: 'http://pay.shop.example',
        SECRET_KEY: '0123456789abcdef0123456789abcdef',
        TRUSTED_PROXIES: '10.0.0.0/8,0.0.0.0/0',
        USSD_NETWORKS: '::/0',
        WEBHOOK_ALLOWED_NETWORKS: '0.0.0.0/1,128.0.0.0/1',
        SIMULATOR: 'on',
      },
      '--offline',
    )
    const expected = {
      service: /^BASE_URL starts with http:\/\//,
      'secret key': /^SECRET_KEY is easy to guess/,
      networks:
        /^TRUSTED_PROXIES contains 0\.0\.0\.0\/0: .*; USSD_NETWORKS contains ::\/0: .*; WEBHOOK_ALLOWED_NETWORKS contains 0\.0\.0\.0\/1: /,
      simulator: /^SIMULATOR is on/,
    }
    for (const [name, words] of Object.entries(expected)) {
      assertFound(found(name), 'problem', words)
      assert.equal(typeof found(name).todo, 'string')
    }
  })

  test('with its own networks and a local simulator has no such problems', async () => {
    const found = await doctor(
      {
        ...(await production()),
        BASE_URL: 'http://127.0.0.1:8080',
        TRUSTED_PROXIES: '10.0.0.0/8,fc00::/7',
        USSD_NETWORKS: '203.0.113.0/24',
        WEBHOOK_ALLOWED_NETWORKS: '192.168.0.0/16',
        SIMULATOR: 'on',
      },
      '--offline',
    )
    for (const name of ['service', 'secret key', 'networks', 'simulator']) assertFound(found(name), 'ok', /./)
  })

  test('whose proxy removes Strict-Transport-Security has a problem', async (t) => {
    const headers: Record<string, string> = {}
    const proxy = createHttpsServer(createCertificate('127.0.0.1'), (_request, response) =>
      response.writeHead(200, headers).end(),
    )
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    t.after(() => proxy.close())
    const { port } = proxy.address() as { port: number }
    const env = { ...(await production()), BASE_URL: `https://127.0.0.1:${port}` }
    assertFound((await doctor(env))('transport'), 'problem', /^Strict-Transport-Security is missing/)
    headers['strict-transport-security'] = 'max-age=0'
    assertFound((await doctor(env))('transport'), 'problem', /./)
    headers['strict-transport-security'] = 'max-age=31536000; includeSubDomains'
    assertFound((await doctor(env))('transport'), 'ok', /for 365 days$/)
  })
})

test('a wrong clock is detected by comparison with the database’s', async () => {
  const { url } = await makeDatabase()
  const shifted = fileURLToPath(new URL('../support/shifted-clock.ts', import.meta.url))
  const { code, stdout } = await runProgram(
    ['doctor', '--offline'],
    { DATABASE_URL: url, SECRET_KEY: secretKey, DATA_DIR: makeFolder(), CLOCK_SHIFT_MS: '90000' },
    { nodeFlags: ['--import', shifted] },
  )
  assert.equal(code, 1)
  assert.match(stdout, /^problem {2}clock {10}\d{5} ms ahead of the database/m)
  assert.match(stdout, /^ +→ Synchronize both machines with NTP/m)
  assert.match(
    stdout,
    /\n\n\d+ problems?, \d+ warnings?, \d+ ok, \d+ skipped\n$|\n\n\d+ problems?, \d+ warnings?, \d+ ok\n$/,
  )
})

test('a database that accepts connections but never responds is a problem after seconds, and the command still ends', async () => {
  const silent = createPlainServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  after(() => silent.close())
  const { port } = silent.address() as { port: number }
  const env = {
    DATABASE_URL: urlOf({ host: '127.0.0.1', port, user: 'x', database: 'x' }),
    SECRET_KEY: secretKey,
  }
  const found = await doctor({ ...env, DATA_DIR: makeFolder() }, '--offline')
  assertFound(found('database'), 'problem', /^DATABASE_URL: /)
})

const breakage = `
  insert into proofs (started_at, ended_at, is_ok, lines, differences, checks)
    values (now() - interval '61 minutes', now() - interval '61 minutes', false, 5, 1,
      '[{"name":"sums","examined":"5","differences":1}]');
  insert into backups (started_at, finished_at, location, bytes, verified_at)
    values (now() - interval '3 days', now() - interval '3 days', '/backups/one', 12000000, now());
  insert into nodes (node, version, serves, works) values (7, '0.1.0', true, false);
  insert into jobs (space_id, environment, job, payload, timing, due_at)
    select id, 'live', 'x', '{}', 'real_time', now() - interval '1 hour' from spaces;
  insert into open_breakers (environment, connection, provider_id, kind, until)
    values ('live', 'open', 'slb004', 'collect', now() + interval '1 hour');
  insert into connection_pauses (id, environment, connection, direction, words, paused_by, paused_at)
    values (gen_random_uuid(), 'live', 'open', 'pay_out', 'Back at noon.', 'Aminata', now());
  insert into instructions (space_id, environment, id, kind, provider_id, state, amount, currency, reference, description,
      created_at, submitted_at, submitting_since, owner_type)
    select id, 'live', gen_random_uuid(), 'disburse', 'slb001', 'unknown', 5, 'SLE', gen_random_uuid(), 'x',
      now() - interval '49 hours', now() - interval '49 hours', now() - interval '49 hours', 'payout' from spaces;
  insert into webhooks (space_id, environment, id, name, api_release, url, subscriptions, enabled, headers, alert_emails,
      verification, secret, metadata, failing_since, created_at, updated_at)
    select id, 'live', gen_random_uuid(), 'x', '2026-11-01', 'https://shop.example', '{*}', true, '{}', '{}', 'HS256', '\\x00',
      '{}', now(), now(), now() from spaces`

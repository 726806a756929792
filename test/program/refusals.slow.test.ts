import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import path from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { ownMigrations } from '../../packages/server/src/platform/db/migrate.ts'
import {
  ask,
  assertOneLine,
  type Environment,
  makeDatabase,
  makeFolder,
  runProgram,
  urlOf,
} from '../support/program.ts'

const isRoot = process.getuid?.() === 0
/** So that all starts can read the keys in one database. */
const SECRET_KEY = 'x'.repeat(40)
const nobody = { uid: 65534, gid: 65534 }

/** Starts a program that must exit by itself, with its reason in one line. */
async function assertRefused(
  given: Environment,
  expected: RegExp,
  args = ['start'],
  options = {},
): Promise<void> {
  const { code, stdout, stderr } = await runProgram(
    args,
    { PORT: '0', DATA_DIR: makeFolder(), ...given },
    options,
  )
  assertOneLine(stderr, expected)
  assert.deepEqual([code, stdout], [1, ''])
}

/** Starts a server that closes when its test ends, so that the test process can exit. */
async function listen(t: TestContext, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

describe('a start that cannot succeed fails with one line that says why', () => {
  test('the port is in use', async (t) => {
    const { url } = await makeDatabase()
    const PORT = String(await listen(t, createServer()))
    await assertRefused({ DATABASE_URL: url, SECRET_KEY, PORT }, /^Port \d+ is in use: .*PORT/)
    await assertRefused(
      { DATABASE_URL: url, SECRET_KEY, METRICS_PORT: PORT },
      /^Port \d+ is in use: .*METRICS_PORT/,
    )
  })

  test('the host belongs to another machine, or does not exist', async () => {
    const { url } = await makeDatabase()
    await assertRefused(
      { DATABASE_URL: url, SECRET_KEY, HOST: '192.0.2.1', PORT: '8099' },
      /^HOST 192\.0\.2\.1 is not an address/,
    )
    await assertRefused(
      { DATABASE_URL: url, SECRET_KEY, HOST: 'no.such.host.invalid', PORT: '8099' },
      /^HOST no\.such\.host\.invalid /,
    )
  })

  test('the data folder is not a folder', async () => {
    const { url } = await makeDatabase()
    const DATA_DIR = path.join(makeFolder(), 'data')
    writeFileSync(DATA_DIR, '')
    await assertRefused({ DATA_DIR }, /data is not a folder/)
    await assertRefused({ DATA_DIR, DATABASE_URL: url }, /data is not a folder/)
    await assertRefused({ DATA_DIR: path.join(DATA_DIR, 'below'), DATABASE_URL: url }, /is not a folder/)
  })

  test('the data folder belongs to another user', {
    skip: isRoot ? false : 'only root can try this',
  }, async () => {
    const DATA_DIR = makeFolder()
    const { url } = await makeDatabase()
    await assertRefused({ DATA_DIR }, /cannot (?:be )?read and writ/, ['start'], nobody)
    mkdirSync(path.join(DATA_DIR, 'closed'), { mode: 0o700 })
    const overTcp = { DATABASE_URL: url, DATA_DIR: path.join(DATA_DIR, 'closed') }
    await assertRefused(
      overTcp,
      /cannot (?:be )?read and writ|DATABASE_URL: .*(denied|EACCES)/,
      ['start'],
      nobody,
    )
  })

  test('the generated secret’s file is empty', async () => {
    const { url } = await makeDatabase()
    const DATA_DIR = makeFolder()
    writeFileSync(path.join(DATA_DIR, 'secret.key'), '')
    await assertRefused({ DATA_DIR, DATABASE_URL: url }, /secret\.key no longer contains a secret/)
  })

  test('the providers file does not exist', async () => {
    const { url } = await makeDatabase()
    await assertRefused({ DATABASE_URL: url, PROVIDERS_FILE: '/no/such/file.json' }, /no\/such\/file\.json/)
  })

  test('Node is too old', async () => {
    const old = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.1.0'}})`
    await assertRefused({}, /^Pesewa needs Node 24 or newer/, ['start'], { nodeFlags: ['--import', old] })
  })
})

describe('invalid settings', () => {
  test('are reported together, one per line', async () => {
    const given = {
      PORT: '99999',
      LOG_LEVEL: 'loud',
      RATE_LIMITS: 'perhaps',
      IDEMPOTENCY_RETENTION: '1h',
      SECRET_KEY: 'short',
    }
    const { code, stdout, stderr } = await runProgram(['start'], given)
    const lines = stderr.trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => line.split(' ', 1)[0]),
      ['PORT', 'SECRET_KEY', 'LOG_LEVEL', 'RATE_LIMITS', 'IDEMPOTENCY_RETENTION'],
    )
    assert.ok(lines.every((line) => / must be | must have /.test(line)))
    assert.deepEqual([code, stdout], [1, ''])
    assert.doesNotMatch(stderr, /short\b(?!.*32)/)
  })
})

describe('an unusable DATABASE_URL is reported without its password', () => {
  const password = 'planted-password'
  const cases = {
    'nothing listens': [`postgresql://pesewa:${password}@127.0.0.1:1/pesewa`, /nothing is listening/],
    'the host is unknown': [
      `postgresql://pesewa:${password}@no.such.host.invalid/pesewa`,
      /host name cannot be resolved/,
    ],
    'no URL at all': ['localhost', /must begin with postgres:/],
    'an invalid port': [`postgresql://pesewa:${password}@localhost:port/pesewa`, /^DATABASE_URL/],
    'an invalid URL with a valid start': [`postgresql://[${password}`, /^DATABASE_URL/],
    'a scheme without a host': ['postgres://', /^DATABASE_URL/],
  } satisfies Record<string, [string, RegExp]>

  for (const [name, [url, expected]] of Object.entries(cases))
    test(name, async () => {
      const { stderr, code } = await runProgram(['migrate'], { DATABASE_URL: url })
      assertOneLine(stderr, expected)
      assert.match(stderr, /^DATABASE_URL/)
      assert.doesNotMatch(stderr, new RegExp(password))
      assert.equal(code, 1)
    })

  test('the password is wrong, or the database or the user is missing', async () => {
    const { connection } = await makeDatabase({ isEmpty: true })
    const wrong = (change: object) => ({ DATABASE_URL: urlOf({ ...connection, ...change }) })
    await assertRefused(wrong({ password }), /^DATABASE_URL: password authentication failed/)
    await assertRefused(
      wrong({ database: 'no_such_database' }),
      /^DATABASE_URL: database "no_such_database" does not exist/,
    )
    await assertRefused(wrong({ user: 'nobody_at_all' }), /^DATABASE_URL: password authentication failed/)
  })

  test('the server is not PostgreSQL', async (t) => {
    const other = createServer((socket) =>
      socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    )
    const port = await listen(t, other)
    await assertRefused(
      { DATABASE_URL: `postgresql://pesewa:${password}@127.0.0.1:${port}/pesewa` },
      /^DATABASE_URL: /,
    )
  })
})

describe('a schema of another version', () => {
  test('an empty database: serve, work and the operator commands say to migrate', async () => {
    const { url } = await makeDatabase({ isEmpty: true })
    for (const args of [['serve'], ['work'], ['verify']])
      await assertRefused({ DATABASE_URL: url }, /is missing \d+ migration\(s\); run: pesewa migrate$/m, args)
  })

  test('migrate prepares an empty database, and a second migrate has nothing to do', async () => {
    const { url } = await makeDatabase({ isEmpty: true })
    const first = await runProgram(['migrate'], { DATABASE_URL: url })
    const names = ownMigrations().map(({ name }) => name)
    assert.deepEqual(
      [first.code, first.stdout, first.stderr],
      [0, `Applied migrations: ${names.join(', ')}\n`, ''],
    )
    const second = await runProgram(['migrate'], { DATABASE_URL: url })
    assert.deepEqual([second.code, second.stdout], [0, 'The database is up to date.\n'])
    assert.equal((await runProgram(['verify'], { DATABASE_URL: url })).code, 0)
  })

  test('a newer schema is refused by every command and left unchanged', async () => {
    const { url, connection } = await makeDatabase()
    await ask(
      connection,
      `insert into schema_migrations (version, name, checksum) values (9999, 'later', '')`,
    )
    for (const args of [['start'], ['serve'], ['migrate']])
      await assertRefused({ DATABASE_URL: url }, /is at migration 9999.*use a newer release/, args)
    assert.deepEqual(await ask(connection, 'select count(*)::int from spaces'), [{ count: 0 }])
  })

  test('another build’s schema is refused', async () => {
    const { url, connection } = await makeDatabase()
    await ask(connection, `update schema_migrations set checksum = 'other' where version = 1`)
    await assertRefused({ DATABASE_URL: url }, /^Migration 1 was applied with different content/)
  })
})

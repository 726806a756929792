import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { openDatabase } from '../../packages/server/src/platform/db/database.ts'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../packages/server/src/platform/ids.ts'
import { spaceIds, userIds } from '../../packages/server/src/tenants/spaces/resources.ts'
import { openCommandLine } from '../support/command-line.ts'
import {
  assertOneLine,
  call,
  type Environment,
  makeDatabase,
  makeFolder,
  makeShop,
  type Program,
  pay,
  readDemo,
  type Shop,
  startProgram,
} from '../support/program.ts'

const { runCommand } = openCommandLine()

const embedded = { DATA_DIR: path.join(makeFolder(), 'data') }

/** Runs an operator command that must succeed and print only one line of JSON. */
async function json(given: Environment, ...args: string[]) {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], given)
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(stdout.trimEnd().split('\n').length, 1)
  return JSON.parse(stdout)
}

async function text(given: Environment, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, given)
  assert.deepEqual([code, stderr], [0, ''])
  assert.doesNotMatch(stdout, /[{}]|\[object|undefined/)
  return stdout
}

describe('operator commands beside a running program with an embedded database', () => {
  let program: Program
  let shop: Shop

  test('create a tenant that works immediately', async () => {
    program = await startProgram(['start'], embedded)
    const space = await json(embedded, 'spaces', 'create', '--name', 'Kofi’s Shop')
    const user = await json(embedded, 'users', 'add', '--email', 'kofi@shop.example')
    await json(embedded, 'members', 'set', '--space', space.id, '--user', user.id, '--role', 'owner')
    const wanted = ['--user', user.id, '--environment', 'test', '--name', 'test']
    const { token } = await json(embedded, 'tokens', 'create', ...wanted)
    shop = { baseUrl: program.baseUrl, spaceId: space.id, testToken: token }
    assert.deepEqual((await call(shop, 'GET', '/v1/payments')).body.result, [])
    const accounts = (await call(shop, 'GET', '/v1/financial-accounts')).body.result
    assert.deepEqual(
      accounts.map(({ currency }: { currency: string }) => currency),
      ['SLE'],
    )
  })

  test('print a single-use invitation link that makes somebody a user and a member', async () => {
    const wanted = ['users', 'invite', 'esi@shop.example', '--space', shop.spaceId, '--role', 'admin']
    const { link, expireTime } = await json(embedded, ...wanted)
    assert.ok(Date.parse(expireTime) > Date.now() + 6 * 86_400_000)
    const accept = () =>
      fetch(`${program.baseUrl}/v1/sign-in/invitation`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: program.baseUrl },
        body: JSON.stringify({ secret: link.split('#invitation=')[1] }),
      })
    assert.deepEqual([(await accept()).status, (await accept()).status], [200, 401])
    const { body } = await call(shop, 'GET', '/v1/members')
    assert.deepEqual(
      body.result.map(({ email, role }: { email: string; role: string }) => [email, role]).sort(),
      [
        ['esi@shop.example', 'admin'],
        ['kofi@shop.example', 'owner'],
      ],
    )
  })

  test('print one line per field, or one JSON object with --json', async () => {
    const spaceText = await text(embedded, 'spaces', 'create', '--name', 'In Text', '--country', 'gh')
    assert.match(spaceText, /^id: +spc-\w{26}\nname: +In Text\ncountry: +GH\ncreateTime: 20\S+Z \(.*\)\n$/)
    const spaceId = /spc-\w+/.exec(spaceText)![0]
    const space = await json(embedded, 'spaces', 'set', spaceId, '--fee', 'payment=0.5%')
    assert.deepEqual([space.id, space.name, space.country], [spaceId, 'In Text', 'GH'])
    const userText = await text(embedded, 'users', 'add', '--email', 'ama@shop.example')
    const userId = /^id: +(usr-\w{26})\nemail: +ama@shop.example\noperator: no\n$/.exec(userText)![1]!
    const member = ['members', 'set', '--space', spaceId, '--user', userId, '--role', 'viewer']
    assert.equal(
      await text(embedded, ...member),
      `spaceId: ${spaceId}\nuserId:  ${userId}\nrole:    viewer\n`,
    )
    assert.deepEqual(await json(embedded, ...member), { spaceId, userId, role: 'viewer' })
    const wanted = [
      '--user',
      userId,
      '--environment',
      'live',
      '--name',
      'all',
      '--spaces',
      spaceId,
      '--ips',
      '10.0.0.0/8',
    ]
    const tokenText = await text(
      embedded,
      'tokens',
      'create',
      ...wanted,
      '--scopes',
      'payments:read,events:read',
    )
    const [, tokenId, token] =
      /^id: +(tok-\w{26})\ntoken: +(psw_live_\w{38})\nexpireTime: +20\S+Z \(in 90 days\)\nexpiresAfter: 90d\n$/.exec(
        tokenText,
      )!
    const listed = (await json(embedded, 'tokens', 'list')).tokens.find(
      ({ id }: { id: string }) => id === tokenId,
    )
    assert.deepEqual(
      { ...listed, expireTime: '', createTime: '' },
      {
        id: tokenId,
        userId,
        environment: 'live',
        name: 'all',
        status: 'active',
        scopes: ['payments:read', 'events:read'],
        spaceIds: [spaceId],
        networks: ['10.0.0.0/8'],
        createTime: '',
        expireTime: '',
        revokeTime: null,
        lastUseTime: null,
      },
    )
    assert.ok(Math.abs(new Date(listed.expireTime).getTime() - Date.now() - 90 * 86_400_000) < 60_000)
    const lists = (await text(embedded, 'tokens', 'list')) + (await text(embedded, 'spaces', 'list'))
    assert.ok(lists.includes(tokenId!) && lists.includes(spaceId) && !lists.includes(token!))
    assert.equal(await text(embedded, 'tokens', 'revoke', tokenId!), `id:      ${tokenId}\nrevoked: yes\n`)
    assert.deepEqual(await json(embedded, 'tokens', 'revoke', tokenId!), { id: tokenId, revoked: true })
    assert.match(await text(embedded, 'verify'), /^All \d+ checks passed in \d+\.\d s\.\n$/)
    assert.equal((await json(embedded, 'verify')).ok, true)
    const { stdout } = await runCommand(['doctor', '--offline', '--json'], embedded)
    const { checks }: { checks: { check: string; status: string }[] } = JSON.parse(stdout)
    // The packaged PostgreSQL may be reported as outdated, depending on the date of this test.
    const problems = checks.filter(({ check, status }) => status === 'problem' && check !== 'embedded server')
    const durability = checks.find(({ check }) => check === 'durability')
    assert.deepEqual([problems, durability?.status, checks.length > 15], [[], 'ok', true])
    assert.equal(await text(embedded, 'migrate'), 'The database is up to date.\n')
  })

  test('are refused in one line, with exit code 1 and no changes', async () => {
    const missing = (kind: string) => `${kind}-00000000000000000000000000`
    const [aSpace, aUser] = [
      ['--space', missing('spc')],
      ['--user', missing('usr')],
    ] as const
    const token = ['tokens', 'create', ...aUser, '--environment', 'test', '--name', 'x']
    const refused: [string[], RegExp][] = [
      [['spaces', 'create', '--name', ''], /^name must be 1 to 100 characters/],
      [['spaces', 'create', '--name', 'X', '--country', 'XX'], /^country is not a supported country/],
      [['spaces', 'create'], /--name <name>.*not specified/],
      [['spaces', 'set', shop.spaceId, '--fee', 'payment=1.23456%'], /^fee must start with a percentage/],
      [
        ['spaces', 'set', shop.spaceId, '--fee', 'payment=1%,min=XYZ:5'],
        /^fee "min=XYZ:5" is not a valid minimum/,
      ],
      [['spaces', 'set', missing('spc'), '--fee', 'payment=1%'], /^There is no such Space/],
      [['users', 'add', '--email', 'AMA@shop.example'], /^A user with this email address already exists/],
      [
        ['members', 'set', ...aSpace, '--user', 'usr-x', '--role', 'owner'],
        /"usr-x" is not a valid id; it must start with usr-/,
      ],
      [['users', 'invite', 'ama', ...aSpace, '--role', 'owner'], /must be an email address/],
      [['users', 'invite', 'esi@shop.example', ...aSpace, '--role', 'king'], /Allowed choices are owner/],
      [['users', 'invite', 'esi@shop.example', ...aSpace, '--role', 'owner'], /^There is no such Space/],
      [['tokens', 'revoke', missing('tok')], /^There is no such token/],
      [[...token, '--expires', '0s'], /must be a duration such as 90d/],
      [[...token, '--expires', '99999999d'], /must be a duration such as 90d/],
      [['verfy'], /unknown command 'verfy'.*Did you mean verify/],
      [['spaces', 'list', '--bogus'], /unknown option '--bogus'/],
    ]
    for (const [args, expected] of refused) {
      const { code, stdout, stderr } = await runCommand(args, embedded)
      assertOneLine(stderr, expected)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    }
  })

  test('report several errors at once, one per line', async () => {
    const nobody = 'usr-00000000000000000000000000'
    const args = ['--user', nobody, '--environment', 'prod', '--name', '', '--scopes', 'nope', '--ips', 'x']
    const { code, stderr } = await runCommand(['tokens', 'create', ...args], embedded)
    assert.equal(code, 1)
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ', 1)[0])
    assert.deepEqual(lines, ['environment', 'name', 'scopes', 'ips', 'user'])
  })

  test('show usage with exit code 0', async () => {
    const { code, stdout, stderr } = await runCommand(['tokens', 'create', '--help'], embedded)
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /--expires/)
  })

  test('work the same if the program is not running', async () => {
    assert.equal((await program.stop()).code, 0)
    const { spaces } = await json(embedded, 'spaces', 'list')
    assert.ok(spaces.some(({ id }: Shop & { id: string }) => id === readDemo(embedded.DATA_DIR).spaceId))
    assert.match(await text(embedded, 'spaces', 'create', '--name', 'Alone'), /^id: +spc-/)
    assert.equal((await json(embedded, 'verify')).ok, true)
  })
})

test('a mistyped DATA_DIR is refused with the folder name, and no database is created there', async () => {
  const folder = makeFolder()
  const mistyped = { DATA_DIR: path.join(folder, 'dta') }
  for (const args of [['spaces', 'list'], ['verify'], ['payouts', 'list', '--unknown']]) {
    const { code, stdout, stderr } = await runCommand(args, mistyped)
    assertOneLine(stderr, /^There is no database in \/.*\/dta: set DATA_DIR/)
    assert.deepEqual([code, stdout], [1, ''])
  }
  assert.deepEqual(readdirSync(folder), [])
})

test('creating a token shows its lifetime, and help shows the default', async () => {
  const given = { DATABASE_URL: (await makeDatabase()).url }
  const { id } = await json(given, 'users', 'add', '--email', 'kadi@shop.example')
  const wanted = ['tokens', 'create', '--user', id, '--environment', 'test', '--name', 'x']
  assert.match(await text(given, ...wanted), /\nexpireTime: +20\S+Z \(in 90 days\)\nexpiresAfter: 90d\n$/)
  assert.match(await text(given, ...wanted, '--expires', 'never'), /\nexpireTime: +-\nexpiresAfter: never\n$/)
  const short = await json(given, ...wanted, '--expires', '12h')
  assert.equal(short.expiresAfter, '12h')
  const { stdout } = await runCommand(['tokens', 'create', '--help'], given)
  assert.match(stdout.replace(/\s+/g, ' '), /--expires [^-]*\(default: 90d\)/)
})

test('a user who lost their authenticator app can sign in with only a link, and their Spaces record it', async () => {
  const { url, connection } = await makeDatabase()
  const given = { DATABASE_URL: url }
  const { id } = await json(given, 'users', 'add', '--email', 'ama@shop.example')
  const space = await json(given, 'spaces', 'create', '--name', 'Ama’s Shop')
  await json(given, 'members', 'set', '--space', space.id, '--user', id, '--role', 'finance')
  await json(given, 'spaces', 'create', '--name', 'Shop of others')
  const remove = async (email: string) =>
    (await runCommand(['users', 'remove-app', '--email', email], given)).stderr
  assertOneLine(await remove('nobody@shop.example'), /^There is no user with this email address/)
  assertOneLine(await remove('ama@shop.example'), /^No authenticator app is set up/)
  const db = openDatabase(connection, { maxConnections: 1, onIdleError: () => {} })
  try {
    await db.transaction((tx) =>
      tx.run(sql`
        insert into totp_secrets (user_id, secret, created_at, confirmed_at)
        values (${readId(userIds, id) ?? null}, ${Buffer.from('sealed')}, now(), now())`),
    )
    assert.deepEqual(await json(given, 'users', 'remove-app', '--email', 'ama@shop.example'), {
      id,
      email: 'ama@shop.example',
    })
    assert.deepEqual(await db.query(sql`select user_id from totp_secrets`), [])
    const noted = await db.query(sql`
      select space_id, environment, actor, reason, object_id, details from audit_entries
      where action = 'member.remove_app' order by environment`)
    const entry = {
      spaceId: readId(spaceIds, space.id),
      actor: 'operator',
      reason: 'pesewa users remove-app',
      objectId: readId(userIds, id),
      details: { email: 'ama@shop.example' },
    }
    assert.deepEqual(noted, [
      { ...entry, environment: 'test' },
      { ...entry, environment: 'live' },
    ])
  } finally {
    await db.close()
  }
})

test('an unlinked identity can be linked again', async () => {
  const { url, connection } = await makeDatabase()
  const given = { DATABASE_URL: url }
  const { id } = await json(given, 'users', 'add', '--email', 'ama@shop.example')
  const space = await json(given, 'spaces', 'create', '--name', 'Ama’s Shop')
  await json(given, 'members', 'set', '--space', space.id, '--user', id, '--role', 'finance')
  const unlink = ['users', 'unlink', '--email', 'ama@shop.example']
  assertOneLine((await runCommand(unlink, given)).stderr, /^This user is not linked to an identity provider/)
  const db = openDatabase(connection, { maxConnections: 1, onIdleError: () => {} })
  try {
    await db.transaction((tx) =>
      tx.run(sql`
        insert into oidc_identities (issuer, subject, user_id, created_at, used_at)
        values ('https://id.example', 'ama', ${readId(userIds, id) ?? null}, now(), now())`),
    )
    assert.deepEqual(await json(given, ...unlink), { id, email: 'ama@shop.example' })
    assert.deepEqual(await db.query(sql`select subject from oidc_identities`), [])
    const noted = await db.query(sql`select reason from audit_entries where action = 'member.unlink'`)
    assert.deepEqual(noted, Array(2).fill({ reason: 'pesewa users unlink' }))
  } finally {
    await db.close()
  }
})

test('operator rights and suspensions can be set and revoked, recording who and why', async () => {
  const given = { DATABASE_URL: (await makeDatabase()).url }
  const { id, operator } = await json(given, 'users', 'add', '--email', 'op@shop.example', '--operator')
  assert.equal(operator, true)
  assert.equal((await json(given, 'users', 'set', id, '--no-operator')).operator, false)
  assert.equal((await json(given, 'users', 'set', id, '--operator')).operator, true)
  const nothing = await runCommand(['users', 'set', id], given)
  assertOneLine(nothing.stderr, /^Nothing to set: add --operator or --no-operator/)
  const space = (await json(given, 'spaces', 'create', '--name', 'Shop')).id
  const decided = ['--by', 'Aminata', '--reason', 'No documents']
  assert.equal((await json(given, 'spaces', 'suspend', space, ...decided)).status, 'suspended')
  const again = await runCommand(['spaces', 'suspend', space, ...decided], given)
  assertOneLine(again.stderr, /^This Space is already suspended/)
  assert.equal((await json(given, 'spaces', 'list')).spaces[0].status, 'suspended')
  assert.equal((await json(given, 'spaces', 'resume', space, ...decided)).status, 'active')
})

test('rail-test exits with 2 if it could not run', async () => {
  for (const args of [
    [],
    ['--connection', 'nowhere'],
    ['--simulated', 'nowhere'],
    ['--simulated', 'm17', '--amount', 'x'],
  ]) {
    const { code, stdout, stderr } = await runCommand(['rail-test', ...args], embedded)
    assert.deepEqual([code, stdout], [2, ''])
    assertOneLine(stderr, /./)
  }
})

test('the help of reconcile explains its exit codes', async () => {
  const { stdout } = await runCommand(['reconcile', '--help'], {})
  const help = stdout.replace(/\s+/g, ' ')
  assert.match(help, /exits with 0 if all items covered by statements match, 1 if /)
  assert.match(help, /2 if the command failed or the totals do not add up/)
})

describe('operator changes affect the running program', () => {
  let program: Program
  let shop: Shop
  let database: Environment

  test('a fee of 2.5% with a minimum of 50 is exact on the next payment', async () => {
    database = { DATABASE_URL: (await makeDatabase()).url, DATA_DIR: makeFolder() }
    program = await startProgram(['serve', '--work'], { ...database, RATE_LIMITS: 'off', LOG_LEVEL: 'error' })
    shop = await makeShop(database, program.baseUrl)
    assert.deepEqual(await feesOf(30_001), [300])
    await json(database, 'spaces', 'set', shop.spaceId, '--fee', 'payment=2.5%,min=SLE:50')
    assert.deepEqual(await feesOf(30_001), [750])
    assert.deepEqual(await feesOf(100), [50])
    assert.deepEqual(await feesOf(20), [20], 'a fee never exceeds what was paid')
    await json(database, 'spaces', 'set', shop.spaceId, '--fee', 'payment=0%')
    assert.deepEqual(await feesOf(30_001), [])
    assert.equal((await json(database, 'verify')).ok, true)
  })

  test('a revoked token is refused within a second', async (t) => {
    const { id, token } = await newToken('never')
    const watched = { ...shop, testToken: token }
    assert.equal((await call(watched, 'GET', '/v1/payments')).status, 200)
    const revoked = json(database, 'tokens', 'revoke', id)
    let isRevoked = false
    void revoked.then(() => (isRevoked = true))
    let acceptedLast = 0
    let revokedAt: number | undefined
    for (;;) {
      // The revocation is committed when the command ends.
      if (isRevoked) revokedAt ??= Date.now()
      const calledAt = Date.now()
      const { status, body } = await call(watched, 'GET', '/v1/payments')
      if (status === 401) {
        assert.equal(body.error.reason, 'token_invalid')
        break
      }
      assert.equal(status, 200)
      acceptedLast = calledAt
      assert.ok(
        revokedAt === undefined || calledAt - revokedAt <= 1_000,
        'accepted one second after its revocation',
      )
    }
    await revoked
    t.diagnostic(
      `accepted for ${Math.max(0, acceptedLast - (revokedAt ?? acceptedLast))} ms after the command`,
    )
  })

  test('an expired token is refused from its expiry on, and one without expiry is not', async () => {
    const short = await newToken('1s')
    const expiresAt = new Date(short.expireTime).getTime()
    const watched = { ...shop, testToken: short.token }
    for (;;) {
      const calledAt = Date.now()
      const { status, body } = await call(watched, 'GET', '/v1/payments')
      if (status === 401) {
        assert.equal(body.error.reason, 'token_expired')
        assert.ok(Date.now() >= expiresAt, 'refused before its expiry')
        break
      }
      assert.equal(status, 200)
      assert.ok(calledAt - expiresAt <= 1_000, 'accepted one second after its expiry')
    }
    const lasting = await newToken('never')
    assert.equal(lasting.expireTime, null)
    assert.equal((await call({ ...shop, testToken: lasting.token }, 'GET', '/v1/payments')).status, 200)
  })

  test('a member’s new role takes effect within a second', async () => {
    const { tokens } = await json(database, 'tokens', 'list')
    const { userId } = tokens[0]
    const canRead = async () => (await call(shop, 'GET', '/v1/financial-accounts?withBalance=true')).status
    assert.equal(await canRead(), 200)
    await json(database, 'members', 'set', '--space', shop.spaceId, '--user', userId, '--role', 'viewer')
    const changedAt = Date.now()
    while ((await canRead()) !== 403)
      assert.ok(Date.now() - changedAt <= 1_000, 'the old role was valid for a second')
    await json(database, 'members', 'set', '--space', shop.spaceId, '--user', userId, '--role', 'owner')
    assert.equal((await program.stop()).code, 0)
  })

  async function feesOf(value: number): Promise<number[]> {
    const { status, amount, fees } = await pay(program, shop, value)
    assert.deepEqual([status, amount.value], ['completed', value])
    return fees.map((fee: { amount: { value: number } }) => fee.amount.value)
  }

  async function newToken(expires: string): Promise<{ id: string; token: string; expireTime: string }> {
    const { tokens } = await json(database, 'tokens', 'list')
    const wanted = [
      '--user',
      tokens[0].userId,
      '--environment',
      'test',
      '--name',
      expires,
      '--expires',
      expires,
    ]
    return json(database, 'tokens', 'create', ...wanted)
  }
})

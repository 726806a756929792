import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { programVersion } from '../../packages/server/src/platform/version.ts'
import { openCommandLine } from '../support/command-line.ts'
import {
  ask,
  assertOneLine,
  type Environment,
  makeDatabase,
  makeFolder,
  spawnProgram,
  waitUntil,
} from '../support/program.ts'

// Common features of all commands: tables, JSON, colour, refusals and exit codes.

const env: Environment = { DATA_DIR: makeFolder() }
const { run, json, text } = openCommandLine(() => env)
let connection: pg.ClientConfig

before(async () => {
  const database = await makeDatabase()
  connection = database.connection
  env.DATABASE_URL = database.url
})

const colour = String.fromCharCode(27)
const missing = (kind: string) => `${kind}-00000000000000000000000000`

describe('empty lists', () => {
  const messages: [string[], RegExp][] = [
    [['spaces', 'list'], /^No Spaces yet\. Create one: pesewa spaces create /],
    [['users', 'list'], /^No users yet\. Add one: pesewa users add /],
    [['tokens', 'list'], /^No access tokens yet\. Create one: pesewa tokens create /],
    [['fees', 'list'], /^No Space has a custom fee\. Standard fees: 1% per payment/],
    [['cases', 'list'], /^No open cases\./],
    [['bills', 'list'], /^No manual payments to allocate/],
    [['recalls', 'list'], /^No open recalls/],
    [['payments', 'list', '--unknown'], /^No payments without an outcome\./],
    [['payouts', 'list', '--unknown'], /^No payouts without an outcome\./],
    [['refunds', 'list', '--unknown'], /^No refunds without an outcome\./],
    [['connections', 'list'], /^No connections yet\. Add them to PROVIDERS_FILE/],
    [['float'], /^No connections to rails/],
    [['settle', 'owed'], /^Providers owe nothing\./],
    [['reconcile', 'days'], /^No days are closed\./],
  ]
  for (const [args, words] of messages)
    test(`print a message: ${args.join(' ')}`, async () => {
      assertOneLine(await text(...args), words)
      const listed = Object.values(await json(...args))
      assert.deepEqual(listed, [[]])
    })
})

describe('people, fees and tokens', () => {
  let [space, user, token] = ['', '', '']

  test('are created, shown and listed, with the same fields in JSON and in tables', async () => {
    space = (await json('spaces', 'create', '--name', 'Kofi’s 店')).id
    user = (await json('users', 'add', '--email', 'kofi@shop.example')).id
    await json('members', 'set', '--space', space, '--user', user, '--role', 'owner')
    const options = ['--user', user, '--environment', 'test', '--name', 'website', '--expires', '12h']
    token = (await json('tokens', 'create', ...options)).id
    const member = await json('members', 'show', '--space', space, '--user', user)
    assert.deepEqual([member.id, member.email, member.role], [user, 'kofi@shop.example', 'owner'])
    assert.match(member.createTime, /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual((await json('members', 'list', '--space', space)).members, [member])
    const shown = await json('users', 'show', 'KOFI@shop.example')
    assert.deepEqual(
      shown.memberships.map((one: { spaceId: string; name: string }) => [one.spaceId, one.name]),
      [[space, 'Kofi’s 店']],
    )
    const { name, status, memberCount, openCaseCount, fees } = await json('spaces', 'show', space)
    assert.deepEqual([name, status, memberCount, openCaseCount], ['Kofi’s 店', 'active', 1, 0])
    assert.deepEqual(fees[0], { code: 'payment', rule: '1%', isStandard: true })
    assert.equal((await json('tokens', 'show', token)).status, 'active')
    const lists = {
      spaces: await text('spaces', 'list'),
      members: await text('members', 'list', '--space', space),
      tokens: await text('tokens', 'list'),
    }
    assert.match(
      lists.spaces,
      new RegExp(`^ID {30}NAME {7}COUNTRY  STATUS  CREATED\n${space}  Kofi’s 店  SL       active  .+\n$`),
    )
    assert.match(lists.members, /^ID {30}EMAIL {14}ROLE {3}CREATED\n\S+ {2}kofi@shop\.example {2}owner {2}/)
    assert.match(lists.tokens, /\n\S+ {2}website {2}test {2}active {2}in 1[12] hours {2}- {10}usr-\w+\n$/)
  })

  test('a fee is set and removed, and the Space records it', async () => {
    await json('spaces', 'set', space, '--fee', 'payout=1%')
    const set = await json('fees', 'set', space, '--code', 'payout', '--rule', '0.5%,min=SLE:50')
    assert.deepEqual(set.fees[1], { code: 'payout', rule: '0.5%,min=SLE:50', isStandard: false })
    assert.deepEqual((await json('fees', 'list')).fees, [
      { spaceId: space, name: 'Kofi’s 店', code: 'payout', rule: '0.5%,min=SLE:50' },
    ])
    const { fees } = await json('fees', 'remove', space, '--code', 'payout')
    assert.deepEqual(fees[1], { code: 'payout', rule: '0%', isStandard: true })
    const again = await run(['fees', 'remove', space, '--code', 'payout'])
    assertOneLine(again.stderr, /^This Space has no custom payout fee/)
    const noted = await ask(
      connection,
      `select environment, reason, details ->> 'rule' as rule from audit_entries where action = 'space.set_fee' order by id`,
    )
    assert.deepEqual(noted, [
      { environment: 'test', reason: 'pesewa spaces set', rule: '1%' },
      { environment: 'live', reason: 'pesewa spaces set', rule: '1%' },
      { environment: 'test', reason: 'pesewa fees set', rule: '0.5%,min=SLE:50' },
      { environment: 'live', reason: 'pesewa fees set', rule: '0.5%,min=SLE:50' },
      { environment: 'test', reason: 'pesewa fees remove', rule: null },
      { environment: 'live', reason: 'pesewa fees remove', rule: null },
    ])
  })

  test('changes of approvals and refunds are recorded exactly', async () => {
    await json(
      ...['spaces', 'set', space, '--payout-approval-above', 'SLE:10000'],
      ...['--refund-approval-above', 'SLE:none', '--refund-when-short', 'queue'],
    )
    const nothing = await run(['spaces', 'set', space, '--json'])
    assertOneLine(nothing.stderr, /^Nothing to set: add --fee/)
    const noted = await ask(
      connection,
      `select environment, reason, details from audit_entries where action = 'space.set' order by id`,
    )
    const details = {
      payoutApprovalAbove: [{ currency: 'SLE', above: 10_000 }],
      refundApprovalAbove: [{ currency: 'SLE', above: null }],
      refundWhenShort: 'queue',
    }
    assert.deepEqual(noted, [
      { environment: 'test', reason: 'pesewa spaces set', details },
      { environment: 'live', reason: 'pesewa spaces set', details },
    ])
  })

  test('the last owner cannot be removed, and a removed user has no memberships and no valid tokens', async () => {
    const last = await run(['members', 'remove', '--space', space, '--user', user])
    assertOneLine(last.stderr, /^This is the last owner of the Space/)
    const ended = await json('users', 'remove', 'kofi@shop.example')
    assert.deepEqual(ended, { id: user, email: 'kofi@shop.example', memberships: 1, tokens: 1, sessions: 0 })
    assert.equal((await json('tokens', 'show', token)).status, 'revoked')
    assert.deepEqual((await json('users', 'show', user)).memberships, [])
    assert.match(await text('members', 'list', '--space', space), /^This Space has no members yet/)
    const noted = await ask(
      connection,
      `select distinct reason from audit_entries where action = 'member.remove'`,
    )
    assert.deepEqual(noted, [{ reason: 'pesewa users remove' }])
  })

  test('are coloured and fitted to the width on a terminal, but not in a pipe', async () => {
    const args = ['spaces', 'list']
    const [pipe, terminal, plain, narrow] = [
      (await run(args)).stdout,
      (await run(args, { columns: 80 })).stdout,
      (await run([...args, '--no-color'], { columns: 80 })).stdout,
      (await run(args, { columns: 50, env: { NO_COLOR: '1' } })).stdout,
    ]
    assert.ok(!pipe.includes(colour) && !plain.includes(colour) && !narrow.includes(colour))
    assert.ok(terminal.startsWith(`${colour}[1mID${colour}[22m`))
    // On a busy machine, seconds may pass between the two.
    const withoutTimes = (text: string) => text.replaceAll(/\d+ \w+ ago|just now/g, 'ago')
    assert.equal(withoutTimes(plain), withoutTimes(pipe))
    assert.ok(narrow.split('\n').every((line) => line.length <= 50) && !narrow.includes('CREATED'))
    const forced = (await run(args, { env: { FORCE_COLOR: '1' } })).stdout
    assert.ok(forced.includes(colour))
    assert.ok(!(await run(['--no-color', ...args], { env: { FORCE_COLOR: '1' } })).stdout.includes(colour))
  })
})

describe('errors are one line, without a stack', () => {
  const refused: [string[], RegExp, code?: number][] = [
    [['spcaes', 'list'], /unknown command 'spcaes' \(Did you mean spaces\?\)/],
    [['spaces', 'lst'], /unknown command 'lst' \(Did you mean list\?\)/],
    [['tokens', 'crate'], /\(Did you mean create\?\)/],
    [['help', 'spaces', 'nope'], /unknown command 'nope'/],
    [['spaces', 'list', '--jsn'], /unknown option '--jsn' \(Did you mean --json\?\)/],
    [['spaces', 'show', 'nope'], /"nope" is not a valid id; it must start with spc-\./],
    [['spaces', 'show', missing('spc')], /^There is no such Space/],
    [['members', 'list', '--space', missing('spc')], /^There is no such Space/],
    [['members', 'show', '--space', missing('spc'), '--user', missing('usr')], /^There is no such member/],
    [
      ['members', 'remove', '--space', missing('spc'), '--user', missing('usr')],
      /^No such member in this Space/,
    ],
    [['users', 'show', 'nobody@shop.example'], /^There is no such user/],
    [['users', 'show', 'nobody'], /"nobody" is neither a user id \(usr-…\) nor an email address/],
    [['users', 'remove', missing('usr')], /^There is no such user/],
    [['tokens', 'show', missing('tok')], /^There is no such token/],
    [['fees', 'show', missing('spc')], /^There is no such Space/],
    [
      ['fees', 'set', missing('spc'), '--code', 'tips', '--rule', '1%'],
      /Allowed choices are payment, payout, refund/,
    ],
    [['connections', 'show', 'nope'], /^There is no connection nope\. Available: none/],
    [['connections', 'pause', 'nope', '--words', 'x', '--by', 'x'], /^There is no connection nope/],
    [['cases', 'close', missing('cas'), '--by', 'x', '--reason', 'x'], /^There is no such case/],
    [['recalls', 'refuse', missing('rcl'), '--by', 'x', '--reason', 'x'], /^There is no recall rcl-0/],
    [['settle', 'reverse', missing('stl'), '--by', 'x', '--reason', 'x'], /^There is no such settlement/],
    [
      ['payouts', 'resolve', missing('pyt'), '--as', 'failed', '--by', 'x', '--reason', 'x'],
      /^This payout does not exist or has not been sent yet/,
    ],
    [
      [
        'recalls',
        'return',
        missing('rcl'),
        '--transaction',
        'x',
        '--amount',
        '5',
        '--by',
        'x',
        '--reason',
        'x',
      ],
      /must have the form SLE:1500/,
    ],
    [['verify', '--since', 'tomorrow'], /must be a time such as .* or a duration such as 24h/],
    [['completion', 'tcsh'], /Allowed choices are bash, zsh, fish/],
    [['reconcile', '--provider', 'nope'], /^provider is not a provider in the catalogue/, 2],
    [['rail-test', '--simulated', 'nope'], /^There is no provider nope/, 2],
  ]
  for (const [args, words, code = 1] of refused)
    test(args.join(' '), async () => {
      const printed = await run(args)
      assertOneLine(printed.stderr, words)
      assert.deepEqual([printed.code, printed.stdout], [code, ''])
    })

  test('even if the database is down', async () => {
    const away = await run(['spaces', 'list'], { env: { DATABASE_URL: 'postgresql://x:y@127.0.0.1:1/x' } })
    assertOneLine(away.stderr, /^DATABASE_URL: nothing is listening at that host and port/)
    assert.equal(away.code, 1)
  })
})

test('the version is the program’s, and commands at any depth have help', async () => {
  assert.equal(await text('--version'), `${programVersion()}\n`)
  assert.equal(await text('help', 'spaces', 'create'), await text('spaces', 'create', '--help'))
  assert.match(await text('help'), /^Usage: pesewa .*\nSpaces and users:\n.*\nExit codes: 0 for success; 1 /s)
})

describe('an interrupted command', () => {
  test('exits with 130 on Ctrl-C, prints a sentence and changes nothing', async () => {
    const client = new pg.Client(connection)
    await client.connect()
    try {
      await client.query('begin; lock table users in access exclusive mode')
      const program = spawnProgram(['users', 'add', '--email', 'esi@shop.example'], env)
      await waitUntil(program, async () => {
        const { rows } = await client.query(`
          select from pg_locks
          where not granted and database = (select oid from pg_database where datname = current_database())`)
        return rows.length > 0
      })
      const { code, stdout, stderr } = await program.stop('SIGINT')
      assert.deepEqual([code, stdout], [130, ''])
      assertOneLine(stderr.trimStart(), /^Interrupted: rolling back uncommitted changes\.$/m)
      await client.query('rollback')
      assert.deepEqual((await client.query(`select from users where email = 'esi@shop.example'`)).rows, [])
    } finally {
      await client.end()
    }
  })

  test('succeeds if its reader closes the pipe, as head does', async () => {
    const main = fileURLToPath(new URL('../../packages/server/src/main.js', import.meta.url))
    const child = spawn(process.execPath, [main, 'users', 'add', '--email', 'esi@shop.example'], {
      env: { ...env, PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (more) => (stderr += more))
    const [code] = await once(child, 'close')
    assert.deepEqual([code, stderr], [0, ''])
    assert.equal((await json('users', 'show', 'esi@shop.example')).operator, false)
  })
})

describe('irreversible commands ask for confirmation', () => {
  // `script` provides a terminal.
  const onTerminal = (answer: string, ...args: string[]) => {
    const main = fileURLToPath(new URL('../../packages/server/src/main.js', import.meta.url))
    const words = [process.execPath, main, ...args].map((word) => `'${word}'`).join(' ')
    return execFileSync('script', ['-qec', words, '/dev/null'], {
      env: { ...env, PATH: process.env.PATH },
      input: answer,
      encoding: 'utf8',
    })
  }

  test('on a terminal, but not with --yes or without a terminal', async () => {
    const { id } = await json('users', 'add', '--email', 'ama@shop.example')
    const make = async () =>
      (await json('tokens', 'create', '--user', id, '--environment', 'test', '--name', 'x')).id
    const [first, second] = [await make(), await make()]
    assert.throws(
      () => onTerminal('n\n', 'tokens', 'revoke', first),
      (error: { stdout: string; status: number }) =>
        error.status === 1 && /Revoke this token\?.*\[y\/N\].*Nothing was changed\./s.test(error.stdout),
    )
    assert.equal((await json('tokens', 'show', first)).status, 'active')
    assert.match(onTerminal('y\n', 'tokens', 'revoke', first), /revoked: +yes/)
    assert.doesNotMatch(onTerminal('', 'tokens', 'revoke', second, '--yes'), /\[y\/N\]/)
    for (const token of [first, second]) assert.equal((await json('tokens', 'show', token)).status, 'revoked')
    assert.equal((await json('tokens', 'revoke', await make())).revoked, true)
  })
})

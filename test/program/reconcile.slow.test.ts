import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { before, describe, test } from 'node:test'
import { openCommandLine } from '../support/command-line.ts'
import { freePort } from '../support/free-port.ts'
import {
  ask,
  assertOneLine,
  type Environment,
  makeDatabase,
  makeFolder,
  makeShop,
  pay,
  startProgram,
} from '../support/program.ts'

const { runCommand } = openCommandLine()

const folder = makeFolder()
const columns = 'date,reference,external_id,type,amount,currency,account,status,transaction_id'
let given: Environment
let paid: { id: string }
/** Returns the statement line that the provider would have for the payment. */
let statedLine: string

before(async () => {
  const { url } = await makeDatabase()
  given = { DATABASE_URL: url, DATA_DIR: folder, SECRET_KEY: 'x'.repeat(40) }
  const program = await startProgram(['serve', '--work'], given)
  paid = await pay(program, await makeShop(given, program.baseUrl), 30_000)
  await program.stop()
  const { stdout } = await runCommand(['reconcile', 'simulated', '--provider', 'm17'], given)
  const lines = stdout.trimEnd().split('\n')
  assert.equal(lines.shift(), columns)
  assert.equal(lines.length, 1)
  statedLine = lines[0]!
})

describe('pesewa reconcile', () => {
  test('awaits payments that no statement covers yet', async () => {
    const { code, stdout } = await reconcile()
    assert.match(
      stdout,
      /^lines matched {5}0\nvalue matched {5}0\noldest open item {2}0 h: awaited, m17 test coll/,
    )
    assert.match(stdout, new RegExp(`awaited, .* ours SLE 300.00, ${paid.id} \\(completed\\) of spc-\\w+\n`))
    assert.equal(code, 0)
  })

  test('imports the lines of a file once', async () => {
    const first = await importText(statedLine)
    assert.equal(first.stderr, '')
    assert.match(first.stdout, /^1 lines, 1 new, from \S+Z until \S+Z\n$/)
    const again = await importText(statedLine, '--json')
    const { from, until, ...counted } = JSON.parse(again.stdout)
    assert.deepEqual(counted, { lines: 1, newLines: 0 })
    assert.ok(from < until)
    assert.deepEqual([first.code, again.code, again.stderr], [0, 0, ''])
  })

  test('prints totals and the check, and exits with 0 when both sides match', async () => {
    assert.deepEqual(await reconcile(), {
      code: 0,
      stdout: [
        'lines matched     1',
        'value matched     in SLE 300.00, out SLE 0.00, net SLE 300.00',
        'oldest open item  none',
        '',
        'ok    the matched and open lines of all 1 clearing accounts add up to their balances',
        '',
      ].join('\n'),
    })
  })

  test('exits with 1 when items are open, and lists them', async () => {
    await importText(statedLine.replace(/,[^,]*,([^,]*,c.*),\d+$/, ',nobody,$1,4242'))
    const { code, stdout } = await reconcile('--provider', 'm17', '--environment', 'test')
    assert.match(
      stdout,
      /\noldest open item {2}0 h: missing here, m17 test collection, theirs SLE 300.00, line 2 /,
    )
    assert.match(stdout, /\nopen value\n {2}missing here {4}in SLE 300.00, out SLE 0.00, net SLE 300.00\n/)
    assert.match(
      stdout,
      /\nopen items by age\n {2}missing here {4}under 1 d {2}in {3}1 {2}SLE 300.00\n\nopen items\n/,
    )
    assert.equal(code, 1)

    const told1 = JSON.parse((await reconcile('--json')).stdout)
    assert.deepEqual(
      [told1.linesMatched, told1.valueMatched],
      [1, [{ currency: 'SLE', in: 30_000, out: 0, net: 30_000 }]],
    )
    assert.equal(told1.oldestOpenItem.state, 'missing_here')
    assert.deepEqual([told1.openItems.isWhole, told1.openItems.items.length], [true, 1])
    assert.deepEqual(told1.proof, { accounts: 1, differences: [] })

    assert.equal((await reconcile('--environment', 'live')).code, 0, 'nothing is open there')
  })

  test('exits with 0 once open items are closed manually, and still shows them', async () => {
    const closing = (id: string, ...args: string[]) =>
      runCommand(['reconcile', 'close-item', id, ...args], given)
    const decided = ['--by', 'Aminata', '--reason', 'paid back in cash']
    const issues: [string[], RegExp][] = [
      [['m17/test/4242', '--by', 'Aminata'], /required option '--reason/],
      [['m17/test/4242', '--by', 'Aminata', '--reason', ' '], /^reason must be 1 to 500 characters$/m],
      [['m17/test/1', ...decided], /^There is no such open item\.$/m],
      [['4242', ...decided], /must be an item id/],
      [[paid.id, ...decided], /must be an item id/],
    ]
    for (const [[id = '', ...args], fault] of issues) {
      const { code, stdout, stderr } = await closing(id, ...args)
      assert.deepEqual([code, stdout], [2, ''], args.join(' '))
      assertOneLine(stderr, fault)
    }
    const closed = await closing('m17/test/4242', ...decided, '--json')
    assert.deepEqual([closed.code, JSON.parse(closed.stdout).state], [0, 'missing_here'])
    const again = await closing('m17/test/4242', ...decided)
    assertOneLine(again.stderr, /^This item was closed at \S+Z by Aminata: paid back in cash$/m)
    assert.equal(again.code, 2)

    const { code, stdout } = await reconcile()
    assert.match(stdout, /\noldest open item {2}none\n/)
    assert.match(
      stdout,
      /\nclosed manually\n {2}m17\/test\/4242 {2}\S+Z {2}missing here, .* by Aminata: paid back in cash\n/,
    )
    assert.equal(code, 0)
    const { closedByHand } = JSON.parse((await reconcile('--json')).stdout)
    assert.deepEqual([closedByHand.lines, closedByHand.items[0].id], [1, 'm17/test/4242'])
  })

  test('closes a covered day once, reopens it, and lists both', async () => {
    const dateOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
    const [day, of] = [dateOf(2), ['--environment', 'test', '--by', 'Aminata']]
    const days = (...args: string[]) => runCommand(['reconcile', ...args], given)
    const issues: [string[], RegExp][] = [
      [['close-day', 'm17', day, '--environment', 'test'], /required option '--by/],
      [['close-day', 'nobody', day, ...of], /^provider is not a provider in the catalogue$/m],
      [['close-day', 'm17', '2026-02-30', ...of], /must be a date such as 2026-11-20/],
      [['close-day', 'm17', 'yesterday', ...of], /must be a date such as 2026-11-20/],
      [['close-day', 'm17', day, ...of, '--reason', ' '], /^reason must be 1 to 500 characters$/m],
      [['close-day', 'm17', dateOf(0), ...of], /^This day does not end until /m],
      [['close-day', 'm17', day, ...of], /^Statements do not fully cover this day \(from /m],
      [['reopen-day', 'm17', day, ...of], /required option '--reason/],
      [['reopen-day', 'm17', day, ...of, '--reason', 'x'], /^This day is not closed\.$/m],
      [['reopen-day', 'nobody', day, ...of, '--reason', 'x'], /^provider is not a provider/m],
      [['days', '--provider', 'nobody'], /^provider is not a provider/m],
    ]
    for (const [args, fault] of issues) {
      const { code, stdout, stderr } = await days(...args)
      assert.deepEqual([code, stdout], [2, ''], args.join(' '))
      assertOneLine(stderr, fault)
    }
    const empty = fileOf(`${columns}\n`)
    await days(...importing(empty, '--from', dateOf(5), '--until', dateOf(1)))
    const closed = await days('close-day', 'm17', day, ...of)
    const head = `m17 test ${day} SLE, closed \\S+Z by Aminata: every difference is explained\n {2}stated {2}0 lines {2}in SLE 0.00`
    assert.match(closed.stdout, new RegExp(`^${head}`))
    const again = await days('close-day', 'm17', day, ...of)
    assertOneLine(again.stderr, /^This day was closed at \S+Z by Aminata: every difference is explained$/m)
    const reopened = await days('reopen-day', 'm17', day, ...of, '--reason', 'corrected')
    assert.deepEqual([closed.code, again.code, reopened.code], [0, 2, 0])
    assert.match((await days('days')).stdout, /\n {2}reopened \S+Z by Aminata: corrected\n$/)
    const listed = JSON.parse((await days('days', '--provider', 'm17', '--json')).stdout).days
    assert.deepEqual([listed.length, listed[0].day, listed[0].statedIn], [1, day, 0])
    assert.equal((await days('days', '--environment', 'live', '--json')).stdout, '{"days":[]}\n')
  })

  test('exits with 2 and one line when it cannot run', async () => {
    const issues: [string[], RegExp][] = [
      [['--provider', 'nobody'], /^provider is not a provider in the catalogue$/m],
      [['--environment', 'moon'], /argument 'moon' is invalid/],
      [['--nothing'], /unknown option '--nothing'/],
      [['nothing'], /too many arguments/],
      [['import', '--provider', 'm17'], /required option '--environment/],
      [importing('/nowhere.csv'), /^file does not exist$/m],
      [importing('x.csv', '--mapping', '/nowhere.json'), /^mapping must be a readable file of at most/m],
      [
        importing('x.csv', '--mapping', fileOf('{"columns": 1}', 'mapping.json')),
        /^mapping columns must be object/m,
      ],
      [
        importing(fileOf(`${columns}\n${statedLine.replace('300.00', 'x')}`)),
        /^line 2 "x" is not an amount$/m,
      ],
      [importing('x.csv', '--from', 'noon'), /must be a time such as/],
    ]
    for (const [args, fault] of issues) {
      const { code, stdout, stderr } = await runCommand(['reconcile', ...args], given)
      assert.deepEqual([code, stdout], [2, ''], args.join(' '))
      assertOneLine(stderr, fault)
    }
    const away = { ...given, DATABASE_URL: 'postgresql://127.0.0.1:1/none' }
    assert.equal((await runCommand(['reconcile'], away)).code, 2)
    for (const args of [['--help'], ['import', '--help']])
      assert.equal((await runCommand(['reconcile', ...args], away)).code, 0, 'help is no failure')
  })

  test('fetches a statement from a rail into a file that can be imported', async () => {
    const at = { ...given, PORT: String(await freePort()), SIMULATOR: 'on' }
    const program = await startProgram(['serve'], at)
    const file = path.join(folder, 'fetched.csv')
    const [from, until] = ['2026-11-01', '2026-11-02']
    const fetching = (provider: string, ...args: string[]) =>
      runCommand(
        [
          ...['reconcile', 'fetch', '--provider', provider, '--environment', 'test', '--file', file],
          ...['--from', from, '--until', until, ...args],
        ],
        at,
      )
    const { code, stdout, stderr } = await fetching('orange-sn')
    assert.deepEqual(
      [code, stdout, stderr],
      [0, `Wrote the orange-sn statement in XOF, ${columns.length + 1} bytes, to ${file}\n`, ''],
    )
    const read = await runCommand(
      [
        ...['reconcile', 'import', '--provider', 'orange-sn', '--environment', 'test', '--file', file],
        ...['--from', from, '--until', until],
      ],
      given,
    )
    assert.match(read.stdout, /^0 lines, 0 new, from 2026-11-01T00/)
    const other = ['--file', path.join(folder, 'none', 'x.csv')]
    const issues: [string, string[], RegExp][] = [
      ['orange-sn', [], /^No statement is available: the file already exists\.$/m],
      ['orange-sn', other, /^Cannot write .*x\.csv: ENOENT\.$/m],
      ['orange-sn', [...other, '--until', '2026-12-03'], /pawaPay statements cover at most 31 days\.$/m],
      ['orange-sn', [...other, '--until', '2026-10-03'], /the start must be before the end\.$/m],
      ['orange-sn', [...other, '--currency', 'GHS'], /^orange-sn does not support GHS\. It supports XOF\.$/m],
      [
        'orange-sn',
        [...other, '--connection', 'mine'],
        /^In the test environment, orange-sn cannot be reached through mine\.$/m,
      ],
      [
        'orange-sn',
        [...other, '--environment', 'live'],
        /^In the live environment, orange-sn cannot be reached through any connection\.$/m,
      ],
      ['m17', other, /^The rail of m17 does not offer statements\.$/m],
      ['nobody', other, /^There is no provider nobody in the catalogue\.$/m],
      ['orange-sn', ['--from', 'noon'], /must be a time such as/],
    ]
    for (const [provider, args, fault] of issues) {
      const ended = await fetching(provider, ...args)
      assert.deepEqual([ended.code, ended.stdout], [2, ''], args.join(' '))
      assertOneLine(ended.stderr, fault)
    }
    await program.stop()
    assertOneLine(
      (await fetching('orange-sn', ...other)).stderr,
      /No statement is available: failed to list wallets: connection refused/,
    )
  })

  test('exits with 2 and names the account when the books differ from the matched lines', async () => {
    const { connection, url } = await makeDatabase({ like: new URL(given.DATABASE_URL!).pathname.slice(1) })
    await ask(connection, `update statement_lines set amount = 1 where space_id is not null`)
    const { code, stdout } = await runCommand(['reconcile'], { ...given, DATABASE_URL: url })
    assert.match(
      stdout,
      /\nFAIL {2}the matched and open lines of some clearing accounts .*\n {6}clearing m17 collection of spc-\w+ in test: after 1 lines/,
    )
    assert.match(stdout, /; 1 matched SLE 0.01; 0 open SLE 0.00; difference SLE 299.99\n/)
    assert.equal(code, 2)
  })
})

async function reconcile(...args: string[]) {
  const { code, stdout, stderr } = await runCommand(['reconcile', ...args], given)
  assert.equal(stderr, '')
  return { code, stdout }
}

function fileOf(text: string, name = 'statement.csv'): string {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return file
}

const importing = (file: string, ...more: string[]) => [
  ...['import', '--provider', 'm17', '--environment', 'test', '--file', file],
  ...more,
]

const importText = (lines: string, ...more: string[]) =>
  runCommand(['reconcile', ...importing(fileOf(`${columns}\n${lines}\n`), ...more)], given)

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { paymentIds } from '../../packages/server/src/money/payments/resources.ts'
import { readId } from '../../packages/server/src/platform/ids.ts'
import { openCommandLine } from '../support/command-line.ts'
import { freePort } from '../support/free-port.ts'
import {
  ask,
  assertOneLine,
  call,
  type Environment,
  makeDatabase,
  makeFolder,
  makeShop,
  type Program,
  pay,
  type Shop,
  startProgram,
  waitUntil,
} from '../support/program.ts'

const { runCommand, json } = openCommandLine(() => given)

let program: Program
let shop: Shop
let given: Environment
let connection: Awaited<ReturnType<typeof makeDatabase>>['connection']
let account: string
let metricsPort: number

before(async () => {
  const database = await makeDatabase()
  connection = database.connection
  metricsPort = await freePort()
  given = { DATABASE_URL: database.url, DATA_DIR: makeFolder() }
  program = await startProgram(['serve', '--work'], {
    ...given,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    METRICS_PORT: String(metricsPort),
  })
  shop = await makeShop(given, program.baseUrl)
  account = (await call(shop, 'GET', '/v1/financial-accounts')).body.result[0].id
})

const list = async (...args: string[]) => (await json('cases', 'list', ...args)).cases
const close = (id: string, ...args: string[]) => json('cases', 'close', id, ...decided, ...args)
const decided = ['--by', 'Aminata, finance', '--reason', 'seen on the statement of 21 November']

/** Creates the case of a payment that failed and was paid after all. */
async function lateCase(value: number) {
  const payment = await pay(program, shop, value, '076 123 012')
  assert.equal(payment.status, 'failed')
  // Polls the table, which is cheap, before it runs the command.
  const opening = `select 1 from ledger_cases where object_id = '${readId(paymentIds, payment.id)}'`
  await waitUntil(program, async () => (await ask(connection, opening)).length > 0)
  const opened = (await list()).find((one: { objectId: string }) => one.objectId === payment.id)
  return { payment, opened }
}

const balance = async () =>
  (await call(shop, 'GET', `/v1/financial-accounts/${account}?withBalance=true`)).body.result.balance
    .available.value
const openCases = async () => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^pesewa_cases_open\{environment="test"\} (\S+)$/m.exec(text)![1])
}

describe('a case', () => {
  test('is listed until closed, and credits its money to the chosen account', async () => {
    assert.deepEqual([await list(), await openCases()], [[], 0])
    const { payment, opened } = await lateCase(5_000)
    assert.equal(await openCases(), 1)
    assert.match(opened.id, /^cas-\w{26}$/)
    const { id, openTime, ...shown } = opened
    assert.deepEqual(shown, {
      spaceId: shop.spaceId,
      environment: 'test',
      kind: 'success_after_failure',
      objectId: payment.id,
      amount: { currency: 'SLE', value: 5_000 },
      returned: { currency: 'SLE', value: 0 },
      remaining: { currency: 'SLE', value: 5_000 },
      closeTime: null,
      closedBy: null,
      reason: null,
      financialTransactionReference: null,
    })
    const before = await balance()
    const closed = await close(id, '--account', account)
    assert.deepEqual([closed.id, await balance()], [id, before + 5_000])
    const reference = closed.financialTransactionReference
    const lines = (await call(shop, 'GET', `/v1/financial-transactions?reference=${reference}`)).body.result
    assert.equal(lines.length, 1)
    assert.deepEqual([lines[0].type, lines[0].amount.value], ['credit', 5_000])
    assert.equal(lines[0].ownershipGraph.owner.id, payment.id)
    assert.deepEqual([await list(), await openCases()], [[], 0])
    assert.deepEqual(await list('--all'), [
      {
        ...opened,
        closeTime: closed.closeTime,
        closedBy: 'Aminata, finance',
        reason: 'seen on the statement of 21 November',
        financialTransactionReference: reference,
      },
    ])
    assert.equal((await json('verify')).ok, true)
    assert.equal((await json('verify', '--since', '1h')).ok, true)
  })

  test('can be handled elsewhere, which clears suspense, and is shown in lines and in the list', async () => {
    const { opened } = await lateCase(700)
    const before = await balance()
    const { stdout } = await runCommand(['cases', 'list'], given)
    assert.match(stdout, new RegExp(`^ID .* AMOUNT .*\n${opened.id}  .*  SLE 7.00  .*\n$`))
    const { code, stdout: text } = await runCommand(['cases', 'close', opened.id, ...decided], given)
    assert.equal(code, 0)
    assert.match(
      text,
      /^id: +cas-\w{26}\ncloseTime: +20\S+Z \(just now\)\namount: +SLE 7.00\nreturned: +SLE 0.00\nremaining: +SLE 7.00\nfinancialTransactionReference: \d{8}-\S+\n$/,
    )
    assert.equal(await balance(), before)
    const left = await ask(
      connection,
      `select purpose, posted::int from ledger_accounts where kind in ('suspense', 'elsewhere') order by purpose`,
    )
    assert.deepEqual(left, [
      { purpose: 'elsewhere', posted: 700 },
      { purpose: 'suspense', posted: 0 },
    ])
    assert.equal((await json('verify')).ok, true)
  })

  test('is closed once, with a name, a reason and a matching account, or remains unchanged', async () => {
    const { opened } = await lateCase(900)
    const other = await makeShop(given, program.baseUrl, 'Other')
    const theirs = (await call(other, 'GET', '/v1/financial-accounts')).body.result[0].id
    const cedis = (await call(shop, 'POST', '/v1/financial-accounts', { name: 'Cedis', currency: 'GHS' }))
      .body.result.id
    const before = await balance()
    const command = ['cases', 'close', opened.id]
    const refused: [string[], RegExp][] = [
      [
        [...command, ...decided, '--account', theirs],
        /^account does not name a financial account in the Space/,
      ],
      [[...command, ...decided, '--account', cedis], /^account is in GHS, but the case is in SLE/],
      [[...command, ...decided, '--account', 'fac-x'], /"fac-x" is not a valid id; it must start with fac-/],
      [[...command, '--by', 'A'], /--reason <text>.*not specified/],
      [[...command, '--by', ' ', '--reason', 'x'], /^by must be 1 to 100 characters/],
      [[...command, '--by', 'A', '--reason', 'x'.repeat(501)], /^reason must be 1 to 500 characters/],
      [['cases', 'close', 'cas-00000000000000000000000000', ...decided], /^There is no such case/],
    ]
    for (const [args, expected] of refused) {
      const { code, stdout, stderr } = await runCommand(args, given)
      assertOneLine(stderr, expected)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    }
    assert.deepEqual([await list(), await balance()], [[opened], before])
    const twice = await Promise.all(
      [1, 2].map(() => runCommand([...command, ...decided, '--account', account], given)),
    )
    assert.deepEqual(twice.map(({ code }) => code).sort(), [0, 1])
    const { stderr } = twice.find(({ code }) => code === 1)!
    assertOneLine(stderr, /^This case was closed at 20\S+Z by Aminata, finance: seen on the statement/)
    assert.equal(await balance(), before + 900)
    assert.equal((await json('verify')).ok, true)
  })

  test('leaves an immutable record', async () => {
    const [entry] = await ask(connection, `select * from audit_entries order by at limit 1`)
    assert.deepEqual(
      [entry.actor, entry.action, entry.object_type, entry.details.account],
      ['Aminata, finance', 'case.close', 'case', account],
    )
    await assert.rejects(ask(connection, `update audit_entries set actor = 'nobody'`), /append only/)
    await assert.rejects(ask(connection, `delete from audit_entries`), /append only/)
  })
})

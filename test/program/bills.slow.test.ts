import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openCommandLine } from '../support/command-line.ts'
import {
  call,
  type Environment,
  makeDatabase,
  makeFolder,
  makeShop,
  type Program,
  type Shop,
  startProgram,
  waitUntil,
} from '../support/program.ts'

/** Runs commands with the running program's settings, as on the program's machine. */
const { run, json, refuses } = openCommandLine(() => ({
  ...given,
  PORT: new URL(program.baseUrl).port,
}))

let program: Program
let shop: Shop
let given: Environment

before(async () => {
  const database = await makeDatabase()
  given = {
    DATABASE_URL: database.url,
    DATA_DIR: makeFolder(),
    SECRET_KEY: 'the one secret of this whole deployment',
  }
  program = await startProgram(['serve', '--work'], { ...given, RATE_LIMITS: 'off', LOG_LEVEL: 'error' })
  shop = await makeShop(given, program.baseUrl)
})

const decided = ['--by', 'Aminata, finance', '--reason', 'the payer rang', '--test']

const newCode = async () => {
  const body = { name: 'School fees', amount: { currency: 'KES', value: 150_000 } }
  const { result } = (await call(shop, 'POST', '/v1/payment-codes', body)).body
  return { number: result.ussdCode.slice(-11, -1) as string, id: result.id as string }
}

/** Pays the business through M-Pesa's menu. */
const payByHand = async (reference: string) => {
  const inputs = ['600111', reference, '1500', '1']
  const step = { providerId: 'mpesa-ke', number: '+254708374149', code: '*334#', inputs }
  const response = await fetch(`${program.baseUrl}/simulator/handsets/dial`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(step),
  })
  return ((await response.json()) as { text: string }).text
}

describe('pesewa connections register and bills', () => {
  test('a code is payable manually once addresses are registered, and other payments are assigned or closed', async () => {
    const code = await newCode()
    assert.match(await payByHand(code.number), /not registered its URLs/)
    const { code: exit, stdout, stderr } = await run(['connections', 'register', 'mpesa-ke', '--test'])
    assert.deepEqual([exit, stderr], [0, ''], stdout)
    assert.match(stdout, /^ok {2}addresses: .*\nok {2}pull of transactions: .*\n$/)
    assert.match(await payByHand(code.number), /^Paid/)
    await waitUntil(program, async () => {
      const { status } = (await call(shop, 'GET', `/v1/payment-codes/${code.id}`)).body.result
      return status === 'completed'
    })
    assert.deepEqual((await json('bills', 'list')).bills, [])
    assert.equal((await json('bills', 'list', '--all')).bills[0].status, 'allocated')
    assert.match(await payByHand('rent july'), /did not accept/)
  })

  test('refuse unknown payments by name, with a reason', async () => {
    const code = await newCode()
    const place = ['mpesa-ke', 'NEVERSEEN1']
    await refuses(['bills', 'assign', ...place, '--code', code.number, ...decided], /no such manual payment/)
    await refuses(['bills', 'close', ...place, ...decided], /no such manual payment/)
    await refuses(['bills', 'close', ...place], /--by <who>.*not specified/)
    await refuses(
      ['connections', 'register', 'm17', '--test'],
      /No connection m17 in test accepts manual payments/,
    )
    await refuses(['connections', 'register', 'mpesa-ke'], /No connection mpesa-ke in live accepts/)
  })
})

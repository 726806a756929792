import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openCommandLine } from '../support/command-line.ts'
import { createPayer } from '../support/payer.ts'
import {
  ask,
  call,
  type Environment,
  makeDatabase,
  makeFolder,
  makeShop,
  order,
  type Program,
  pay,
  type Shop,
  startProgram,
  waitUntil,
} from '../support/program.ts'

const { run, json, refuses } = openCommandLine(() => given)

let program: Program
let shop: Shop
let given: Environment
let paymentId: string
let connection: Awaited<ReturnType<typeof makeDatabase>>['connection']

before(async () => {
  const database = await makeDatabase()
  connection = database.connection
  given = { DATABASE_URL: database.url, DATA_DIR: makeFolder() }
  program = await startProgram(['serve', '--work'], { ...given, RATE_LIMITS: 'off', LOG_LEVEL: 'error' })
  shop = await makeShop(given, program.baseUrl)
  const paid = await pay(program, shop, 100_000)
  assert.equal(paid.status, 'completed')
  paymentId = paid.id
})

const payOut = async (value: number, phoneNumber: string) => {
  const destination = { type: 'momo', providerId: 'm17', phoneNumber }
  const { status, body } = await call(shop, 'POST', '/v1/payouts', {
    amount: { currency: 'SLE', value },
    destination,
  })
  assert.equal(status, 200)
  return body.result
}
const get = async (noun: string, id: string) => (await call(shop, 'GET', `/v1/${noun}s/${id}`)).body.result

/** A rail that accepts orders and reports their outcomes 30 s later, which leaves time to resolve them manually. */
const kinds = [
  {
    noun: 'payment',
    nobody: 'pay-00000000000000000000000000',
    async begin() {
      const session = (await call(shop, 'POST', '/v1/checkout-sessions', order(5_000))).body.result
      await createPayer(session.redirectUrl).pay('m17', '076 123 004')
      const { result } = (await call(shop, 'GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body
      return result[0].id as string
    },
  },
  {
    noun: 'payout',
    nobody: 'pyt-00000000000000000000000000',
    begin: async () => (await payOut(5_000, '076123004')).id as string,
  },
  {
    noun: 'refund',
    nobody: 'rfd-00000000000000000000000000',
    async begin() {
      const amount = { currency: 'SLE', value: 5_000 }
      const refund = { paymentId, amount, reason: 'duplicate', payerMessage: '004' }
      return (await call(shop, 'POST', '/v1/refunds', refund)).body.result.id as string
    },
  },
]
const decided = ['--by', 'Aminata, finance', '--reason', 'the provider wrote on 21 November']

for (const { noun, nobody, begin } of kinds)
  describe(`pesewa ${noun}s`, () => {
    let id: string

    test('lists orders without an outcome, with their provider references', async () => {
      const listed = async () => (await json(`${noun}s`, 'list', '--unknown'))[`${noun}s`]
      assert.deepEqual(await listed(), [])
      id = await begin()
      const submittedQuery = `select 1 from instructions where state = 'submitted'`
      await waitUntil(program, async () => (await ask(connection, submittedQuery)).length > 0)
      const [open] = await listed()
      const { sentTime, resolvableFrom, railReference, ...shown } = open
      assert.deepEqual(shown, {
        id,
        spaceId: shop.spaceId,
        environment: 'test',
        providerId: 'm17',
        amount: { currency: 'SLE', value: 5_000 },
        lastKnown: 'accepted by the provider',
      })
      assert.match(railReference, /^[0-9a-f-]{36}$/)
      assert.equal(new Date(resolvableFrom).getTime() - new Date(sentTime).getTime(), 86_400_000)
      const { stdout } = await run([`${noun}s`, 'list', '--unknown'])
      assert.match(
        stdout,
        new RegExp(`^ID .*\n${id}  SLE 50.00  .*  accepted by the provider  ${railReference}  `),
      )
    })

    test('refuses manual resolution within a day, then allows it, while the service runs', async () => {
      const resolve = [`${noun}s`, 'resolve', id, ...decided, '--as']
      await refuses([...resolve, 'failed'], /can be resolved manually from 20\S+Z, by its Space’s clock/)
      await refuses([...resolve, 'lost'], /Allowed choices are completed, failed/)
      await refuses(
        [`${noun}s`, 'resolve', id, '--as', 'failed', '--by', 'A'],
        /--reason <text>.*not specified/,
      )
      await refuses([`${noun}s`, 'list'], /^No token: add --token/)
      const none = new RegExp(`^This ${noun} does not exist`)
      await refuses([`${noun}s`, 'resolve', nobody, ...decided, '--as', 'failed'], none)
      assert.equal((await get(noun, id)).status, 'processing')
      assert.equal((await call(shop, 'POST', '/v1/test-clock', { advance: '25h' })).status, 200)
      const ended = await json(...resolve, 'completed')
      assert.deepEqual([ended.id, ended.status], [id, 'completed'])
      assert.equal((await get(noun, id)).status, 'completed')
      await refuses([...resolve, 'failed'], new RegExp(`^This ${noun} is already completed`))
      assert.deepEqual(await json(`${noun}s`, 'list', '--unknown'), { [`${noun}s`]: [] })
      assert.equal((await json('verify')).ok, true)
    })

    test('explain their purpose in their help', async () => {
      const { stdout } = await run([`${noun}s`, 'resolve', '--help'])
      assert.match(stdout, new RegExp(`${noun}s resolve \\[options\\] <id>`))
      assert.match(stdout, /--as <end>\s+outcome according to/)
    })
  })

describe('pesewa spaces set', () => {
  test('requires approval of payouts above an amount, by currency, until the limit is removed', async () => {
    const set = (...args: string[]) => json('spaces', 'set', shop.spaceId, ...args)
    const above = '--payout-approval-above'
    const { id } = await set(above, 'SLE:1000', above, 'GHS:5', '--fee', 'payout=1%', '--fee', 'payment=2%')
    assert.equal(id, shop.spaceId)
    const large = await payOut(1_001, '076123456')
    assert.deepEqual([large.status, large.approval?.status], ['pending', 'required'])
    assert.deepEqual(
      large.fees.map(({ amount }: { amount: { value: number } }) => amount.value),
      [10],
    )
    assert.equal((await payOut(1_000, '076123456')).approval, null)
    await set(above, 'SLE:none')
    assert.equal((await payOut(1_001, '076123456')).approval, null)
    assert.equal((await get('payout', large.id)).approval.status, 'required', 'earlier payouts are unchanged')
  })

  test('refuses invalid amounts without changes, and requires something to set', async () => {
    const set = ['spaces', 'set', shop.spaceId]
    for (const wrong of ['SLE', 'SLE:', 'SLE:-1', 'SLE:1.5', 'XYZ:5', 'sle:5', 'SLE:9007199254740992'])
      await refuses(
        [...set, '--payout-approval-above', wrong],
        /must have the form SLE:100000, in minor units/,
      )
    await refuses(set, /^Nothing to set: add --fee, --payout-approval-above or another option/)
    await refuses(
      [...set, '--payout-approval-above', 'SLE:1', '--fee', 'payout=101%'],
      /^fee must start with a percentage/,
    )
    assert.equal((await payOut(10, '076123456')).approval, null)
  })
})

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
  pay,
  type Shop,
  startProgram,
  waitUntil,
} from '../support/program.ts'

const { run, json, refuses } = openCommandLine(() => given)

let program: Program
let shop: Shop
let given: Environment

before(async () => {
  const database = await makeDatabase()
  given = { DATABASE_URL: database.url, DATA_DIR: makeFolder() }
  program = await startProgram(['serve', '--work'], { ...given, RATE_LIMITS: 'off', LOG_LEVEL: 'error' })
  shop = await makeShop(given, program.baseUrl)
  assert.equal((await pay(program, shop, 100_000)).status, 'completed')
})

const decided = ['--by', 'Aminata, finance', '--reason', 'on the statement of 21 November']

/** Creates a recall of a sent payout of 5,000. */
async function recalled(): Promise<{ id: string; payoutId: string }> {
  const destination = { type: 'momo', providerId: 'm17', phoneNumber: '076123456' }
  const amount = { currency: 'SLE', value: 5_000 }
  const { id } = (await call(shop, 'POST', '/v1/payouts', { amount, destination })).body.result
  const status = async () => (await call(shop, 'GET', `/v1/payouts/${id}`)).body.result.status
  await waitUntil(program, async () => (await status()) === 'completed')
  return (await call(shop, 'POST', '/v1/recalls', { payoutId: id, reason: 'wrong_payee' })).body.result
}

describe('pesewa recalls', () => {
  test('lists open recalls and books returned money once, while the service runs', async () => {
    const { id, payoutId } = await recalled()
    const [open, ...more] = (await json('recalls', 'list')).recalls
    assert.deepEqual(more, [])
    const { payoutTransaction, createTime, ...shown } = open
    assert.ok(payoutTransaction && createTime)
    assert.deepEqual(shown, {
      ...{ id, payoutId, spaceId: shop.spaceId, environment: 'test', status: 'open' },
      ...{
        providerId: 'm17',
        payee: '+23276123456',
        amount: { currency: 'SLE', value: 5_000 },
        returned: { currency: 'SLE', value: 0 },
      },
      ...{ reason: 'wrong_payee', note: null },
    })
    const back = ['recalls', 'return', id, ...decided, '--transaction', 'TX-1']
    const returned = await json(...back, '--amount', 'SLE:3000')
    assert.deepEqual([returned.id, returned.status, returned.returned.value], [id, 'returned', 3_000])
    assert.deepEqual(await json(...back, '--amount', 'SLE:3000'), returned)
    await refuses(back, /^This recall is already returned/)
    await refuses(['recalls', 'refuse', id, ...decided], /^This recall is already returned/)
    assert.deepEqual((await json('recalls', 'list')).recalls, [])
    const [ended] = (await json('recalls', 'list', '--all')).recalls
    assert.deepEqual([ended.status, ended.returned.value], ['returned', 3_000])
  })

  test('refuses a recall with a name and a reason, and rejects invalid requests', async () => {
    const { id } = await recalled()
    const back = ['recalls', 'return', id, ...decided]
    await refuses(back, /--transaction <text>.*not specified/)
    await refuses(['recalls', 'refuse', id, '--by', 'A'], /--reason <text>.*not specified/)
    await refuses([...back, '--transaction', 'TX-2', '--amount', '5'], /must have the form SLE:1500/)
    await refuses([...back, '--transaction', 'TX-2', '--amount', 'SLE:5001'], /amount/)
    await refuses(
      [...back, '--transaction', 'TX-1'],
      /^This provider transaction has already been recorded for another recall/,
    )
    await refuses(['recalls', 'refuse', 'pay-1', ...decided], /is not a valid id; it must start with rcl-/)
    await refuses(['recalls', 'refuse', 'rcl-00000000000000000000000000', ...decided], /^There is no recall/)
    const refused = await json('recalls', 'refuse', id, ...decided)
    assert.deepEqual([refused.status, refused.returned.value], ['refused', 0])
    assert.deepEqual(await json('recalls', 'refuse', id, ...decided), refused)
    assert.equal((await run(['verify'])).code, 0)
  })
})

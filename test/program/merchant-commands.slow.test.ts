import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openCommandLine } from '../support/command-line.ts'
import { until } from '../support/harness.ts'
import {
  assertOneLine,
  call,
  type Environment,
  makeDatabase,
  makeFolder,
  makeShop,
  type Program,
  pay,
  payOut,
  type Shop,
  spawnProgram,
  startProgram,
  waitUntil,
} from '../support/program.ts'

const { runCommand, json, text } = openCommandLine(() => given)

let program: Program
let shop: Shop
let given: Environment

before(async () => {
  const { url } = await makeDatabase()
  const service = { DATABASE_URL: url, DATA_DIR: makeFolder(), RATE_LIMITS: 'off', LOG_LEVEL: 'error' }
  program = await startProgram(['serve', '--work'], service)
  shop = await makeShop(service, program.baseUrl)
  given = {
    DATA_DIR: makeFolder(),
    PESEWA_URL: program.baseUrl,
    PESEWA_TOKEN: shop.testToken,
    PESEWA_SPACE: shop.spaceId,
  }
})

describe('pesewa payments, payouts and refunds', () => {
  test('list the objects of a Space through the API, newest first, with masked accounts', async () => {
    assert.equal(await text('payments', 'list'), 'No payments.\n')
    const paid = await pay(program, shop, 30_000)
    const declined = await pay(program, shop, 20_000, '076 123 001')
    const payout = await payOut(program, shop, '+23276123456')
    const [, first, second] = (await text('payments', 'list')).split('\n')
    assert.match(first!, new RegExp(`^${declined.id} +failed +SLE 200\\.00 +m17 +\\+23276\\*+01 `))
    assert.match(second!, new RegExp(`^${paid.id} +completed +SLE 300\\.00 +m17 +\\+23276\\*+56 `))
    assert.match(await text('payouts', 'list'), new RegExp(`${payout.id} +completed`))
    assert.equal(await text('refunds', 'list'), 'No refunds.\n')
  })

  test('filter by status and by search, and limit the number of rows', async () => {
    const idsIn = async (...args: string[]) =>
      (await json('payments', 'list', ...args)).payments.map(({ id }: { id: string }) => id)
    const [declined, paid] = await idsIn()
    assert.deepEqual(await idsIn('--status', 'failed'), [declined])
    assert.deepEqual(await idsIn('--limit', '1'), [declined])
    assert.deepEqual(await idsIn('--search', '076 123 456'), [paid])
  })

  test('show one object, as fields or as the API returns it', async () => {
    const { payments } = await json('payments', 'list')
    const { id } = payments[1]
    assert.match(
      await text('payments', 'show', id),
      new RegExp(`^id: +${id}\\nstatus: +completed\\namount: `),
    )
    const { body } = await call(shop, 'GET', `/v1/payments/${id}`)
    assert.deepEqual(await json('payments', 'show', id), body.result)
  })

  test('refuse in one line, with exit code 1', async () => {
    const none = `pay-${'0'.repeat(26)}`
    const refused: [string[], Environment, RegExp][] = [
      [['payments', 'list'], { DATA_DIR: makeFolder() }, /^No token: add --token/],
      [['payments', 'list', '--limit', '0'], given, /must be a number from 1 to 1000/],
      [['payments', 'list', '--status', 'paid'], given, /Allowed choices are pending/],
      [['payments', 'show', none], given, / returned 404: No such object exists/],
      [['payments', 'show', 'pyt-1'], given, /is not a valid id; it must start with pay-/],
      [['payments', 'list', '--token', 'psw_test_x'], given, /^The access token is malformed/],
      [['payments', 'list', '--unknown'], { DATA_DIR: makeFolder() }, /^There is no database in /],
      [['logs', 'tail', '--lines', '51'], given, /must be a number from 0 to 50/],
      [['logs', 'tail', '--status', '200'], given, /Allowed choices are 2xx/],
    ]
    for (const [args, env, expected] of refused) {
      const { code, stdout, stderr } = await runCommand(args, env)
      assertOneLine(stderr, expected)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    }
  })
})

describe('pesewa logs tail', () => {
  const follow = async (...args: string[]) => {
    const tail = spawnProgram(['logs', 'tail', ...args], given)
    await waitUntil(tail, () => tail.stderr().includes('Following'))
    return { tail, lines: () => tail.stdout().split('\n').slice(0, -1) }
  }

  test('prints earlier requests, then each new one once, but not its own', async () => {
    await call(shop, 'GET', '/v1/webhooks')
    await until(
      async () => (await call(shop, 'GET', '/v1/requests?pathPrefix=/v1/webhooks')).body.result?.length > 0,
    )
    const { tail, lines } = await follow('--lines', '50')
    assert.equal(lines().filter((line) => line.includes('/v1/webhooks')).length, 1)
    const none = `pay-${'0'.repeat(26)}`
    await call(shop, 'GET', `/v1/payments/${none}`)
    await waitUntil(tail, () => lines().at(-1)?.includes(none))
    assert.match(
      lines().at(-1)!,
      new RegExp(`^20\\S+Z {2}404 {2}GET {5}/v1/payments/${none} {2}\\d+ ms {2}not_found$`),
    )
    const { code, stdout } = await tail.stop()
    assert.equal(code, 0)
    assert.ok(!stdout.includes('/v1/requests'))
    assert.equal(new Set(lines()).size, lines().length)
  })

  test('filters by status and path, and prints JSON', async () => {
    const { tail, lines } = await follow('--lines', '0', '--status', '4xx', '--path', '/v1/payouts', '--json')
    await call(shop, 'GET', '/v1/payouts')
    await call(shop, 'GET', `/v1/payments/pay-${'0'.repeat(26)}`)
    await call(shop, 'GET', `/v1/payouts/pyt-${'0'.repeat(26)}`)
    const [line] = await waitUntil(tail, () => lines().length > 0 && lines())
    const { route, status, reason } = JSON.parse(line!)
    assert.deepEqual([route, status, reason], ['/v1/payouts/:id', 404, 'not_found'])
    const { code } = await tail.stop('SIGTERM')
    assert.equal(code, 0)
    assert.equal(lines().length, 1)
  })
})

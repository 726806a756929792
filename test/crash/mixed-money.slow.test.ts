import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { freePort } from '../support/free-port.ts'
import { createPayer } from '../support/payer.ts'
import { ask, call, makeFolder, order, type Program, type Shop, startProgram } from '../support/program.ts'
import { openStand, type Stand } from './stand.ts'

// Payments, payouts and transfers use the same three accounts on two nodes, and each locks several of them.
let stand: Stand
let other: Program

before(async () => {
  stand = await openStand({ settings: { LOG_LEVEL: 'warn' }, hasOwnNodes: true })
  const settings = { ...stand.settings, PORT: String(await freePort()), DATA_DIR: makeFolder() }
  other = await startProgram(['serve', '--work'], { ...settings, BASE_URL: stand.shop.baseUrl })
})
after(async () => {
  await other?.stop('SIGKILL')
  await stand?.close()
})

const runMs = 60_000
const clients = 12

/** Responses other than success, and deadlocks detected by PostgreSQL. */
test('payments, payouts and transfers on shared accounts never deadlock, and no call fails', async () => {
  const main = await stand.fund(1_000_000)
  const open = async (name: string) =>
    (await call(stand.shop, 'POST', '/v1/financial-accounts', { name, currency: 'SLE' })).body.result.id
  const accounts: string[] = [main, await open('Shop'), await open('Market')]
  for (const account of accounts.slice(1))
    await call(stand.shop, 'POST', '/v1/internal-transfers', transfer(main, account, 300_000))

  const failures: string[] = []
  const until = performance.now() + runMs
  let calls = 0
  const attempt = async (shop: Shop, method: string, url: string, body: object) => {
    const answer = await call(shop, method, url, body)
    calls++
    if (answer.status !== 200) failures.push(`${url}: ${answer.status} ${JSON.stringify(answer.body.error)}`)
    return answer.body.result
  }
  const work = async (client: number) => {
    for (let i = client; performance.now() < until; i++) {
      const shop = { ...stand.shop, baseUrl: i % 2 === 0 ? stand.program.baseUrl : other.baseUrl }
      const [from, to] = [accounts[i % 3]!, accounts[(i + 1 + (client % 2)) % 3]!]
      // The last digits decide the outcome: most payments succeed, some fail and release their hold.
      const phoneNumber = i % 5 === 0 ? '+23276123001' : '+23276123456'
      if (i % 3 === 0) await attempt(shop, 'POST', '/v1/internal-transfers', transfer(from, to, 10))
      else if (i % 3 === 1)
        await attempt(shop, 'POST', '/v1/payouts', {
          amount: { currency: 'SLE', value: 10 },
          destination: { type: 'momo', providerId: 'm17', phoneNumber },
          source: { financialAccountId: from },
        })
      else {
        const session = order(20, { financialAccountId: to })
        const { redirectUrl } = await attempt(shop, 'POST', '/v1/checkout-sessions', session)
        const { status } = await createPayer(redirectUrl).pay('m17', phoneNumber)
        if (status >= 500) failures.push(`a payer got the status ${status}`)
      }
    }
  }
  const time = setInterval(() => void stand.simulator.clock.advance(300), 100)
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client))).finally(() =>
    clearInterval(time),
  )

  const [{ deadlocks }] = await ask(
    stand.database.connection,
    'select deadlocks from pg_stat_database where datname = current_database()',
  )
  assert.deepEqual({ failures, deadlocks }, { failures: [], deadlocks: '0' })
  assert.ok(calls > 200, `only ${calls} calls`)
  await stand.verify()
})

const transfer = (from: string, to: string, value: number) => ({
  amount: { currency: 'SLE', value },
  sourceFinancialAccount: { id: from },
  destinationFinancialAccount: { id: to },
})

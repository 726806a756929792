import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { simulatedBusiness } from '../../packages/rails/mpesa-daraja/test-credentials.ts'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { createSeals } from '../../packages/server/src/platform/seals.ts'
import { billUrls } from '../../packages/server/src/ways-to-pay/bill-payments/addresses.ts'
import { call, waitUntil } from '../support/program.ts'
import { draw } from './rounds.ts'
import { openStand, type Stand } from './stand.ts'

let stand: Stand
let number: string
let post: (path: string, body: object) => Promise<Response>

before(async () => {
  stand = await openStand()
  post = await signIn()
  const seals = createSeals(stand.simulator.secretKey)
  const place = { environment: 'test', connection: 'mpesa-ke' } as const
  const { validation, confirmation } = billUrls({ seals, baseUrl: stand.program.baseUrl }, place)
  const registered = await post('/mpesa/c2b/v2/registerurl', {
    ...{ ShortCode: '600111', ResponseType: 'Cancelled' },
    ...{ ValidationURL: validation, ConfirmationURL: confirmation },
  })
  assert.equal(registered.status, 200)
  const target = { expectedPaymentTotal: { currency: 'KES', value: 1_000_000_000 } }
  const body = { name: 'Rent', mode: 'recurrent', duration: '7d', recurrentPaymentTarget: target }
  const { result } = (await call(stand.shop, 'POST', '/v1/payment-codes', body)).body
  number = result.ussdCode.slice(-11, -1)
})
after(() => stand?.close())

/**
 * Gets a token and returns a function that sends requests with it. The token stays valid for the whole test,
 * because the rail's clock stands still.
 */
async function signIn() {
  const { consumerKey, consumerSecret } = simulatedBusiness(createSeals(stand.simulator.secretKey))
  const at = `${stand.simulator.url}/mpesa-daraja/mpesa-ke`
  const basic = Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')
  const headers = { authorization: `Basic ${basic}` }
  const issued = await fetch(`${at}/oauth/v1/generate?grant_type=client_credentials`, { headers })
  const { access_token: token } = (await issued.json()) as { access_token: string }
  return (path: string, body: object) =>
    fetch(at + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
}

/** `npm run test:all` kills twice. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 2)
const payersAtOnce = 4
const longestLifeMs = 1_500

const paidByRail = () =>
  stand.simulator.db.query<{ transaction: string }>(sql`
    select 'SIM' || lpad(financial_transaction_id::text, 10, '0') as transaction from simulator_collections
    where status = 'SUCCESSFUL' order by 1`)

// every space: this database has only one
const booked = () =>
  stand.db.query<{ transaction: string }>(sql`
    select rail_transaction as transaction from payments where status = 'completed' and payer_mask is not null
    union all
    select rail_transaction from payments
    where status = 'completed' and provider_id = 'mpesa-ke' and payer_mask is null order by 1`)

test('when the program is killed at any moment, each manual payment that the rail accepted is booked once', async (t) => {
  for (let round = 1; round <= rounds; round++) {
    const pay = async () => {
      const body = { ShortCode: '600111', CommandID: 'CustomerPayBillOnline', BillRefNumber: number }
      await post('/mpesa/c2b/v2/simulate', { ...body, Amount: draw(1, 900), Msisdn: '254708374149' })
      await stand.simulator.clock.advance(1)
    }
    let isDead = false
    const payer = async () => {
      while (!isDead) await pay()
    }
    const paying = Promise.all(Array.from({ length: payersAtOnce }, payer))
    await sleep(draw(0, longestLifeMs))
    isDead = true
    await stand.kill()
    await paying
    await stand.start()
  }
  // Payments made while the program was down are found in the list that it reads when it starts.
  const paid = await waitUntil(stand.program, async () => {
    const [there, here] = [await paidByRail(), await booked()]
    return there.length === here.length && there
  })
  assert.deepEqual(await booked(), paid)
  assert.ok(paid.length > 0, 'no payment was accepted')
  t.diagnostic(`${paid.length} manual payments`)
  await stand.verify()
})

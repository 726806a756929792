import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { septetsOf } from '../../../../packages/server/src/platform/gsm7.ts'
import { readSettings } from '../../../../packages/server/src/slices.ts'
import { smsText } from '../../../../packages/server/src/ways-to-pay/checkout/receipt-sms.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

const key = Buffer.alloc(32, 7)
type Posted = { id: string; headers: Record<string, unknown>; raw: string }
const posted: Posted[] = []
/** The sender's next responses; 200 once the list is empty. */
const answers: number[] = []
const sender = createServer(async (request, response) => {
  const raw = await textOf(request)
  posted.push({ id: String(request.headers['webhook-id']), headers: request.headers, raw })
  response.writeHead(answers.shift() ?? 200).end()
}).listen(0, '127.0.0.1')
await once(sender, 'listening')

const rail = createManualClock()
const t = await startTestApp({
  app: { simulatorClock: rail },
  settings: {
    SMS_URL: `http://127.0.0.1:${(sender.address() as AddressInfo).port}/send`,
    SMS_SECRET: `whsec_${key.toString('base64')}`,
    LOG_LEVEL: 'fatal',
  },
})
after(async () => {
  await t.close()
  sender.close()
})

const order = { name: 'Order 42', lineItems: [{ name: 'Cloth', price: { currency: 'SLE', value: 15_000 } }] }

async function pay(merchant: Merchant, provider = 'm17', account: string | object = '076123456') {
  const session = (await merchant.call('POST', '/v1/checkout-sessions', order)).body.result
  await createPayer(session.redirectUrl).pay(provider, account)
  await until(async () => {
    const { result } = (await merchant.call('GET', `/v1/checkout-sessions/${session.id}`)).body
    return result.status === 'completed' || rail.advance(300)
  })
  return session
}
const turnOn = (merchant: Merchant) => merchant.call('PATCH', '/v1/settings', { receiptsBySms: true })

describe('a receipt by text message', () => {
  test('goes to the phone that paid, signed, with a link to the receipt', async () => {
    const merchant = await t.merchant({ name: 'Aminata’s Cloth' })
    assert.equal((await turnOn(merchant)).body.result.receiptsBySms, true)
    const session = await pay(merchant)
    await until(() => posted.length === 1)
    const [{ id, headers, raw }] = posted.splice(0) as [Posted]
    const { to, text, environment } = JSON.parse(raw)
    assert.deepEqual([to, environment], ['+23276123456', 'test'])
    const url = `${session.redirectUrl.replace('/pay/', '/r/')}`
    assert.equal(
      text,
      `TEST Aminata's Cloth: Le 150.00 paid. Order ${session.orderNumber}. Receipt: ${url}`.slice(
        0,
        text.length,
      ),
    )
    assert.ok(septetsOf(text)! <= 160 && text.endsWith(url), text)
    const signed = `${id}.${headers['webhook-timestamp']}.${raw}`
    assert.equal(
      headers['webhook-signature'],
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    )
    const answer = await fetch(url)
    assert.match(await answer.text(), new RegExp(session.orderNumber))
  })

  test('is retried with the same id until the sender accepts it, but not after a rejection', async () => {
    const merchant = await t.merchant()
    await turnOn(merchant)
    answers.push(503, 429, 200, 400)
    await pay(merchant)
    await until(() => posted.length === 3)
    assert.equal(new Set(posted.splice(0).map(({ id }) => id)).size, 1)
    await pay(merchant)
    await pay(merchant)
    await until(() => posted.length === 2)
    assert.equal(new Set(posted.splice(0).map(({ id }) => id)).size, 2)
  })

  test('is not sent for Spaces without the setting, nor for payments without a phone', async () => {
    const [quiet, other] = [await t.merchant(), await t.merchant()]
    await turnOn(other)
    await pay(quiet)
    await pay(other, 'dw001', { walletId: 'fatu' })
    await pay(other)
    await until(() => posted.length > 0)
    assert.equal(posted.splice(0).length, 1)
  })
})

describe('the text', () => {
  const most = 9_007_199_254_740_991n
  const url = `https://payments.example.com/r/${'x'.repeat(66)}`
  for (const language of ['en', 'fr'] as const)
    for (const merchant of [
      'Ama',
      'Ɔkɔ & Fils, Épicerie générale 🦜 de la République',
      'M'.repeat(255),
      '€'.repeat(60),
    ])
      for (const [currency, amount] of [
        ['SLE', 15_000n],
        ['GHS', most],
        ['XOF', 1n],
      ] as const)
        test(`in ${language} of ${merchant.slice(0, 12)} and ${currency} fits one message of 160 characters, with the full URL and amount`, () => {
          const text = smsText({
            language,
            merchant,
            amount: { currency, amount },
            orderNumber: '482915037264',
            url,
            isTest: true,
          })
          assert.ok(septetsOf(text)! <= 160, `${text} takes ${septetsOf(text)}`)
          assert.ok(text.endsWith(` ${url}`), text)
          assert.match(text, /^TEST /)
          assert.match(text, /15|90|1 /)
        })
})

test('SMS_URL without a key or with a short one is refused', () => {
  const SMS_URL = 'https://sms.example/send'
  for (const SMS_SECRET of [undefined, 'secret', 'whsec_AAAA'])
    assert.throws(() => readSettings({ SMS_URL, ...(SMS_SECRET && { SMS_SECRET }) }), /SMS_SECRET must be/)
  assert.throws(() => readSettings({ SMS_URL: 'ftp://sms.example' }), /SMS_URL/)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'
import { passOn, startTransferProxy } from '../../../support/transfer-proxy.ts'

const clock = createManualClock()
const rail = await startTransferProxy()
const t = await startTestApp({ settings: { SIMULATOR_URL: rail.url }, app: { simulatorClock: clock } })
rail.simulatorUrl = `${t.baseUrl}/simulator`
after(async () => {
  await t.close()
  rail.close()
})
const merchant = await t.merchant()
const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 30_000 } }]

async function pay(walletId: string) {
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })).body
    .result
  const payer = createPayer(session.redirectUrl)
  assert.equal((await payer.pay('dw001', { walletId })).status, 303)
  const payment = async () =>
    (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result[0]
  return { payer, payment }
}

test('a rail’s instructions for the payer appear on the waiting page in the payer’s language, and in the API', async () => {
  rail.onTransfer = passOn
  const { payer, payment } = await pay('fatu@004')
  const { texts, dialString } = await until(async () => (await payment())?.instructions)
  assert.deepEqual([Object.keys(texts), dialString], [['en', 'fr'], '*144*4#'])
  // A page that was already open is reloaded once.
  assert.equal(await payer.status(), 'done')
  for (const [accepted, language, guidance] of [
    ['fr-SN, fr', 'fr', texts.fr],
    ['en', 'en', texts.en],
    ['sw', 'en', texts.en],
  ]) {
    const { text } = await payer.look('/wait', { headers: { 'accept-language': accepted } })
    assert.ok(text.includes(`<p lang="${language}" dir="auto">${guidance}</p>`), text)
    assert.ok(text.includes('href="tel:*144*4%23"'), text)
    assert.ok(text.includes('/status?guided=yes"'), text)
  }
  assert.equal(JSON.parse((await payer.look('/status?guided=yes')).text).status, 'waiting')
  await clock.advance(30_000)
  await until(async () => (await payment()).status === 'completed')
  assert.equal((await payment()).instructions.dialString, '*144*4#')
})

test('the signed report of a simulated wallet completes a payment while queries get no answer', async () => {
  const taken = Promise.withResolvers<void>()
  rail.onTransfer = (transfer) => void passOn(transfer).then(taken.resolve)
  const answerAgain = rail.mute('dw001')
  const { payment } = await pay('fatu@safulpay')
  await taken.promise
  await clock.advance(300)
  await until(async () => (await payment()).status === 'completed')
  answerAgain()
  await t.verify()
})

test('no guidance appears if the rail sends none', async () => {
  rail.onTransfer = passOn
  const { payer, payment } = await pay('fatu@safulpay')
  await until(async () => (await payment())?.status === 'processing')
  assert.equal((await payment()).instructions, null)
  const { text } = await payer.look('/wait')
  assert.doesNotMatch(text.replace(/<style[\s\S]*?<\/style>/, ''), /guid|tel:/)
})

test('hostile guidance is shown only where it is valid, and the payment continues', async () => {
  const instructions = {
    texts: {
      en: '<script>alert(1)</script>\u202e\u0000 Dial\n\nnow',
      fr: 'x'.repeat(501),
      'en-GB': 'A region',
      __proto__x: 'No language',
      de: 7,
      kri: '  ',
    },
    dialString: '*21*23276000000#',
  }
  rail.onTransfer = async ({ forward, answer }) => {
    const response = await forward()
    const body = JSON.stringify({ ...JSON.parse(response!.body), instructions })
    answer({ status: response!.status, body })
  }
  const { payer, payment } = await pay('fatu@safulpay')
  const shown = await until(async () => (await payment())?.instructions)
  assert.deepEqual(shown, { texts: { en: '<script>alert(1)</script> Dial now' }, dialString: null })
  const { text } = await payer.look('/wait', { headers: { 'accept-language': 'fr' } })
  assert.ok(text.includes('<p lang="en" dir="auto">&lt;script&gt;alert(1)&lt;/script&gt; Dial now</p>'), text)
  assert.doesNotMatch(text, /tel:/)
  await clock.advance(300)
  await until(async () => (await payment()).status === 'completed')
  await t.verify()
})

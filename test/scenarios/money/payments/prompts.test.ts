import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { promptJobs } from '../../../../packages/server/src/money/payments/prompts.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { encryptedColumn } from '../../../../packages/server/src/platform/db/unnest.ts'
import { isRefused } from '../../../../packages/server/src/ways-to-pay/payment-codes/paying.ts'
import { createHandset } from '../../../support/handset.ts'
import { type Merchant, startTestApp, type TestApp } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'
import { createCodes } from '../../../support/payment-code.ts'

const settings = {
  RATE_LIMITS: 'on',
  SECRET_KEY: 'a secret that is shared by both nodes',
  ...Object.fromEntries(
    ['SPACE_LIMIT_TEST', 'TOKEN_LIMIT_TEST', 'ENDPOINT_LIMIT_TEST', 'PAGE_LIMIT'].map((name) => [
      name,
      '1000000',
    ]),
  ),
}
const rail = createManualClock()
const start = (bounds: Record<string, string>, beside?: TestApp) =>
  startTestApp({
    settings: { ...settings, ...bounds },
    app: { simulatorClock: rail },
    ...(beside && { anotherNodeOf: beside }),
  })

const bounds = { PROMPTS_AT_ONCE_TEST: '8', PROMPTS_TEST: '1000' }
const t = await start(bounds)
const second = await start(bounds, t)
const slow = await start({ PROMPTS_AT_ONCE_TEST: '100', PROMPTS_TEST: '4', PROMPTS_WINDOW: '10m' })
after(async () => {
  await second.close()
  await t.close()
  await slow.close()
})

const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 30_000 } }]

/** Returns a session's page through one of the nodes. */
async function openPage(merchant: Merchant, node: TestApp) {
  const { body } = await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })
  return createPayer(node.baseUrl + new URL(body.result.redirectUrl).pathname)
}

async function askedOf(app: TestApp, phone: string, merchant?: Merchant): Promise<number> {
  const rows = await app.app.parts.db.query<{ spaceId: string; payerAccount: string }>(sql`
    -- every space: the owner of the phone sees all prompts
    select space_id, ${encryptedColumn('payments.payer_account')} from payments`)
  return rows.filter(
    ({ spaceId, payerAccount }) =>
      payerAccount === phone && (!merchant || spaceId === merchant.scope.spaceId),
  ).length
}

describe('prompts to one phone', () => {
  test('are limited across sessions, codes, Spaces and nodes, even when requested concurrently', async () => {
    const phone = '+23276500003'
    const [one, other] = [await t.merchant(), await t.merchant()]
    const pages = await Promise.all(
      Array.from({ length: 30 }, (_, i) => openPage(i % 2 ? one : other, i % 3 ? t : second)),
    )
    const openCode = createCodes(t, rail)
    const codes = await Promise.all(Array.from({ length: 6 }, () => openCode({}, one)))
    const [answers, paid] = await Promise.all([
      Promise.all(pages.map((page) => page.pay('m17', phone))),
      Promise.all(codes.map((code) => code.pay({ phoneNumber: phone }))),
    ])
    const begun =
      answers.filter(({ status }) => status === 303).length +
      paid.filter((outcome) => !isRefused(outcome)).length
    assert.equal(begun, 8)
    assert.equal(await askedOf(t, phone), 8)
    assert.ok(answers.every(({ status }) => status === 303 || status === 429))
  })

  test('of one Space leave a quarter to the payers of other Spaces', async () => {
    const phone = '+23276501003'
    const [greedy, other] = [await t.merchant(), await t.merchant()]
    for (let i = 0; i < 12; i++) await (await openPage(greedy, t)).pay('m17', phone)
    assert.equal(await askedOf(t, phone, greedy), 6)
    assert.equal((await (await openPage(other, t)).pay('m17', phone)).status, 303)
    assert.equal((await (await openPage(greedy, t)).pay('m17', '+23276502003')).status, 303, 'another phone')
  })

  test('show the limit to the payer, in English and French, and allow another number', async () => {
    const phone = '+23276503003'
    const merchant = await t.merchant()
    for (let i = 0; i < 6; i++) await (await openPage(merchant, t)).pay('m17', phone)
    const page = await openPage(merchant, t)
    const fields = { provider: 'm17', phone, formToken: await page.formToken() }
    const inLanguage = (language: string) =>
      page.look('', {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { 'accept-language': language },
      })
    const english = await inLanguage('en')
    assert.equal(english.status, 429)
    assert.match(
      english.text,
      /No payment request was sent, .* Try again in a minute, or use another number\./,
    )
    assert.match((await inLanguage('fr')).text, /Aucune demande n’a été envoyée.* Réessayez dans une minute/)
    assert.equal(await askedOf(t, phone), 6)
    assert.equal(await page.pay('m17', '076 123 456').then(({ status }) => status), 303)
  })

  test('show the limit to a phone that dials', async () => {
    const phone = '+23276504003'
    const openCode = createCodes(t, rail)
    const merchant = await t.merchant()
    for (let i = 0; i < 6; i++) await (await openCode({}, merchant)).begin({ phoneNumber: phone })
    const { code } = await openCode({}, merchant)
    const handset = createHandset(t, phone)
    await handset.dial(code.ussdCode)
    assert.equal(
      (await handset.enter('1')).text,
      'Your phone is getting too many payment requests. This one was not sent, and nothing was paid. Dial again in 1 min.',
    )
  })

  test('that have ended make room for others', async () => {
    const phone = '+23276505111'
    const merchant = await t.merchant()
    for (let i = 0; i < 6; i++) await (await openPage(merchant, t)).pay('m17', phone)
    const page = await openPage(merchant, t)
    assert.equal((await page.pay('m17', phone)).status, 429)
    for (let tries = 0; (await page.pay('m17', phone)).status === 429; tries++) {
      assert.ok(tries < 200, 'no prompt of this phone ended')
      await rail.advance(300)
    }
  })
})

describe('prompts to one phone in a time window', () => {
  test('are limited even if each of them has ended, and the refusal says when the next one is possible', async () => {
    const phone = '+23276506001'
    const [one, other] = [await slow.merchant(), await slow.merchant()]
    for (let i = 0; i < 3; i++)
      assert.equal((await (await openPage(one, slow)).pay('m17', phone)).status, 303)
    const refused = await (await openPage(one, slow)).pay('m17', phone)
    assert.equal(refused.status, 429)
    // A Space has three prompts per ten minutes, so one is available again after a third of that time.
    assert.match(refused.text, /Try again in 4 minutes/)
    assert.equal((await (await openPage(other, slow)).pay('m17', phone)).status, 303)
    assert.equal((await (await openPage(other, slow)).pay('m17', phone)).status, 429)
  })

  test('are deleted when they no longer count', async () => {
    const { db } = slow.app.parts
    await db.transaction((tx) =>
      // every space: all phones
      tx.run(sql`insert into asked_phones (environment, phone_number, space_id, used_until)
        values ('test', '+23276507000', '00000000-0000-0000-0000-000000000000', now() - interval '11 minutes')`),
    )
    await promptJobs(slow.app.parts)['asked-phones.forget']!({} as never)
    const left = await db.query<{ rested: boolean }>(sql`
      -- every space: all phones
      select used_until < now() - interval '10 minutes' as rested from asked_phones`)
    assert.ok(left.length > 0 && left.every(({ rested }) => !rested))
  })
})

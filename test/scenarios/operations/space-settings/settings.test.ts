import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { showId } from '../../../../packages/server/src/platform/ids.ts'
import { userIds } from '../../../../packages/server/src/tenants/spaces/resources.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'
import { startMailbox } from '../../../support/smtp.ts'
import { openShop, reasonOf } from '../../money/refunds/shop.ts'

const mailbox = await startMailbox()
const rail = createManualClock()
const t = await startTestApp({
  app: { simulatorClock: rail },
  settings: { SMTP_URL: mailbox.url },
  hasLiveProvider: true,
})
after(async () => {
  await t.close()
  await mailbox.close()
})

/** Returns a PNG whose header declares this size, with arbitrary data. */
function png(width: number, height: number): string {
  const head = Buffer.alloc(25)
  head.writeUInt32BE(13, 0)
  head.write('IHDR', 4, 'latin1')
  head.writeUInt32BE(width, 8)
  head.writeUInt32BE(height, 12)
  const bytes = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    head,
    deflateSync(Buffer.alloc(9)),
  ])
  return `data:image/png;base64,${bytes.toString('base64')}`
}

const brand = {
  name: 'Country Cloth',
  color: '#0A7',
  supportEmail: 'help@shop.example',
  supportPhone: '076 123 456',
  termsUrl: 'https://shop.example/terms',
}

describe('settings', () => {
  test('belong to one environment, and fields that are not sent stay unchanged', async () => {
    const merchant = await t.merchant({ name: 'Test Shop' })
    const live = await t.merchant({ sameUserAs: merchant, environment: 'live' })
    const standard = (await merchant.call('GET', '/v1/settings')).body.result
    assert.deepEqual(
      [standard.name, standard.country, standard.brand.name, standard.refundsWhenShort],
      ['Test Shop', 'SL', null, 'refuse'],
    )
    assert.deepEqual(
      [standard.payoutApprovalAbove, standard.fees[0]],
      [[], { code: 'payment', rule: '1%', isStandard: true }],
    )
    const limits = [
      { currency: 'SLE', value: 100_000 },
      { currency: 'USD', value: 0 },
    ]
    await merchant.call('PATCH', '/v1/settings', { brand, payoutApprovalAbove: limits })
    const { body } = await merchant.call('PATCH', '/v1/settings', {
      brand: { termsUrl: null },
      refundsWhenShort: 'queue',
    })
    assert.deepEqual(body.result.brand, {
      ...brand,
      color: '#00aa77',
      supportPhone: '+23276123456',
      termsUrl: null,
      address: null,
      taxNumber: null,
    })
    assert.deepEqual([body.result.payoutApprovalAbove, body.result.refundsWhenShort], [limits, 'queue'])
    assert.deepEqual((await live.call('GET', '/v1/settings')).body.result, standard)
  })

  for (const kind of ['payout', 'refund'] as const) {
    const field = `${kind}ApprovalAbove`
    const limit = (value: number) => [{ currency: 'SLE', value }]

    test(`raise or remove the limit of a ${kind} only after a second member makes the same change`, async () => {
      const ama = await t.merchant()
      const kofi = await t.merchant({ sameSpaceAs: ama, role: 'admin' })
      const change = async (of: typeof ama, limits: object[]) => {
        const { status, body } = await of.call('PATCH', '/v1/settings', { [field]: limits })
        assert.equal(status, 200)
        const proposed = body.result.proposedApprovalsAbove.map(
          ({ kind: of, currency, value, proposedBy }: Record<string, unknown>) => [
            of,
            currency,
            value,
            proposedBy,
          ],
        )
        return { limits: body.result[field], proposed }
      }
      const by = (of: typeof ama) => showId(userIds, of.userId)
      assert.deepEqual(await change(ama, limit(500)), { limits: limit(500), proposed: [] })
      assert.deepEqual(await change(ama, limit(100)), { limits: limit(100), proposed: [] })
      const raised = { limits: limit(100), proposed: [[kind, 'SLE', 900, by(ama)]] }
      for (let i = 0; i < 2; i++) assert.deepEqual(await change(ama, limit(900)), raised)
      const byKofi = { limits: limit(100), proposed: [[kind, 'SLE', 800, by(kofi)]] }
      assert.deepEqual(await change(kofi, limit(800)), byKofi)
      assert.deepEqual(await change(kofi, limit(100)), byKofi, 'saving unchanged values withdraws nothing')
      assert.deepEqual(await change(ama, limit(800)), { limits: limit(800), proposed: [] })

      assert.deepEqual(await change(ama, []), {
        limits: limit(800),
        proposed: [[kind, 'SLE', null, by(ama)]],
      })
      assert.deepEqual(await change(kofi, []), { limits: [], proposed: [] })
      const entries = await t.app.parts.db.query<{ actor: string }>(sql`
        select actor from audit_entries
        where space_id = ${ama.scope.spaceId} and environment = 'test' and action = 'space.set' order by id`)
      assert.equal(entries.length, 9)
    })

    test(`drop a proposed limit of a ${kind} after seven days`, async () => {
      const ama = await t.merchant()
      const kofi = await t.merchant({ sameSpaceAs: ama })
      const change = (of: typeof ama, value: number) =>
        of.call('PATCH', '/v1/settings', { [field]: limit(value) })
      await change(ama, 100)
      await change(ama, 900)
      await t.advance(ama.scope, 7 * 24 * 3_600_000)
      const { body } = await change(kofi, 900)
      assert.deepEqual(body.result[field], limit(100))
      assert.equal(body.result.proposedApprovalsAbove[0].proposedBy, showId(userIds, kofi.userId))
    })
  }

  test('raise a limit if two members request it concurrently, but never if one member requests it twice', async () => {
    const ama = await t.merchant()
    const kofi = await t.merchant({ sameSpaceAs: ama })
    const wanted = { payoutApprovalAbove: [{ currency: 'SLE', value: 900 }] }
    const limitNow = async () =>
      (await ama.call('GET', '/v1/settings')).body.result.payoutApprovalAbove[0].value
    await ama.call('PATCH', '/v1/settings', { payoutApprovalAbove: [{ currency: 'SLE', value: 100 }] })
    await Promise.all([1, 2, 3].map(() => ama.call('PATCH', '/v1/settings', wanted)))
    assert.equal(await limitNow(), 100)
    await Promise.all([ama, kofi].map((one) => one.call('PATCH', '/v1/settings', wanted)))
    assert.equal(await limitNow(), 900)
  })

  test('refuse a name that resembles a provider’s', async () => {
    const merchant = await t.merchant()
    const nameIt = async (name: string) =>
      (await merchant.call('PATCH', '/v1/settings', { brand: { name } })).body
    const taken = [
      ...[
        'Orange Money',
        'ORANGE MONEY',
        'orange-money',
        'OrangeMoney',
        'O r a n g e  M o n e y',
        'Orange Mоney',
      ],
      ...[
        'Öränge Mönéy',
        '0range M0ney',
        'Ora\u200dnge Money',
        'Ｏｒａｎｇｅ Ｍｏｎｅｙ',
        'Orange Money Support',
        'My OrangeMoney Shop',
      ],
      ...['Οrange Μoney', 'M-Pesa', 'MPESA', 'M Pesa Agent', 'MTN M0M0', 'Afrirnoney', 'Wave', 'wavе'],
    ]
    for (const name of taken) {
      const { error } = await nameIt(name)
      assert.equal(error?.details[0]?.param, 'brand.name', `${name} ${JSON.stringify(error)}`)
    }
    for (const name of [
      'Orange Grove Shop',
      'Money Orange',
      'Wave Surf Shop',
      'Pesa Point',
      'Cardboard',
      'Oranges & Moneyboxes',
    ])
      assert.equal((await nameIt(name)).success, true, name)
  })

  test('write an audit entry with the values before and after', async () => {
    const merchant = await t.merchant()
    await merchant.call('PATCH', '/v1/settings', { returnsPaymentFee: true, reason: 'As we promise' })
    const [entry] = await t.app.parts.db.query<{ action: string; reason: string; details: object }>(sql`
      select action, reason, details from audit_entries
      where space_id = ${merchant.scope.spaceId} and environment = 'test'`)
    assert.deepEqual(entry, {
      action: 'space.set',
      reason: 'As we promise',
      details: { before: { returnsPaymentFee: false }, after: { returnsPaymentFee: true } },
    })
  })

  test('can be read by every role, and changed by owners and admins', async () => {
    const owner = await t.merchant()
    for (const role of ['owner', 'admin', 'developer', 'finance', 'support', 'viewer']) {
      const member = await t.merchant({ sameSpaceAs: owner, role })
      assert.equal((await member.call('GET', '/v1/settings')).status, 200, role)
      const { status } = await member.call('PATCH', '/v1/settings', { returnsPaymentFee: true })
      assert.equal(status, ['owner', 'admin'].includes(role) ? 200 : 403, role)
    }
  })

  test('keep both of two concurrent changes to different fields', async () => {
    const merchant = await t.merchant()
    const changes = [{ name: 'One' }, { color: '#123456' }, { supportEmail: 'a@b.example' }]
    await Promise.all(changes.map((change) => merchant.call('PATCH', '/v1/settings', { brand: change })))
    const { brand } = (await merchant.call('GET', '/v1/settings')).body.result
    assert.deepEqual([brand.name, brand.color, brand.supportEmail], ['One', '#123456', 'a@b.example'])
  })
})

describe('a logo', () => {
  const setLogo = async (merchant: Awaited<ReturnType<typeof t.merchant>>, logo: string | null) =>
    merchant.call('PATCH', '/v1/settings', { brand: { logo } })

  test('is public and cached permanently; a new logo gets a new URL, and the old one is removed', async () => {
    const merchant = await t.merchant()
    const first = (await setLogo(merchant, png(64, 64))).body.result.logoUrl
    const served = await fetch(first)
    assert.deepEqual(
      [served.status, served.headers.get('content-type'), served.headers.get('cache-control')],
      [200, 'image/png', 'public, max-age=31536000, immutable'],
    )
    const bytes = Buffer.from(await served.arrayBuffer())
    assert.equal(`data:image/png;base64,${bytes.toString('base64')}`, png(64, 64))
    const second = (await setLogo(merchant, png(32, 32))).body.result.logoUrl
    assert.notEqual(first, second)
    assert.deepEqual([(await fetch(first)).status, (await fetch(second)).status], [404, 200])
    assert.equal((await setLogo(merchant, null)).body.result.logoUrl, null)
    assert.equal((await fetch(second)).status, 404)
  })

  test('must be a small PNG', async () => {
    const merchant = await t.merchant()
    const gif = `data:image/png;base64,${Buffer.from('GIF89a'.padEnd(60, 'x')).toString('base64')}`
    const large = `${png(64, 64)}${'A'.repeat(90_000)}`
    for (const logo of [
      png(1025, 1),
      png(1, 30_000),
      png(0, 1),
      gif,
      large,
      'data:image/svg+xml;base64,AAAA',
    ])
      assert.equal(reasonOf(await setLogo(merchant, logo)), '400 arguments_invalid', logo.slice(0, 60))
  })

  test('404 for an unknown URL', async () => {
    const merchant = await t.merchant()
    const { pathname } = new URL((await setLogo(merchant, png(9, 9))).body.result.logoUrl)
    const other = await t.merchant()
    for (const path of [
      pathname.replace('/test/', '/live/'),
      pathname.replace(merchant.spaceId, other.spaceId),
      pathname.replace('.png', ''),
      `/logos/x/test/${'y'.repeat(900)}`,
      '/logos/%00/%ff/%2e%2e',
    ])
      assert.ok([400, 404].includes((await fetch(t.baseUrl + path)).status), path)
  })
})

describe('payers see', () => {
  let shop: Awaited<ReturnType<typeof openShop>>
  const open = async () => {
    const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 5_000 } }]
    const { body } = await shop.merchant.call('POST', '/v1/checkout-sessions', {
      name: 'Order 42',
      lineItems,
    })
    const payer = createPayer(body.result.redirectUrl)
    const pay = async () => {
      await payer.pay('m17', '076123456')
      await until(async () => (await payer.status()) === 'done' || rail.advance(300))
    }
    return { session: body.result, pay }
  }
  before(async () => {
    shop = await openShop(t, rail)
    await shop.merchant.call('PATCH', '/v1/settings', { brand: { ...brand, logo: png(64, 64) } })
  })

  test('the branding on the page of a session and on its receipt', async () => {
    const { session, pay } = await open()
    const { text } = await createPayer(session.redirectUrl).look()
    for (const part of [
      'Country Cloth',
      '--brand:#00aa77',
      '/logos/spc-',
      'mailto:help%40shop.example',
      'tel:%2B23276123456',
      'https://shop.example/terms',
    ])
      assert.ok(text.includes(part), part)
    await pay()
    const receipt = await (await fetch(`${session.redirectUrl}/receipt`)).text()
    assert.match(receipt, /Country Cloth/)
    assert.match(receipt, /help@shop\.example · \+23276123456/)
  })

  test('the branding in the receipt mail, in their language, with a link to its page', async () => {
    const paid = await shop.pay(5_000)
    const url = `/v1/receipts/${paid.orderNumber}/send`
    const support = await t.merchant({ sameSpaceAs: shop.merchant, role: 'support' })
    const answer = await support.call('POST', url, { email: 'ama@mail.example', language: 'fr' })
    assert.deepEqual(answer.body.result, { isQueued: true })
    const mail = await until(async () => mailbox.received.find(({ to }) => to.includes('ama@mail.example')))
    const text = mail.data.replaceAll('=\n', '').replaceAll('=C3=A9', 'é')
    for (const part of ['Country Cloth', `Numéro de commande: ${paid.orderNumber}`, '/receipt'])
      assert.ok(text.includes(part), `${part}: ${text}`)
    const other = await t.merchant()
    assert.equal(reasonOf(await other.call('POST', url, { email: 'a@b.example' })), '404 not_found')
    for (const email of ['', 'no address', 'a@b.example, c@d.example', 'a@b.example\nBcc: x@y.example'])
      assert.equal(reasonOf(await support.call('POST', url, { email })), '400 arguments_invalid', email)
  })
})

describe('support', () => {
  test('sees incoming payments with phone numbers masked, and nothing outgoing', async () => {
    const { merchant, pay } = await openShop(t, rail)
    await pay(1_000)
    const support = await t.merchant({ sameSpaceAs: merchant, role: 'support' })
    const { body } = await support.call('GET', '/v1/payments')
    assert.equal(body.result[0].channel.phoneNumber, '+23276****56')
    assert.doesNotMatch(JSON.stringify(body), /76123456/)
    for (const path of ['payouts', 'events', 'internal-transfers', 'financial-accounts'])
      assert.equal((await support.call('GET', `/v1/${path}`)).status, 403, path)
  })

  test('proposes a refund of any amount, which another member approves', async () => {
    const { merchant, pay, refund, act, ended } = await openShop(t, rail)
    await pay(2_000)
    const paid = await pay(1_000)
    const support = await t.merchant({ sameSpaceAs: merchant, role: 'support' })
    const { result } = (await refund(paid.id, 1, {}, support)).body
    assert.deepEqual([result.status, result.pendingReason], ['pending', 'approval'])
    for (const verb of ['approve', 'reject', 'cancel'])
      assert.equal((await act(result.id, verb, support)).status, 403, verb)
    assert.equal((await act(result.id, 'approve')).status, 200)
    assert.equal((await ended(result.id)).status, 'completed')
    await t.verify()
  })

  test('proposes with a token that has only that scope; a token with write permission needs no approval', async () => {
    const { merchant, pay, refund } = await openShop(t, rail)
    await pay(2_000)
    const paid = await pay(1_000)
    const proposing = await t.merchant({ sameUserAs: merchant, scopes: ['refunds:propose'] })
    const writing = await t.merchant({ sameUserAs: merchant, scopes: ['refunds:write'] })
    assert.equal((await refund(paid.id, 1, {}, proposing)).body.result.pendingReason, 'approval')
    assert.equal((await refund(paid.id, 1, {}, writing)).body.result.pendingReason, null)
  })
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { setLimit } from '../../../../packages/server/src/money/approvals/limits.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { listen } from '../../../support/receiver.ts'
import { openShop, type Shown } from '../../money/refunds/shop.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())

async function shop() {
  const opened = await openShop(t, rail)
  const file = async (path: string, as = opened.merchant) =>
    (await as.call('GET', `/v1/${path}/case-file`)).body.result
  return { ...opened, file }
}

const eventsOf = ({ entries }: Shown): string[] =>
  entries.flatMap(({ eventType }: { eventType?: string }) => eventType ?? [])
const kindsOf = ({ entries }: Shown) => [...new Set(entries.map(({ kind }: Shown) => kind))].sort()

describe('a case file', () => {
  test('of a payment shows its events, bookings and refunds, oldest first', async () => {
    const { pay, refund, ended, file } = await shop()
    await pay(3_000)
    const paid = await pay(2_000)
    const back = await ended((await refund(paid.id, 500)).body.result.id)
    const shown = await until(async () => {
      const read = await file(`payments/${paid.id}`)
      return eventsOf(read).includes('payment.completed') && read
    })
    assert.deepEqual(kindsOf(shown), ['event', 'line', 'refund', 'refunded', 'sent'])
    const times = shown.entries.map(({ time }: Shown) => time)
    assert.deepEqual(times, times.toSorted())
    const lines = shown.entries.filter(({ kind }: Shown) => kind === 'line')
    // At equal times, the payment comes before its fee.
    assert.deepEqual(
      lines.map(({ amount }: Shown) => amount.value),
      [2_000, -20],
    )
    const [asked, done] = shown.entries.filter(({ refundId }: Shown) => refundId)
    assert.deepEqual([asked.kind, asked.time, asked.userId], ['refund', back.createTime, back.createUserId])
    assert.deepEqual([done.kind, done.amount, done.status], ['refunded', back.amount, 'completed'])
    assert.deepEqual(shown.next, { step: 'nothing', time: null })
    assert.deepEqual([shown.status, shown.rail.state, shown.isWhole], ['completed', 'succeeded', true])
    assert.ok(shown.rail.reference)
  })

  test('of a payment in progress shows when the rail is queried next', async () => {
    const { attempt, file } = await shop()
    const { find } = await attempt(1_000)
    const payment = await until(async () => {
      const found = await find()
      return found?.status === 'processing' && found
    })
    const shown = await until(async () => {
      const read = await file(`payments/${payment.id}`)
      return read.next.time && read
    })
    assert.equal(shown.next.step, 'ask_rail')
    assert.ok(Date.parse(shown.next.time) > Date.parse(payment.createTime))
  })

  test('of a failed payment shows that it failed and that nothing is pending', async () => {
    const { pay, file } = await shop()
    const failed = await pay(1_000, 'm17', '076000001')
    const shown = await until(async () => {
      const read = await file(`payments/${failed.id}`)
      return eventsOf(read).includes('payment.failed') && read
    })
    assert.deepEqual([shown.next.step, shown.rail.state], ['nothing', 'failed'])
    assert.equal(kindsOf(shown).includes('line'), false)
  })

  test('of a refund shows who must approve it and who has, before what followed', async () => {
    const { merchant, pay, refund, act, ended, join, file } = await shop()
    await t.app.parts.db.transaction((tx) => setLimit(tx, merchant.scope, 'refund', 'SLE', 0n))
    await pay(3_000)
    const { id } = (await refund((await pay(2_000)).id, 500)).body.result
    assert.deepEqual((await file(`refunds/${id}`)).next, { step: 'approve', time: null })
    const other = await join()
    await act(id, 'approve', other)
    await ended(id)
    const shown = await file(`refunds/${id}`)
    const at = shown.entries.findIndex(({ kind }: Shown) => kind === 'approved')
    assert.match(shown.entries[at].userId, /^usr-/)
    // The decision and what follows from it have the same time.
    assert.equal(shown.entries[at + 1].time, shown.entries[at].time)
    assert.match(shown.entries[at + 1].eventType, /\.processing$/)
    assert.equal(shown.next.step, 'nothing')
  })

  test('exists for payouts, too, but not for another Space’s objects or other types', async () => {
    const { merchant, pay, file } = await shop()
    await pay(3_000)
    const destination = { type: 'momo', providerId: 'm17', phoneNumber: '076123456' }
    const body = { amount: { currency: 'SLE', value: 500 }, destination }
    const { id } = (await merchant.call('POST', '/v1/payouts', body)).body.result
    const shown = await file(`payouts/${id}`)
    assert.ok(['pending', 'processing', 'completed'].includes(shown.status))
    assert.doesNotMatch(JSON.stringify(shown), /76123456/)
    const stranger = await t.merchant()
    const live = await t.merchant({ sameUserAs: merchant, environment: 'live' })
    for (const who of [stranger, live])
      assert.equal((await who.call('GET', `/v1/payouts/${id}/case-file`)).status, 404)
    for (const path of [`payments/${id}`, 'payments/pay-none', 'refunds/rfd-01kaj3v5w8e4r9tbn2m6c7d0xz'])
      assert.equal((await merchant.call('GET', `/v1/${path}/case-file`)).status, 404, path)
  })

  test('shows the deliveries of its events to each webhook, with permission to read webhooks', async () => {
    const { merchant, pay, file } = await shop()
    const well = await listen()
    const ill = await listen((socket) => socket.end('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n'))
    try {
      for (const [name, { port }] of Object.entries({ Orders: well, Stock: ill }))
        await merchant.call('POST', '/v1/webhooks', {
          ...{ name, url: `http://127.0.0.1:${port}/`, events: ['payment.completed'] },
        })
      const paid = await pay(2_000)
      await pay(1_000)
      const path = `payments/${paid.id}`
      const deliveriesIn = ({ entries }: Shown) => entries.filter(({ kind }: Shown) => kind === 'delivery')
      const both = await until(async () => {
        const found = deliveriesIn(await file(path))
        return found.length === 2 && found.every(({ tries }: Shown) => tries > 0) && found
      })
      const inShort = both
        .map((one: Shown) => [one.webhookName, one.status, one.statusCode, one.eventType])
        .sort()
      assert.deepEqual(inShort, [
        ['Orders', 'delivered', 200, 'payment.completed'],
        ['Stock', 'pending', 500, 'payment.completed'],
      ])
      for (const { deliveryId, status } of both)
        assert.equal((await merchant.call('GET', `/v1/deliveries/${deliveryId}`)).body.result.status, status)
      const finance = await t.merchant({ sameSpaceAs: merchant, role: 'finance' })
      assert.deepEqual(deliveriesIn(await file(path, finance)), [])
    } finally {
      await Promise.all([well.close(), ill.close()])
    }
  })

  test('shows a role nothing that its other pages hide', async () => {
    const { merchant, pay, file } = await shop()
    const paid = await pay(2_000)
    await until(async () => eventsOf(await file(`payments/${paid.id}`)).length > 0)
    const kinds = async (role: string) =>
      kindsOf(await file(`payments/${paid.id}`, await t.merchant({ sameSpaceAs: merchant, role })))
    assert.deepEqual(await kinds('support'), ['sent'])
    assert.deepEqual(await kinds('finance'), ['line', 'sent'])
    assert.deepEqual(await kinds('viewer'), ['event', 'line', 'sent'])
    const none = await t.merchant({ sameUserAs: merchant, scopes: ['refunds:read'] })
    assert.equal((await none.call('GET', `/v1/payments/${paid.id}/case-file`)).status, 403)
  })
})

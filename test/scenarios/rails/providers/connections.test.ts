import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { signReport } from '../../../../packages/rails/rest/report.ts'
import { readFloat } from '../../../../packages/server/src/finance/settlements/float.ts'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { refundIds } from '../../../../packages/server/src/money/refunds/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { callbackUrl } from '../../../../packages/server/src/rails/instructions/callback-url.ts'
import type { PauseScope } from '../../../../packages/server/src/rails/routing/pause-scope.ts'
import { openPauses, pause, resume } from '../../../../packages/server/src/rails/routing/pauses.ts'
import { selectPauses } from '../../../../packages/server/src/rails/routing/store.ts'
import { openBank } from '../../../support/bank.ts'
import { startTestApp, type TestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

// Two of our accounts with one rail lead to the same wallet in live. In the operator's file, `old` comes first,
// then `new`.
const bank = await openBank()
const folder = mkdtempSync(path.join(tmpdir(), 'connections-'))
const providersFile = path.join(folder, 'providers.json')
const reach = (account: string, more: object = {}) =>
  bank.connectionTo(account, {
    providers: ['dw001'],
    callbackKey: `${account}-with-a-key-that-signs-its-reports`,
    ...more,
  })
writeFileSync(providersFile, JSON.stringify({ connections: { old: reach('old'), new: reach('new') } }))
const t = await startTestApp({ settings: { PROVIDERS_FILE: providersFile } })
after(async () => {
  await t.close()
  bank.close()
  rmSync(folder, { recursive: true })
})
const { db, home } = t.app.parts
const merchant = await t.merchant({ environment: 'live' })
const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 30_000 } }]

/** Creates a payment and waits until it has been sent. */
async function pay(at: TestApp = t) {
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })).body
    .result
  const payer = createPayer(session.redirectUrl.replace(t.baseUrl, at.baseUrl))
  await payer.pay('dw001', { walletId: 'fatu@safulpay' })
  const shown = async () =>
    (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result[0]
  const { id } = await until(shown)
  const instruction = async () =>
    (await db.one<{ state: string; reference: string; connection: string | null }>(sql`
      select state, reference, connection from instructions -- every space: of whichever a test asks
      where id = ${readId(paymentIds, id)}`))!
  await until(async () => !['created', 'submitting'].includes((await instruction()).state))
  return { id, shown, payer, ...(await instruction()) }
}

/** Sends an unauthenticated report, which makes the service query immediately. */
const prompt = (ownerType: 'payment' | 'refund', id: string) =>
  fetch(callbackUrl(t.app.parts, { ownerType, scope: merchant.scope, id }), { method: 'POST' })

const completed = async ({ id, shown }: Awaited<ReturnType<typeof pay>>) =>
  until(async () => {
    await prompt('payment', readId(paymentIds, id)!)
    return (await shown()).status === 'completed'
  })

async function refund(paymentId: string): Promise<void> {
  const amount = { currency: 'SLE', value: 1_000 }
  const newRefund = { paymentId, amount, reason: 'requested_by_customer' }
  const { status, body } = await merchant.call('POST', '/v1/refunds', newRefund)
  assert.equal(status, 200, JSON.stringify(body))
  const { id } = body.result
  await until(async () => {
    await prompt('refund', readId(refundIds, id)!)
    return (await merchant.call('GET', `/v1/refunds/${id}`)).body.result.status === 'completed'
  })
}

test('new payments use the first connection and are refunded through it', async () => {
  const paid = await pay()
  assert.equal(paid.connection, 'old')
  await completed(paid)
  await refund(paid.id)
  assert.deepEqual([bank.orders('old', 'collections').size, bank.orders('old', 'refunds').size], [1, 1])
  assert.deepEqual([bank.orders('new', 'collections').size, bank.orders('new', 'refunds').size], [0, 0])
})

test('only the connection that sent a payment can report on it', async () => {
  bank.behaviour.set('old', 'pending')
  const paid = await pay()
  const done = {
    reference: paid.reference,
    status: 'done',
    amount: 30_000,
    currency: 'SLE',
    transactionId: 'T',
  }
  const report = async (connection: string) => {
    const body = JSON.stringify(done)
    const signed = signReport(`${connection}-with-a-key-that-signs-its-reports`, body)
    const url = `${t.baseUrl}/callbacks/connections/live/${connection}`
    const headers = { 'content-type': 'application/json', ...signed }
    assert.equal((await fetch(url, { method: 'POST', body, headers })).status, 200)
    await t.app.settled()
    return (await paid.shown()).status
  }
  assert.equal(await report('new'), 'processing')
  assert.equal(await report('old'), 'completed')
  bank.behaviour.delete('old')
})

test('while the first connection gives no clear responses, the next takes new payments, but none that were already sent', async () => {
  bank.behaviour.set('old', 'lost')
  const lost = []
  for (let i = 0; i < 5; i++) lost.push(await pay())
  assert.deepEqual(new Set(lost.map(({ connection }) => connection)), new Set(['old']))
  const after = await pay()
  assert.equal(after.connection, 'new')
  bank.behaviour.delete('old')
  for (const each of [...lost, after]) await completed(each)
  for (const { reference } of lost) {
    assert(bank.orders('old', 'collections').has(reference))
    assert(!bank.orders('new', 'collections').has(reference), 'its money could have moved twice')
    assert(!bank.queried('new').includes(reference), 'the other connection was not queried')
  }
  await t.verify()
})

test('reordering or closing connections does not affect payments already sent', async () => {
  bank.behaviour.set('old', 'pending')
  // The breaker of `old` is open in this node; another node has not noticed.
  const first = await startTestApp({ anotherNodeOf: t, settings: { PROVIDERS_FILE: providersFile } })
  const paid = await pay(first)
  await first.close()
  assert.equal(paid.connection, 'old')
  const otherFile = path.join(folder, 'other.json')
  const connections = { new: reach('new'), old: reach('old', { status: 'closed' }) }
  writeFileSync(otherFile, JSON.stringify({ connections }))
  const second = await startTestApp({ anotherNodeOf: t, settings: { PROVIDERS_FILE: otherFile } })
  assert.equal((await pay(second)).connection, 'new')
  bank.behaviour.delete('old')
  await completed(paid)
  assert(!bank.queried('new').includes(paid.reference))
  await refund(paid.id)
  assert(
    [...bank.orders('old', 'refunds').values()].some(
      ({ originalReference }) => originalReference === paid.reference,
    ),
  )
  await second.close()
  await t.verify()
})

test('replacing a credential under load does not make anything fail or be sent twice', async () => {
  const keyFile = path.join(folder, 'key')
  const file = path.join(folder, 'rotated.json')
  writeFileSync(keyFile, 'key-1\n')
  const { key: _, ...keyless } = reach('rotated')
  writeFileSync(file, JSON.stringify({ connections: { rotated: { ...keyless, keyFile } } }))
  bank.keys.set('rotated', ['key-1'])
  const node = await startTestApp({ anotherNodeOf: t, settings: { PROVIDERS_FILE: file } })
  let isOver = false
  const paid: Awaited<ReturnType<typeof pay>>[] = []
  const traffic = (async () => {
    while (!isOver) paid.push(await pay(node))
  })()

  writeFileSync(keyFile, 'key-2\nkey-1\n')
  await until(() => bank.keysUsed.includes('key-2'))
  bank.keys.set('rotated', ['key-1', 'key-2'])
  const seen = bank.keysUsed.length
  await until(() => bank.keysUsed.slice(seen).includes('key-2'))
  bank.keys.set('rotated', ['key-2'])
  writeFileSync(keyFile, 'key-2\n')
  const before = paid.length
  await until(() => paid.length > before + 3)
  isOver = true
  await traffic
  for (const { state, connection } of paid) assert.deepEqual([state, connection], ['submitted', 'rotated'])
  assert.equal(bank.orders('rotated', 'collections').size, paid.length)
  await node.close()
})

test('the float compares the books with the rail for each connection', async () => {
  const collected = async () => (await readFloat(db, t.app.parts))[0]!.books[0]!
  const { name, currency, amount } = await collected()
  assert.deepEqual([name, currency], ['dw001 collection', 'SLE'])
  await completed(await pay())
  assert.equal((await collected()).amount, amount + 30_000n)
  assert.equal((await readFloat(db, t.app.parts))[0]!.rail, undefined, 'this rail reports no balance')
})

test('if too few payments succeed, collecting is paused for a while and the operator is alerted', async () => {
  const file = path.join(folder, 'watched.json')
  const automaticPause = { belowPercent: 50, atLeast: 5, forMinutes: 30 }
  const connections = { watched: reach('watched', { automaticPause }), new: reach('new') }
  writeFileSync(file, JSON.stringify({ connections }))
  const node = await startTestApp({
    anotherNodeOf: t,
    settings: { PROVIDERS_FILE: file, LOG_LEVEL: 'fatal' },
  })
  bank.behaviour.set('watched', 'failed')
  for (let i = 0; i < 5; i++) {
    const { id, shown, connection } = await pay(node)
    assert.equal(connection, 'watched')
    const key = { ownerType: 'payment', scope: merchant.scope, id: readId(paymentIds, id)! } as const
    await until(async () => {
      await fetch(callbackUrl(node.app.parts, key), { method: 'POST' })
      return (await shown()).status === 'failed'
    })
  }
  await until(async () => (await pay(node)).connection === 'new')
  const [made] = await selectPauses(db)
  const { connection, providerId, direction, pausedBy, pausedAt, endsAt } = made!
  assert.deepEqual([connection, providerId, direction], ['watched', 'dw001', 'collect'])
  assert.match(pausedBy, /the service/)
  assert.equal(Math.round((endsAt!.getTime() - pausedAt.getTime()) / 60_000), 30)
  assert.match(
    await node.app.parts.metrics.registry.metrics(),
    /pesewa_automatic_pauses_total\{connection="watched",provider="dw001"\} 1/,
  )
  await home.transaction((tx) =>
    resume(tx, [{ ...place('watched', 'collect'), providerId: 'dw001' }], 'Aminata'),
  )
  await node.close()
})

const place = (connection: string, direction: PauseScope['direction']): PauseScope => ({
  environment: 'live',
  connection,
  providerId: null,
  direction,
})
const words = 'Closed for maintenance until noon. <b>'
const pausing = (at: PauseScope) => home.transaction((tx) => pause(tx, at, { words, by: 'Aminata' }))
const resuming = (at: PauseScope) => home.transaction((tx) => resume(tx, [at], 'Aminata'))

test('while collecting is paused, the next connection takes over; if there is none, payers read why', async () => {
  const third = path.join(folder, 'third.json')
  writeFileSync(third, JSON.stringify({ connections: { old: reach('old'), new: reach('new') } }))
  const node = await startTestApp({ anotherNodeOf: t, settings: { PROVIDERS_FILE: third } })
  await pausing(place('old', 'collect'))
  await until(async () => (await pay(node)).connection === 'new')
  await assert.rejects(pausing(place('old', 'collect')), /already paused/)
  await pausing(place('new', 'collect'))

  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })).body
    .result
  const payer = createPayer(session.redirectUrl.replace(t.baseUrl, node.baseUrl))
  const text = await until(async () => {
    const page = (await payer.look()).text
    return page.includes('until noon') && page
  })
  assert.match(text, /Closed for maintenance until noon. &lt;b&gt;/)
  assert.match(text, /value="dw001"[^>]* disabled/)
  assert.equal((await payer.pay('dw001', { walletId: 'fatu@safulpay' })).status, 422)

  await resuming(place('old', 'collect'))
  await until(async () => !(await payer.look()).text.includes('until noon'))
  assert.equal((await pay(node)).connection, 'old')
  await resuming(place('new', 'collect'))
  await assert.rejects(resuming(place('new', 'collect')), /not paused/)
  await node.close()
})

test('while payouts are paused, payments continue and a payout waits until they are resumed', async () => {
  for (const connection of ['old', 'new']) await pausing(place(connection, 'pay_out'))
  const isPaused = () =>
    t.app.parts.pauses.find({ ...place('new', 'pay_out'), kind: 'disburse', providerId: 'dw001' })
  await until(isPaused)
  const destination = { type: 'wallet', providerId: 'dw001', walletId: 'fatu@safulpay' }
  const newPayout = { amount: { currency: 'SLE', value: 500 }, destination }
  const { id } = (await merchant.call('POST', '/v1/payouts', newPayout)).body.result
  const status = async () => (await merchant.call('GET', `/v1/payouts/${id}`)).body.result.status
  await completed(await pay())
  assert.equal(await status(), 'pending')
  for (const connection of ['old', 'new']) await resuming(place(connection, 'pay_out'))
  await until(async () => (await status()) === 'completed')
  assert.equal(bank.orders('old', 'transfers').size, 1)
  await t.verify()
})

test('a temporary pause ends on time, even before pauses are read again', async () => {
  const at = place('old', 'pay_out')
  const pauses = await openPauses({ db, log: t.app.parts.log })
  const ofLane = () => pauses.find({ ...at, kind: 'disburse', providerId: 'dw001' })
  const since = performance.now()
  await home.transaction((tx) => pause(tx, at, { words, by: 'Aminata', lastingMs: 1_500 }))
  await until(ofLane)
  await until(() => !ofLane())
  const lastedMs = performance.now() - since
  assert.ok(lastedMs > 1_000 && lastedMs < 7_500, `it lasted ${lastedMs} ms`)
  await pauses.stop()
})

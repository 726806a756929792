import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, afterEach, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { sharedSecret, startTestApp, type TestApp, until } from '../../../test/support/harness.ts'
import { createPayer } from '../../../test/support/payer.ts'
import { passOn, startTransferProxy } from '../../../test/support/transfer-proxy.ts'
import { paymentIds } from '../../server/src/money/payments/resources.ts'
import { payoutIds } from '../../server/src/money/payouts/resources.ts'
import { refundIds } from '../../server/src/money/refunds/resources.ts'
import { sql } from '../../server/src/platform/db/sql.ts'
import { readId } from '../../server/src/platform/ids.ts'
import { createSeals } from '../../server/src/platform/seals.ts'
import { callbackUrl } from '../../server/src/rails/instructions/callback-url.ts'
import type { OwnerType } from '../../server/src/rails/instructions/owner-types.ts'
import { simulatorCredentials, simulatorTargetEnvironment } from './test-credentials.ts'

// MTN migrates to a new platform: one live provider is reached through two simulated rails that share no
// requests, tokens or callbacks. `m17` plays the old platform and `m18` the new one.
const [oldPlatform, newPlatform] = ['m17', 'm18'] as const
const clock = createManualClock()
const rail = await startTransferProxy()
const folder = mkdtempSync(path.join(tmpdir(), 'mtn-platforms-'))
const seals = createSeals(sharedSecret)

const reach = (platform: string, more: object = {}) => ({
  protocol: 'mtn-momo',
  providers: ['m17'],
  baseUrl: `${rail.url}/mtn-momo/${platform}`,
  targetEnvironment: simulatorTargetEnvironment,
  collection: simulatorCredentials(seals, 'collection'),
  disbursement: simulatorCredentials(seals, 'disbursement'),
  timeoutMs: 2_000,
  ...more,
})

let files = 0
function settingsOf(connections: object) {
  const file = path.join(folder, `providers-${files++}.json`)
  writeFileSync(file, JSON.stringify({ connections }))
  return { PROVIDERS_FILE: file }
}

const t = await startTestApp({
  app: { simulatorClock: clock },
  settings: settingsOf({ mtn: reach(oldPlatform), 'mtn-new': reach(newPlatform, { share: 5 }) }),
})
rail.simulatorUrl = `${t.baseUrl}/simulator`
after(async () => {
  await t.close()
  rail.close()
  rmSync(folder, { recursive: true })
})
const { db } = t.app.parts
const merchant = await t.merchant({ environment: 'live' })

/** The platforms that received a submit, one entry per request, by our reference. */
const sent = new Map<string, string[]>()
/** The platforms that were queried, by our reference. */
const queried = new Map<string, Set<string>>()
const passOnNoted: typeof rail.onTransfer = (transfer) => {
  sent.set(transfer.reference, [...(sent.get(transfer.reference) ?? []), transfer.providerId])
  void passOn(transfer)
}
rail.onTransfer = passOnNoted
rail.onQuery = (reference, platform) =>
  queried.set(reference, new Set([...(queried.get(reference) ?? []), platform]))

/** The nodes that a test starts. They are closed after it, once their calls in flight have ended. */
const nodes: TestApp[] = []
const startNode = async (connections: object) => {
  const node = await startTestApp({
    anotherNodeOf: t,
    settings: { ...settingsOf(connections), SIMULATOR: 'off' },
  })
  nodes.push(node)
  rail.reports = false
  return node
}
afterEach(async () => {
  rail.reports = true
  for (const node of nodes.splice(0)) await node.close()
})

const idsOf = { payment: paymentIds, payout: payoutIds, refund: refundIds }
const pathOf = { payment: '/v1/payments', payout: '/v1/payouts', refund: '/v1/refunds' }

/** Waits until an object's instruction has been sent. `prompt` makes a chosen node query it. */
async function sentOff(ownerType: OwnerType, id: string) {
  const uuid = readId(idsOf[ownerType], id)!
  const instruction = async () =>
    (await db.one<{ state: string; reference: string; connection: string | null }>(sql`
      select state, reference, connection from instructions -- every space: of what a test made
      where id = ${uuid}`))!
  await until(async () => !['created', 'submitting'].includes((await instruction()).state))
  const { reference, connection } = await instruction()
  const shown = async () => (await merchant.call('GET', `${pathOf[ownerType]}/${id}`)).body.result
  return {
    id,
    uuid,
    reference,
    connection,
    shown,
    status: async () => (await shown()).status,
    state: async () => (await instruction()).state,
    /** Sends an unauthenticated report, which makes a node query immediately. */
    async prompt(node: TestApp) {
      const address = callbackUrl(node.app.parts, { ownerType, scope: merchant.scope, id: uuid })
      assert.equal((await fetch(address, { method: 'PUT' })).status, 200)
      await node.app.settled()
    },
  }
}
type SentOff = Awaited<ReturnType<typeof sentOff>>

async function pay(digits = '456', at: TestApp = t): Promise<SentOff> {
  const lineItems = [{ name: 'Country cloth', price: { currency: 'SLE', value: 30_000 } }]
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })).body
    .result
  const payer = createPayer(session.redirectUrl.replace(t.baseUrl, at.baseUrl))
  assert.equal((await payer.pay('m17', `+23276123${digits}`)).status, 303)
  const url = `/v1/payments?orderNumber=${session.orderNumber}`
  return sentOff('payment', await until(async () => (await merchant.call('GET', url)).body.result[0]?.id))
}

async function create(kind: 'payout' | 'refund', body: object, { call } = merchant): Promise<SentOff> {
  const { status, body: answer } = await call('POST', pathOf[kind], body)
  assert.equal(status, 200, JSON.stringify(answer))
  return sentOff(kind, answer.result.id)
}
const payOut = (digits = '456') =>
  create('payout', {
    amount: { currency: 'SLE', value: 1_000 },
    destination: { type: 'momo', providerId: 'm17', phoneNumber: `+23276123${digits}` },
  })
const refund = ({ id }: SentOff, payerMessage = 'Sorry', by = merchant) =>
  create(
    'refund',
    {
      paymentId: id,
      amount: { currency: 'SLE', value: 500 },
      reason: 'requested_by_customer',
      payerMessage,
    },
    by,
  )

const ended = (node: TestApp, each: SentOff, status = 'completed') =>
  until(async () => {
    await clock.advance(300)
    await each.prompt(node)
    return (await each.status()) === status
  })

/**
 * Asserts that an instruction was sent once, to the platform of its connection, and that only this platform was
 * queried.
 */
function assertAtHome(each: SentOff) {
  const home = each.connection === 'mtn' ? oldPlatform : newPlatform
  assert.deepEqual(sent.get(each.reference), [home])
  assert.deepEqual(queried.get(each.reference) ?? new Set([home]), new Set([home]))
}

const isBy = (connection: string) => (each: SentOff) => each.connection === connection

/** Creates instructions until one uses this connection, and returns all of them. */
async function until5Percent(make: () => Promise<SentOff>, connection: string): Promise<SentOff[]> {
  const made: SentOff[] = []
  while (!made.some(isBy(connection))) made.push(await make())
  return made
}

/** Creates a payment, a payout and a refund that the old platform has accepted and will decide in 30 s. */
async function inFlightOnTheOld(): Promise<SentOff[]> {
  const made = async (make: () => Promise<SentOff>) => (await until5Percent(make, 'mtn')).find(isBy('mtn'))!
  const original = await made(() => pay())
  await ended(t, original)
  return [await made(() => pay('004')), await made(() => payOut('004')), await refund(original, '004')]
}

/** Dates an instruction so far back that "missing" is trusted. */
const age = (each: SentOff) =>
  db.transaction((tx) =>
    tx.run(sql`
      update instructions -- every space: of what a test made
      set submitting_since = now() - interval '1 hour', call_ended_since = now() - interval '1 hour'
      where id = ${each.uuid}`),
  )

test('with a share of 5 %, some payments use the new platform, and each is queried and refunded where it was made', async () => {
  const payments = [
    ...(await until5Percent(() => pay(), 'mtn-new')),
    ...(await until5Percent(() => pay(), 'mtn')),
  ]
  for (const each of payments) await ended(t, each)
  const payouts = await until5Percent(() => payOut(), 'mtn-new')
  const back = [await refund(payments.find(isBy('mtn'))!), await refund(payments.find(isBy('mtn-new'))!)]
  assert.deepEqual(
    back.map(({ connection }) => connection),
    ['mtn', 'mtn-new'],
  )
  for (const each of [...payouts, ...back]) await ended(t, each)
  for (const each of [...payments, ...payouts, ...back]) assertAtHome(each)
  await t.verify()
})

test('after the share moves to the new platform, instructions in flight finish on the old one', async () => {
  const inFlight = await inFlightOnTheOld()
  const lost = (await until5Percent(() => pay('007'), 'mtn')).find(isBy('mtn'))!
  const node = await startNode({
    mtn: reach(oldPlatform, { status: 'closed' }),
    'mtn-new': reach(newPlatform, { share: 100 }),
  })
  const unmute = rail.mute(oldPlatform)
  for (const each of [...inFlight, lost]) {
    await age(each)
    await each.prompt(node)
    assert.equal(await each.status(), 'processing', 'the old platform does not answer')
  }
  unmute()
  for (const each of inFlight) await each.prompt(node)
  await clock.advance(30_000)
  for (const each of [...inFlight, lost]) await ended(node, each)

  const fresh = await pay('456', node)
  assert.equal(fresh.connection, 'mtn-new')
  await ended(node, fresh)
  const [paidOnTheOld] = inFlight
  const back = [await refund(paidOnTheOld!), await refund(fresh)]
  for (const each of back) await ended(node, each)
  for (const each of [...inFlight, lost, fresh, ...back]) assertAtHome(each)
  await t.verify()
})

test('after the connection’s URL is edited, nothing that the old platform may still execute fails or is sent again', async () => {
  const inFlight = await inFlightOnTheOld()
  const edited = await startNode({ mtn: reach(newPlatform) })
  for (const each of inFlight) {
    await age(each)
    await each.prompt(edited)
    assert.ok(queried.get(each.reference)?.has(newPlatform), 'the new platform does not know it')
    assert.equal(await each.status(), 'processing')
  }
  // The new platform is trusted about its own instructions.
  const never = await pay('008', edited)
  await age(never)
  await ended(edited, never, 'failed')

  const removed = await startNode({ 'mtn-new': reach(newPlatform) })
  for (const each of inFlight) {
    await each.prompt(removed)
    assert.equal(await each.status(), 'processing')
  }
  await clock.advance(30_000)
  for (const each of inFlight) {
    await ended(t, each)
    assert.deepEqual(sent.get(each.reference), [oldPlatform])
  }
  await t.verify()
})

test('a refund on the new platform of a payment from the old one fails, and can be repeated on the old one', async () => {
  const paid = (await until5Percent(() => pay(), 'mtn')).find(isBy('mtn'))!
  await ended(t, paid)
  const edited = await startNode({ mtn: reach(newPlatform) })
  const refused = await refund(
    paid,
    'Sorry',
    await edited.merchant({ environment: 'live', sameUserAs: merchant }),
  )
  await ended(edited, refused, 'failed')
  assert.equal((await refused.shown()).failureDetail.code, 'rejected')
  assert.deepEqual(sent.get(refused.reference), [newPlatform])
  const removed = await startNode({ 'mtn-new': reach(newPlatform) })
  const { call } = await removed.merchant({ environment: 'live', sameUserAs: merchant })
  const { status, body } = await call('POST', '/v1/refunds', { paymentId: paid.id, reason: 'other' })
  assert.deepEqual([status, body.error.reason], [409, 'refund_unsupported'])
  const again = await refund(paid)
  await ended(t, again)
  assertAtHome(again)
  await t.verify()
})

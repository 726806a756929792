import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { payoutIds } from '../../../../packages/server/src/money/payouts/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { newId, readId } from '../../../../packages/server/src/platform/ids.ts'
import type { Instruction } from '../../../../packages/server/src/rails/instructions/store.ts'
import { type Merchant, startTestApp, type TestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { passOn, startTransferProxy } from '../../../support/transfer-proxy.ts'

/** The number of disbursements that a simulated rail accepts at once. */
const room = 16
const m17 = { type: 'momo', providerId: 'm17', phoneNumber: '076123456' }

describe('an instruction within the capacity of its rail', () => {
  const clock = createManualClock()
  const arrived: string[] = []
  let rail: Awaited<ReturnType<typeof startTransferProxy>>
  let t: TestApp
  let merchant: Merchant
  before(async () => {
    rail = await startTransferProxy()
    rail.onTransfer = (transfer) => {
      arrived.push(transfer.reference)
      void passOn(transfer)
    }
    t = await startTestApp({
      app: { simulatorClock: clock },
      settings: { SIMULATOR_URL: rail.url, RATE_LIMITS: 'on' },
    })
    rail.simulatorUrl = `${t.baseUrl}/simulator`
    merchant = await t.merchant()
    await fund(t.app.parts, merchant.scope, 100_000)
  })
  after(async () => {
    rail.close()
    await t.close()
  })

  const create = async () => {
    const body = { amount: { currency: 'SLE', value: 100 }, destination: m17 }
    return (await merchant.call('POST', '/v1/payouts', body)).body.result
  }
  const stateOf = async (shownId: string) =>
    (await t.app.parts.db.one<{ state: string }>(sql`
      select state from instructions where space_id = ${merchant.scope.spaceId} and environment = 'test'
        and id = ${readId(payoutIds, shownId)!}`))!.state

  test('is sent once it is committed, and its events show the previous state', async () => {
    const payout = await create()
    assert.equal(payout.status, 'pending')
    assert.notEqual(await stateOf(payout.id), 'created')
    assert.equal((await merchant.call('GET', `/v1/payouts/${payout.id}`)).body.result.status, 'processing')
    await until(async () => (await stateOf(payout.id)) === 'submitted')
    const payoutEvents = await until(async () => {
      const events: { type: string; data: { id: string; status: string } }[] = (
        await merchant.call('GET', '/v1/events')
      ).body.result
      const ofPayout = events.filter(({ data }) => data.id === payout.id)
      return ofPayout.length === 2 && ofPayout
    })
    assert.deepEqual(
      payoutEvents.toReversed().map(({ type, data: { status } }) => [type, status]),
      [
        ['payout.created', 'pending'],
        ['payout.processing', 'processing'],
      ],
    )
  })

  test('is not sent without a commit, and its capacity is freed', async () => {
    const { db, queues } = t.app.parts
    const before = arrived.length
    const states: string[] = []
    await assert.rejects(
      db.transaction((tx) => {
        for (let i = 0; i <= room; i++) states.push(queues.admit(tx, newInstruction(merchant)).state)
        throw new Error('refused after all')
      }),
      /refused after all/,
    )
    assert.deepEqual(states, [...Array(room).fill('submitting'), 'created'])
    const payout = await create()
    assert.notEqual(await stateOf(payout.id), 'created')
    await until(async () => (await stateOf(payout.id)) === 'submitted')
    assert.equal(arrived.length, before + 1)
  })
})

test('does not overtake instructions that are being claimed from the queue', async () => {
  const settings = { RATE_LIMITS: 'on', ENDPOINT_LIMIT_TEST: '100' }
  const t = await startTestApp({ settings, work: false })
  try {
    const merchant = await t.merchant()
    await fund(t.app.parts, merchant.scope, 100_000)
    const body = { amount: { currency: 'SLE', value: 100 }, destination: m17 }
    const post = async () => (await merchant.call('POST', '/v1/payouts', body)).body.result
    const [waiting, ...others] = await Promise.all(Array.from({ length: room }, post))
    assert.ok(others.every(({ status }) => status === 'pending'))
    const { db, queues } = t.app.parts
    const isFree = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const locking = db.transaction(async (tx) => {
      await tx.query(sql`
        select from payouts where space_id = ${merchant.scope.spaceId} and environment = 'test'
          and id = ${readId(payoutIds, waiting.id)!} for update`)
      locked.resolve()
      await isFree.promise
    })
    await locked.promise
    await t.app.work()
    const admit = () => db.transaction((tx) => queues.admit(tx, newInstruction(merchant)).state)
    await until(
      async () =>
        (await db.one(
          sql`select from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`,
        )) !== undefined,
    )
    const state = await admit()
    isFree.resolve()
    await locking
    assert.equal(state, 'created')
    await until(
      async () => (await merchant.call('GET', `/v1/payouts/${waiting.id}`)).body.result.status !== 'pending',
    )
    await until(async () => (await admit()) === 'submitting')
  } finally {
    await t.close()
  }
})

const newInstruction = ({ scope }: Merchant): Instruction => ({
  scope,
  id: newId(new Date()),
  ownerType: 'payout',
  kind: 'disburse',
  providerId: 'm17',
  state: 'created',
  amount: 100n,
  currency: 'SLE',
  account: '+23276123456',
  reference: newId(new Date()),
  description: 'Payout',
  orderNumber: null,
  returnUrl: null,
  original: null,
  connection: null,
  billReference: null,
  providerReference: null,
  revision: null,
  createdAt: new Date(),
  submittedAt: null,
  delayedAt: null,
  dueAt: null,
  look: null,
  seal: null,
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { matchStatements } from '../../../../packages/server/src/finance/reconciliation/matching.ts'
import { reportOn } from '../../../../packages/server/src/finance/reconciliation/report.ts'
import { openFollowers } from '../../../../packages/server/src/followers.ts'
import { listCases } from '../../../../packages/server/src/ledger/accounts/cases.ts'
import { accountIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { decideCase } from '../../../../packages/server/src/money/recalls/recalls.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { newId, readId, showId } from '../../../../packages/server/src/platform/ids.ts'
import { Refusal } from '../../../../packages/server/src/platform/refusals.ts'
import { resourceOf } from '../../../../packages/server/src/platform/resources.ts'
import {
  listUnknown,
  resolve as resolveBy,
} from '../../../../packages/server/src/rails/instructions/resolving.ts'
import { findReconciled } from '../../../../packages/server/src/slices.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { createPayer } from '../../../support/payer.ts'

// The rails' clock stands still until a test moves it.
const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const { db } = t.app.parts

const hourMs = 3_600_000
const decider = { by: 'Aminata, finance', reason: 'the statement of 21 November' }

async function pay({ call }: Merchant, value: number, phoneNumber: string): Promise<string> {
  const lineItems = [{ name: 'Cloth', price: { currency: 'SLE', value } }]
  const { result } = (await call('POST', '/v1/checkout-sessions', { name: 'Order', lineItems })).body
  await createPayer(result.redirectUrl).pay('m17', phoneNumber)
  return (await call('GET', `/v1/payments?orderNumber=${result.orderNumber}`)).body.result[0].id
}

/**
 * A kind of object that can be resolved: how much of the merchant's money it holds until it ends, and how
 * completing it changes the balance.
 */
const kinds = [
  {
    noun: 'payment',
    held: 0,
    completed: 297,
    begin: (merchant: Merchant, phoneNumber: string) => pay(merchant, value, phoneNumber),
  },
  {
    noun: 'payout',
    held: 300,
    completed: -300,
    async begin({ call }: Merchant, phoneNumber: string) {
      const destination = { type: 'momo', providerId: 'm17', phoneNumber }
      const body = { amount: { currency: 'SLE', value }, destination }
      return (await call('POST', '/v1/payouts', body)).body.result.id as string
    },
  },
  {
    noun: 'refund',
    held: 300,
    completed: -300,
    /**
     * Refunds part of the payment that funds a shop. The refund's message decides the outcome, not the payer's
     * number.
     */
    async begin({ call }: Merchant, phoneNumber: string) {
      const [{ id: paymentId }] = (await call('GET', '/v1/payments')).body.result
      const amount = { currency: 'SLE', value }
      const body = { paymentId, amount, reason: 'duplicate', payerMessage: phoneNumber.slice(-3) }
      return (await call('POST', '/v1/refunds', body)).body.result.id as string
    },
  },
] as const
type Resolvable = (typeof kinds)[number]

const funds = 1_000
/** The amount that must come from a payment so that it can be refunded; its fee comes from elsewhere. */
const paid = { value: 1_000, fee: 10 }
const value = 300

async function openFunds(merchant: Merchant, noun: string): Promise<string> {
  if (noun !== 'refund') return fund(t.app.parts, merchant.scope, funds)
  const id = await pay(merchant, paid.value, '076123456')
  await until(async () => {
    await rail.advance(300)
    return (await merchant.call('GET', `/v1/payments/${id}`)).body.result.status === 'completed'
  })
  return fund(t.app.parts, merchant.scope, paid.fee)
}

async function shop({ noun, held, completed, begin }: Resolvable) {
  const merchant = await t.merchant()
  const main = await openFunds(merchant, noun)
  const get = async (id: string) => (await merchant.call('GET', `/v1/${noun}s/${id}`)).body.result
  const open = async () =>
    (await listUnknown(db, noun)).filter(({ scope }) => scope.spaceId === merchant.scope.spaceId)
  /** Creates an object that the rail accepted without reporting an outcome. */
  const send = async (phoneNumber = '076123456') => {
    const id = await begin(merchant, phoneNumber)
    await until(async () =>
      (await open()).some((one) => one.id === readId(resourceOf(noun).ids, id) && one.state === 'submitted'),
    )
    return id
  }
  const balance = async () => {
    const { body } = await merchant.call('GET', `/v1/financial-accounts/${main}?withBalance=true`)
    return [body.result.balance.available.value, body.result.balance.held.value]
  }
  const resolve = (id: string, as: 'completed' | 'failed') =>
    db.transaction((tx) =>
      resolveBy(
        tx,
        { ...t.app.parts, followers: openFollowers(t.app.parts) },
        { ownerType: noun, id: readId(resourceOf(noun).ids, id)!, resolution: as },
        decider,
      ),
    )
  const decisionsOn = (id: string) =>
    db.query<{ actor: string; action: string; reason: string; details: object }>(sql`
      select actor, action, reason, details from audit_entries -- every space: only this one's object is asked for
      where object_id = ${readId(resourceOf(noun).ids, id)}`)
  return {
    merchant,
    account: readId(accountIds, main)!,
    get,
    open,
    send,
    balance,
    resolve,
    decisionsOn,
    balances: { open: [funds - held, held], completed: [funds + completed, 0], failed: [funds, 0] },
  }
}

const casesOf = async ({ scope }: Merchant) =>
  (await listCases(db, true)).filter(({ spaceId }) => spaceId === scope.spaceId)
const close = (id: string, account?: string) => db.transaction((tx) => decideCase(tx, id, decider, account))
/** Returns the number of delayed payouts, which every node shows. */
const delayed = async () => {
  const text = await t.app.parts.metrics.registry.metrics()
  return Number(/^pesewa_payouts_delayed (\S+)$/m.exec(text)![1])
}
const refused = (message: RegExp) => (error: unknown) =>
  error instanceof Refusal && error.reason === 'state_conflict' && message.test(error.message)
for (const one of kinds) {
  const { noun } = one
  describe(`a ${noun} without a report from its rail`, () => {
    test('is listed with its details, and can be resolved by an operator after a day', async () => {
      const { merchant, get, open, send, balance, resolve, decisionsOn, balances } = await shop(one)
      const id = await send()
      const [found] = await open()
      assert.deepEqual([found!.providerId, found!.amount, found!.state], ['m17', 300n, 'submitted'])
      await t.advance(merchant.scope, 23 * hourMs)
      const from = new Date(found!.submittedAt.getTime() + 24 * hourMs).toISOString()
      await assert.rejects(
        resolve(id, 'failed'),
        refused(new RegExp(`resolved manually from ${from}, by its Space`)),
      )
      assert.deepEqual([(await get(id)).status, await balance()], ['processing', balances.open])
      await t.advance(merchant.scope, hourMs)
      if (noun === 'payout') await until(async () => (await delayed()) === 1)
      await resolve(id, 'failed')
      if (noun === 'payout') assert.equal(await delayed(), 0)
      const { status, failureDetail } = await get(id)
      assert.deepEqual([status, failureDetail.code, await balance()], ['failed', 'unknown', balances.failed])
      assert.deepEqual(await open(), [])
      const { by: actor, reason } = decider
      const details = { as: 'failed', railState: 'submitted' }
      assert.deepEqual(await decisionsOn(id), [{ actor, action: `${noun}.resolve`, reason, details }])
      const eventTypes = (await t.events(merchant.scope, readId(resourceOf(noun).ids, id))).map(
        ({ type }) => type,
      )
      assert.equal(eventTypes.at(-1), `${noun}.failed`)
      for (const as of ['completed', 'failed'] as const)
        await assert.rejects(resolve(id, as), refused(/is already failed/))
      await t.verify()
    })

    test('is booked once when it is resolved as completed, even by several operators', async () => {
      const { merchant, get, send, balance, resolve, decisionsOn, balances } = await shop(one)
      const id = await send()
      await t.advance(merchant.scope, 24 * hourMs)
      const results = await Promise.allSettled(
        (['completed', 'failed', 'completed', 'failed'] as const).map((as) => resolve(id, as)),
      )
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
      assert.equal((await decisionsOn(id)).length, 1)
      const isCompleted = (await get(id)).status === 'completed'
      assert.deepEqual(await balance(), isCompleted ? balances.completed : balances.failed)
      await t.verify()
    })

    test('cannot be resolved if it was not sent or has already ended', async () => {
      const { get, send, resolve } = await shop(one)
      await assert.rejects(resolve(showId(resourceOf(noun).ids, newId(new Date())), 'completed'), {
        reason: 'not_found',
      })
      const id = await send()
      await until(async () => {
        await rail.advance(300)
        return (await get(id)).status === 'completed'
      })
      await assert.rejects(resolve(id, 'failed'), refused(/is already completed/))
    })
  })

  describe('a rail that contradicts an operator', () => {
    test(`by moving the money of a ${noun} resolved as failed opens a case`, async () => {
      const { merchant, account, get, send, balance, resolve, balances } = await shop(one)
      const id = await send()
      await t.advance(merchant.scope, 24 * hourMs)
      await resolve(id, 'failed')
      const found = await until(async () => {
        await rail.advance(300)
        await t.advance(merchant.scope, hourMs)
        return (await casesOf(merchant))[0]
      })
      assert.deepEqual([found.kind, found.objectType, found.amount], ['success_after_failure', noun, 300n])
      assert.deepEqual([(await get(id)).status, await balance()], ['failed', balances.failed])
      await t.verify()
      await close(found.id, account)
      assert.deepEqual(await balance(), [noun === 'payment' ? funds + value : funds - value, 0])
      await t.verify()
    })

    test(`by not moving the money of a ${noun} resolved as completed opens a case, and it can be returned`, async () => {
      const { merchant, account, get, send, balance, resolve, balances } = await shop(one)
      const id = await send('076123001')
      await t.advance(merchant.scope, 24 * hourMs)
      await resolve(id, 'completed')
      assert.deepEqual([(await get(id)).status, await balance()], ['completed', balances.completed])
      const found = await until(async () => {
        await rail.advance(300)
        await t.advance(merchant.scope, hourMs)
        return (await casesOf(merchant))[0]
      })
      assert.deepEqual([found.kind, found.objectType, found.amount], ['failure_after_success', noun, 300n])
      assert.deepEqual([(await get(id)).status, await balance()], ['completed', balances.completed])
      if (noun === 'refund') {
        const events = await t.events(merchant.scope, readId(resourceOf(noun).ids, id))
        assert.equal(events.at(-1)?.type, 'refund.returned')
      }
      await t.verify()
      await close(found.id, account)
      // The service keeps its fee for a payment.
      assert.deepEqual(await balance(), [noun === 'payment' ? funds - 3 : funds, 0])
      await t.verify()
      // It was booked and reversed, so no statement will ever show it.
      await matchStatements(db, await findReconciled(), {})
      const { openItems, proof } = await reportOn(db, await findReconciled(), {}, rail.now(), 1_000)
      assert.deepEqual(
        openItems.items.filter(({ objectId }) => objectId === readId(resourceOf(noun).ids, id)),
        [],
      )
      assert.deepEqual(proof.differences, [])
    })

    test(`by confirming a ${noun} opens no case`, async () => {
      const { merchant, send, resolve } = await shop(one)
      const ids = [await send(), await send('076123001')]
      await t.advance(merchant.scope, 24 * hourMs)
      await resolve(ids[0]!, 'completed')
      await resolve(ids[1]!, 'failed')
      await rail.advance(300)
      // Queried after an hour, and after a day.
      await until(async () => {
        await t.advance(merchant.scope, hourMs)
        return (await questionsOf(merchant)) === 0
      })
      assert.deepEqual(await casesOf(merchant), [])
      await t.verify()
    })
  })
}

test('a case of money that left cannot be closed with more than its account has', async () => {
  const { merchant, account, send, balance, resolve } = await shop(kinds[1])
  const id = await send()
  await t.advance(merchant.scope, 24 * hourMs)
  await resolve(id, 'failed')
  const found = await until(async () => {
    await rail.advance(300)
    await t.advance(merchant.scope, hourMs)
    return (await casesOf(merchant))[0]
  })
  for (const _ of [1, 2, 3]) await send()
  await assert.rejects(close(found.id, account), refused(/less than the amount of the case/))
  assert.equal((await casesOf(merchant))[0]!.closedAt, null)
  await until(async () => {
    await rail.advance(300)
    return (await balance())[1] === 0
  })
  await fund(t.app.parts, merchant.scope, 500)
  await close(found.id, account)
  assert.deepEqual(await balance(), [300, 0])
  await t.verify()
})

/** Returns the number of queries that are still scheduled. */
const questionsOf = async ({ scope }: Merchant) => {
  const { spaceId, environment } = scope
  const { count } = (await db.one<{ count: bigint }>(sql`
    select count(*) from instructions
    where space_id = ${spaceId} and environment = ${environment} and due_at is not null`))!
  return Number(count)
}

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openFollowers } from '../../src/followers.ts'
import { listUnknown, resolve as resolveBy } from '../../src/instructions/resolving.ts'
import { closeCase, listCases } from '../../src/ledger/cases.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { readId } from '../../src/platform/ids.ts'
import { Refusal } from '../../src/platform/refusals.ts'
import { createManualClock } from '../../src/providers/simulator/clock.ts'
import { matchStatements } from '../../src/reconciliation/matching.ts'
import { reportOn } from '../../src/reconciliation/report.ts'
import { type Merchant, startTestApp, until } from '../harness.ts'
import { fund } from '../money.ts'

// The rails stand still until a test lets them go on.
const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const { db } = t.app.parts

const hourMs = 3_600_000
const decider = { by: 'Aminata, finance', reason: 'the statement of 21 November' }

async function shop(funds = 1_000) {
  const merchant = await t.merchant()
  const main = await fund(t.app.parts, merchant.scope, funds)
  const get = async (id: string) => (await merchant.call('GET', `/v1/payouts/${id}`)).body.result
  const pay = async (value: number, phoneNumber = '076123456') => {
    const destination = { type: 'momo', providerId: 'm17', phoneNumber }
    const body = { amount: { currency: 'SLE', value }, destination }
    return (await merchant.call('POST', '/v1/payouts', body)).body.result.id as string
  }
  /** One that the rail took, and says nothing more of. */
  const send = async (value: number, phoneNumber?: string) => {
    const id = await pay(value, phoneNumber)
    await until(async () =>
      (await openOf(merchant)).some((open) => open.id === readId('payout', id) && open.state === 'submitted'),
    )
    return id
  }
  const balance = async () => {
    const { body } = await merchant.call('GET', `/v1/financial-accounts/${main}?withBalance=true`)
    return [body.result.balance.available.value, body.result.balance.held.value]
  }
  return { merchant, main, account: readId('financialAccount', main)!, get, pay, send, balance }
}

const openOf = async ({ scope }: Merchant) =>
  (await listUnknown(db, 'disburse')).filter((open) => open.scope.spaceId === scope.spaceId)
const casesOf = async ({ scope }: Merchant) =>
  (await listCases(db, true)).filter(({ spaceId }) => spaceId === scope.spaceId)
const resolve = (id: string, as: 'completed' | 'failed') =>
  db.transaction((tx) =>
    resolveBy(
      tx,
      { ...t.app.parts, followers: openFollowers(t.app.parts) },
      { kind: 'disburse', id: readId('payout', id)!, resolution: as },
      decider,
    ),
  )
const close = (id: string, account?: string) => db.transaction((tx) => closeCase(tx, id, decider, account))
/** As every node shows it. */
const delayed = async () => {
  const text = await t.app.parts.metrics.registry.metrics()
  return Number(/^pesewa_payouts_delayed (\S+)$/m.exec(text)![1])
}
const refused = (message: RegExp) => (error: unknown) =>
  error instanceof Refusal && error.reason === 'state_conflict' && message.test(error.message)
const decisionsOn = (id: string) =>
  db.query<{ actor: string; reason: string; details: object }>(sql`
    select actor, reason, details from audit_entries -- every space: only this one's object is asked for
    where object_id = ${readId('payout', id)}`)

describe('a payout of which its rail tells nothing', () => {
  test('is listed with what is known of it, and ended by a person after a day', async () => {
    const { merchant, get, send, balance } = await shop()
    const id = await send(300)
    const [open] = await openOf(merchant)
    assert.deepEqual([open!.providerId, open!.amount, open!.state], ['m17', 300n, 'submitted'])
    await t.advance(merchant.scope, 23 * hourMs)
    const from = new Date(open!.submittedAt.getTime() + 24 * hourMs).toISOString()
    await assert.rejects(resolve(id, 'failed'), refused(new RegExp(`resolved from ${from} on`)))
    assert.deepEqual([(await get(id)).status, await balance()], ['processing', [700, 300]])
    await t.advance(merchant.scope, hourMs)
    await until(async () => (await delayed()) === 1)
    await resolve(id, 'failed')
    assert.equal(await delayed(), 0)
    const { status, failureDetail } = await get(id)
    assert.deepEqual([status, failureDetail.code, await balance()], ['failed', 'unknown', [1_000, 0]])
    assert.deepEqual(await openOf(merchant), [])
    const { by: actor, reason } = decider
    assert.deepEqual(await decisionsOn(id), [
      { actor, reason, details: { as: 'failed', railState: 'submitted' } },
    ])
    const told = (await t.events(merchant.scope, readId('payout', id))).map(({ type }) => type)
    assert.equal(told.at(-1), 'payout.failed')
    for (const as of ['completed', 'failed'] as const)
      await assert.rejects(resolve(id, as), refused(/has ended: it is failed/))
    await t.verify()
  })

  test('is booked when a person says that it completed, once however many say so', async () => {
    const { merchant, get, send, balance } = await shop()
    const id = await send(300)
    await t.advance(merchant.scope, 24 * hourMs)
    const endings = await Promise.allSettled(
      (['completed', 'failed', 'completed', 'failed'] as const).map((as) => resolve(id, as)),
    )
    assert.equal(endings.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await decisionsOn(id)).length, 1)
    const completed = (await get(id)).status === 'completed'
    assert.deepEqual(await balance(), [completed ? 700 : 1_000, 0])
    await t.verify()
  })

  test('is left alone when it was not sent, or has ended by itself', async () => {
    const { get, send, pay } = await shop(500)
    const failed = await pay(501)
    await assert.rejects(resolve(failed, 'completed'), { reason: 'not_found' })
    const id = await send(100)
    await until(async () => {
      await rail.advance(300)
      return (await get(id)).status === 'completed'
    })
    await assert.rejects(resolve(id, 'failed'), refused(/has ended: it is completed/))
  })
})

describe('a rail that contradicts a person', () => {
  test('by paying out what was called failed opens a case, which the merchant’s account can pay for', async () => {
    const { merchant, account, get, send, balance } = await shop()
    const id = await send(300)
    await t.advance(merchant.scope, 24 * hourMs)
    await resolve(id, 'failed')
    const found = await until(async () => {
      await rail.advance(300)
      await t.advance(merchant.scope, hourMs)
      return (await casesOf(merchant))[0]
    })
    assert.deepEqual([found.kind, found.objectType, found.amount], ['success_after_failure', 'payout', 300n])
    assert.deepEqual([(await get(id)).status, await balance()], ['failed', [1_000, 0]])
    await t.verify()
    await send(800)
    await assert.rejects(close(found.id, account), refused(/less available than the case is about/))
    assert.equal((await casesOf(merchant))[0]!.closedAt, null)
    await until(async () => {
      await rail.advance(300)
      return (await balance())[1] === 0
    })
    await fund(t.app.parts, merchant.scope, 500)
    await close(found.id, account)
    assert.deepEqual(await balance(), [400, 0])
    await t.verify()
  })

  test('by not having paid out what was called completed opens a case, and the money can go back', async () => {
    const { merchant, account, get, send, balance } = await shop()
    const id = await send(300, '076123001')
    await t.advance(merchant.scope, 24 * hourMs)
    await resolve(id, 'completed')
    assert.deepEqual([(await get(id)).status, await balance()], ['completed', [700, 0]])
    const found = await until(async () => {
      await rail.advance(300)
      await t.advance(merchant.scope, hourMs)
      return (await casesOf(merchant))[0]
    })
    assert.deepEqual([found.kind, found.objectType, found.amount], ['failure_after_success', 'payout', 300n])
    assert.deepEqual([(await get(id)).status, await balance()], ['completed', [700, 0]])
    await t.verify()
    await close(found.id, account)
    assert.deepEqual(await balance(), [1_000, 0])
    await t.verify()
    // Booked and booked back: no statement will ever tell of it.
    await matchStatements(db, {})
    const { openItems, proof } = await reportOn(db, {}, rail.now(), 1_000)
    assert.deepEqual(
      openItems.items.filter(({ objectId }) => objectId === readId('payout', id)),
      [],
    )
    assert.deepEqual(proof.differences, [])
  })

  test('by agreeing opens none', async () => {
    const { merchant, send } = await shop()
    const ids = [await send(100), await send(200, '076123001')]
    await t.advance(merchant.scope, 24 * hourMs)
    await resolve(ids[0]!, 'completed')
    await resolve(ids[1]!, 'failed')
    await rail.advance(300)
    // An hour later, and a day.
    await until(async () => {
      await t.advance(merchant.scope, hourMs)
      return (await jobsOf(merchant)) === 0
    })
    assert.deepEqual(await casesOf(merchant), [])
    await t.verify()
  })
})

/** What is still to be asked of the rail. */
const jobsOf = async ({ scope }: Merchant) => {
  const { spaceId, environment } = scope
  const { count } = (await db.one<{ count: bigint }>(sql`
    select count(*) from instructions
    where space_id = ${spaceId} and environment = ${environment} and due_at is not null`))!
  return Number(count)
}

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { payoutIds } from '../../../../packages/server/src/money/payouts/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { endings, payees } from '../../../support/endings.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { passOn, startTransferProxy, type Transfer } from '../../../support/transfer-proxy.ts'

const clock = createManualClock()
const rail = await startTransferProxy()
const t = await startTestApp({ app: { simulatorClock: clock }, settings: { SIMULATOR_URL: rail.url } })
rail.simulatorUrl = `${t.baseUrl}/simulator`
after(async () => {
  rail.close()
  await t.close()
})
const { db } = t.app.parts

type Row = {
  id: string
  status: string
  railState: string
  code: string | null
  moved: boolean
  cases: bigint
}

/** Returns every payout of a Space with what the rail did, in order of creation. */
const rowsOf = ({ scope }: Merchant) =>
  db.query<Row>(sql`
    select p.id, p.status, coalesce((select state from instructions i where i.id = p.id), 'none') as rail_state, p.failure_code as code,
      exists (select 1 from simulator_disbursements d where d.reference = p.rail_reference and d.moved_at is not null)
        as moved,
      (select count(*) from ledger_cases c where c.object_id = p.id) as cases
    from payouts p where p.space_id = ${scope.spaceId} order by p.id`)

async function shop() {
  const merchant = await t.merchant()
  const main = await fund(t.app.parts, merchant.scope, 100_000)
  const pay = async (destination: object) => {
    const { status, body } = await merchant.call('POST', '/v1/payouts', {
      amount: { currency: 'SLE', value: 100 },
      destination,
    })
    assert.equal(status, 200, JSON.stringify(body))
    return readId(payoutIds, body.result.id)!
  }
  const held = async () =>
    (await merchant.call('GET', `/v1/financial-accounts/${main}?withBalance=true`)).body.result.balance.held
      .value
  return { merchant, pay, held }
}

const momo = (digits = '456', providerId = 'm17') => ({
  type: 'momo',
  providerId,
  phoneNumber: `${providerId === 'm18' ? '077' : '076'}123${digits}`,
})
const hasEnded = ({ status }: Row) => status === 'completed' || status === 'failed'
const typesOf = async (merchant: Merchant, id: string) =>
  (await t.events(merchant.scope, id)).map(({ type }) => type)

test('every special number has the outcome that the contract states, on rails of both protocols, and nothing stays held', async () => {
  const { merchant, pay, held } = await shop()
  const digitsOf = new Map<string, string>()
  for (const digits of Object.keys(endings))
    for (const destination of payees(digits)) digitsOf.set(await pay(destination), digits)
  const rows = () => rowsOf(merchant)
  await until(async () =>
    (await rows()).every(({ railState }) => ['submitted', 'unknown'].includes(railState)),
  )
  // The immediate failures happen before the payment that ends in 012 changes its outcome.
  await clock.advance(300)
  await until(async () => (await rows()).filter((row) => digitsOf.get(row.id) === '012').every(hasEnded))
  for (const ms of [5_000, 25_000, 30_000, 60_000]) {
    await clock.advance(ms)
    await t.advance(merchant.scope, ms)
  }
  await until(async () => {
    await t.advance(merchant.scope, 10_000)
    const all = await rows()
    const late = all.filter((row) => digitsOf.get(row.id) === '012')
    return all.every(hasEnded) && late.every(({ cases }) => cases === 1n)
  })
  for (const row of await rows()) {
    const digits = digitsOf.get(row.id)!
    const { status, moves, code = null } = endings[digits]!
    const cases = digits === '012' ? 1n : 0n
    assert.deepEqual(
      { digits, status: row.status, moved: row.moved, code: row.code, cases: row.cases },
      { digits, status, moved: moves, code, cases },
    )
    const types = await typesOf(merchant, row.id)
    assert.deepEqual(types, ['payout.created', 'payout.processing', `payout.${status}`])
  }
  assert.equal(await held(), 0)
  await t.verify()
})

test('the merchant is notified once after ten minutes without an outcome, and the outcome is still found later', async () => {
  const { merchant, pay, held } = await shop()
  const id = await pay(momo('003'))
  await until(async () => (await rowsOf(merchant))[0]!.railState === 'submitted')
  await t.advance(merchant.scope, 599_000)
  await until(async () => (await queriesOf(merchant)) > 0n)
  assert.ok(!(await typesOf(merchant, id)).includes('payout.delayed'))
  await t.advance(merchant.scope, 1_000)
  await until(async () => (await typesOf(merchant, id)).includes('payout.delayed'))
  await t.advance(merchant.scope, 3_600_000)
  assert.equal((await rowsOf(merchant))[0]!.status, 'processing')
  assert.equal(await held(), 100)
  await clock.advance(60_000)
  await until(async () => (await rowsOf(merchant))[0]!.status === 'failed')
  assert.deepEqual(await typesOf(merchant, id), [
    'payout.created',
    'payout.processing',
    'payout.delayed',
    'payout.failed',
  ])
})

/** Returns the scheduled queries of a Space. */
const queriesOf = async ({ scope }: Merchant) =>
  (await db.one<{ count: bigint }>(sql`
    select count(*) from instructions where space_id = ${scope.spaceId} and due_at is not null`))!.count

test('money that moved after a failure is found an hour later, even if the rail’s callback was lost', async () => {
  const { merchant, pay } = await shop()
  const id = await pay(momo('012'))
  await until(async () => (await rowsOf(merchant))[0]!.railState === 'submitted')
  await clock.advance(300)
  await until(async () => (await rowsOf(merchant))[0]!.status === 'failed')
  // every space: the simulator is the outside world
  await db.transaction((tx) => tx.run(sql`update simulator_disbursements set callback_url = null`))
  await clock.advance(5_000)
  assert.equal((await rowsOf(merchant))[0]!.cases, 0n)
  await t.advance(merchant.scope, 3_600_000)
  await until(async () => (await rowsOf(merchant))[0]!.cases === 1n)
  assert.deepEqual(await typesOf(merchant, id), ['payout.created', 'payout.processing', 'payout.failed'])
  await t.verify()
})

describe('a rail', () => {
  test('that recovers receives the queued payouts in order of creation, and none of them twice', async () => {
    const { merchant, pay } = await shop()
    rail.onTransfer = ({ answer }) => answer(undefined)
    const ids: string[] = []
    for (let i = 0; i < 30; i++) ids.push(await pay(momo()))
    // The rail's breaker opens: most payouts wait and could still be cancelled.
    await until(async () => (await rowsOf(merchant)).some(({ railState }) => railState === 'unknown'))
    const waiting = (await rowsOf(merchant))
      .filter(({ railState }) => railState === 'created')
      .map(({ id }) => id)
    assert.ok(waiting.length > 0)
    const arrived: string[] = []
    rail.onTransfer = (transfer: Transfer) => {
      arrived.push(transfer.reference)
      void passOn(transfer)
    }
    await until(async () => {
      await clock.advance(300)
      await t.advance(merchant.scope, 30_000)
      return (await rowsOf(merchant)).every(hasEnded)
    })
    rail.onTransfer = passOn
    const sent = await db.query<{ id: string }>(sql`
      select id from instructions where reference = any(${arrived}::uuid[]) order by submitted_at, id`)
    assert.deepEqual(
      sent.map(({ id }) => id),
      ids.filter((id) => sent.some((one) => one.id === id)),
    )
    assert.equal(new Set(arrived).size, arrived.length)
    for (const { status, moved } of await rowsOf(merchant)) assert.equal(status === 'completed', moved)
    await t.verify()
  })

  test('that is slow serves Spaces in turns: a payroll does not delay another Space’s single payout', async () => {
    const [payroll, other] = [await shop(), await shop()]
    const hung: Transfer[] = []
    const arrived: string[] = []
    rail.onTransfer = (transfer) => {
      arrived.push(transfer.reference)
      hung.push(transfer)
    }
    await Promise.all(Array.from({ length: 150 }, () => payroll.pay(momo('456', 'm18'))))
    await until(() => hung.length >= 32)
    await other.pay(momo('456', 'm18'))
    rail.onTransfer = (transfer) => {
      arrived.push(transfer.reference)
      void passOn(transfer)
    }
    const before = arrived.length
    for (const transfer of hung) void passOn(transfer)
    await until(async () => {
      await clock.advance(300)
      return [...(await rowsOf(payroll.merchant)), ...(await rowsOf(other.merchant))].every(hasEnded)
    })
    rail.onTransfer = passOn
    const [single] = await db.query<{ railReference: string }>(sql`
      select rail_reference from payouts where space_id = ${other.merchant.scope.spaceId}`)
    const place = arrived.indexOf(single!.railReference) - before
    assert.ok(place >= 0 && place <= 40, `it was sent after ${place} others`)
    assert.equal(arrived.length, 151)
    await t.verify()
  })

  test('that hangs on every call, or on every query, does not slow another', async () => {
    const { merchant, pay } = await shop()
    const hung: Transfer[] = []
    rail.onTransfer = (transfer) =>
      void (transfer.providerId === 'm18' ? hung.push(transfer) : passOn(transfer))
    const ofM18 = new Set<string>()
    for (let i = 0; i < 40; i++) ofM18.add(await pay(momo('456', 'm18')))
    const slow = async () => (await rowsOf(merchant)).filter(({ id }) => ofM18.has(id))
    const payTwenty = async () => {
      const ids = new Set<string>()
      for (let i = 0; i < 20; i++) ids.add(await pay(momo()))
      await until(async () => {
        await clock.advance(300)
        const done = (await rowsOf(merchant)).filter(({ status }) => status === 'completed')
        return done.filter(({ id }) => ids.has(id)).length === 20
      })
    }
    await until(() => hung.length >= 32)
    await payTwenty()
    assert.ok((await slow()).every(({ status }) => status !== 'completed'))

    const unmute = rail.mute('m18')
    rail.onTransfer = passOn
    for (const transfer of hung) void passOn(transfer)
    await until(async () => (await slow()).some(({ railState }) => railState === 'submitted'))
    await t.advance(merchant.scope, 5_000)
    await payTwenty()
    assert.ok((await slow()).every(({ status }) => status !== 'completed'))

    unmute()
    await until(async () => {
      await clock.advance(300)
      await t.advance(merchant.scope, 10_000)
      return (await rowsOf(merchant)).every(({ status, moved }) => status === 'completed' && moved)
    })
    await t.verify()
  })

  test('that responds with 500, garbage or nothing leaves a payout processing until a query finds its outcome', async () => {
    const { merchant, pay, held } = await shop()
    for (const given of [{ status: 500, body: '{}' }, { status: 200, body: '<html>' }, undefined]) {
      rail.onTransfer = async ({ forward, answer }) => {
        await forward()
        answer(given)
      }
      await pay(momo())
      await until(async () => (await rowsOf(merchant)).at(-1)!.railState === 'unknown')
    }
    rail.onTransfer = passOn
    assert.ok((await rowsOf(merchant)).every(({ status }) => status === 'processing'))
    assert.equal(await held(), 300)
    await until(async () => {
      await clock.advance(300)
      return (await rowsOf(merchant)).every(({ status, moved }) => status === 'completed' && moved)
    })
    assert.equal(await held(), 0)
    await t.verify()
  })
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { payoutIds } from '../../../../packages/server/src/money/payouts/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { passOn, startTransferProxy } from '../../../support/transfer-proxy.ts'

const clock = createManualClock()
const rail = await startTransferProxy()
const settings = { SIMULATOR_URL: rail.url }
const one = await startTestApp({ app: { simulatorClock: clock }, settings, work: false })
rail.simulatorUrl = `${one.baseUrl}/simulator`
const other = await startTestApp({
  app: { simulatorClock: clock },
  // Rails report to the same URL, whichever node called them.
  settings: { ...settings, BASE_URL: one.baseUrl },
  work: false,
  anotherNodeOf: one,
})
after(async () => {
  rail.close()
  await other.close()
  await one.close()
})
const { db } = one.app.parts

test('nodes without a wake-up find waiting instructions, and each is sent by one of them', async () => {
  const merchant = await one.merchant()
  await fund(one.app.parts, merchant.scope, 100_000)
  const destination = { type: 'momo', providerId: 'm17', phoneNumber: '076123456' }
  const body = { amount: { currency: 'SLE', value: 100 }, destination }
  const ids = await Promise.all(
    Array.from({ length: 60 }, async () =>
      readId(payoutIds, (await merchant.call('POST', '/v1/payouts', body)).body.result.id),
    ),
  )
  const arrived: string[] = []
  rail.onTransfer = (transfer) => {
    arrived.push(transfer.reference)
    void passOn(transfer)
  }
  const states = async () =>
    (
      await db.query<{ state: string }>(sql`
        select state from instructions
        where space_id = ${merchant.scope.spaceId} and environment = 'test' and id = any(${ids}::uuid[])`)
    ).map(({ state }) => state)
  assert.deepEqual(new Set(await states()), new Set(['created']))
  await Promise.all([one.app.work(), other.app.work()])
  // Queries begin only once the rail has everything, because each query delays the next one.
  await until(() => arrived.length === ids.length)
  await until(async () => {
    await clock.advance(300)
    await one.advance(merchant.scope, 10_000)
    return (await states()).every((state) => state === 'succeeded')
  })
  assert.deepEqual([arrived.length, new Set(arrived).size], [60, 60])
  await one.verify()
})

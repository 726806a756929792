import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { selectSequencerLag } from '../../../../packages/server/src/events/waiting-store.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readOutcomeAges } from '../../../../packages/server/src/rails/instructions/outcome-age-store.ts'
import { addCounts, selectCallbackSilences } from '../../../../packages/server/src/rails/routing/store.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

const t = await startTestApp({ hasLiveProvider: true })
// This node does no background work, so nothing publishes its events.
const idle = await startTestApp({ hasLiveProvider: true, work: false })
after(async () => {
  await t.close()
  await idle.close()
})
const { db } = t.app.parts

const openSession = async (merchant: Merchant) => {
  const lineItems = [{ name: 'Cloth', price: { currency: 'SLE', value: 500 } }]
  const { status, body } = await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order', lineItems })
  assert.equal(status, 200, JSON.stringify(body))
  return body.result
}

test('outcomes that stay unknown are counted by type and age, in the live environment only', async () => {
  const counts = async () =>
    Object.fromEntries(
      (await readOutcomeAges(db)).map(({ labels: { type, age }, value }) => [`${type} ${age}`, value]),
    )
  const none = Object.fromEntries(
    ['payment', 'payout', 'refund'].flatMap((type) =>
      ['10m', '1h', '24h'].map((age) => [`${type} ${age}`, 0]),
    ),
  )
  const live = await t.merchant({ environment: 'live' })
  const inTest = await t.merchant()
  // The acquirer of the live environment never responds.
  await createPayer((await openSession(live)).redirectUrl).pay('card')
  await createPayer((await openSession(inTest)).redirectUrl).pay('m17', '076123003')
  await until(async () => {
    const { open } = await db.only<{ open: number }>(sql`
      select count(*)::int as open from instructions where state in ('submitted', 'unknown')`)
    return open === 2
  })
  assert.deepEqual(await counts(), none)
  const age = (interval: string) =>
    db.write(sql`update instructions set submitted_at = now() - ${interval}::interval`)
  await age('11 minutes')
  assert.deepEqual(await counts(), { ...none, 'payment 10m': 1 })
  await age('25 hours')
  assert.deepEqual(await counts(), { ...none, 'payment 10m': 1, 'payment 1h': 1, 'payment 24h': 1 })
})

test('the silence of a connection begins with the first call after its last report', async () => {
  const silences = async () =>
    Object.fromEntries(
      (await selectCallbackSilences(db)).map(({ connection, seconds }) => [
        connection,
        Math.round(seconds / 60),
      ]),
    )
  const note = (connection: string, minutesAgo: number, { reports = false, calls = 0 }) =>
    db.transaction(async (tx) => {
      const key = { environment: 'live', connection, providerId: connection, direction: 'collect' } as const
      await addCounts(tx, { ...key, succeeded: 0, failed: 0, calls: [0, calls], hasReported: reports })
      await tx.run(sql`
        update connection_stats set begun_at = now() - ${minutesAgo} * interval '1 minute',
          reported_at = case when reported_at is not null then now() - ${minutesAgo} * interval '1 minute' end
        where connection = ${connection} and begun_at > now() - interval '10 minutes'`)
    })
  await note('quiet', 600, { reports: true, calls: 9 })
  await note('silent', 600, { reports: true, calls: 9 })
  await note('silent', 300, {})
  await note('silent', 40, { calls: 1 })
  await note('silent', 20, { calls: 5 })
  await note('heard', 40, { calls: 5 })
  await note('heard', 20, { reports: true, calls: 5 })
  await note('never-reports', 40, { calls: 5 })
  assert.deepEqual(await silences(), { quiet: 0, silent: 40, heard: 0 })
})

test('the sequencer’s lag is the age of the oldest live fact that is not published', async () => {
  const { db } = idle.app.parts
  assert.equal(await selectSequencerLag(db), 0)
  await openSession(await idle.merchant())
  await db.write(sql`update event_facts set at = at - interval '1 hour' where environment = 'test'`)
  assert.equal(await selectSequencerLag(db), 0)
  await openSession(await idle.merchant({ environment: 'live' }))
  await db.write(sql`update event_facts set at = at - interval '5 minutes' where environment = 'live'`)
  const seconds = await selectSequencerLag(db)
  assert.ok(seconds >= 300 && seconds < 600, String(seconds))
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { startTestApp, until } from '../../support/harness.ts'

const t = await startTestApp({ work: false, settings: { DATABASE_POOL_SIZE: '8' } })
after(() => t.close())

/** One of the eight connections is reserved for the node and one for any other Space. */
const placesOfOne = 6

test('hanging calls of one Space do not delay another Space’s calls', async () => {
  const [slow, other] = [await t.merchant(), await t.merchant()]
  const holder = new pg.Client(t.database.connection)
  await holder.connect()
  try {
    await holder.query('begin; lock table ledger_lines in access exclusive mode')
    // Each requests a different page, because calls for the same page would be combined.
    const hanging = Array.from({ length: 20 }, (_, i) =>
      slow.call('GET', `/v1/financial-transactions?limit=${i + 1}`),
    )
    await until(async () => (await waitingForLock(holder)) >= placesOfOne)
    const lineItems = [{ name: 'Cloth', price: { currency: 'SLE', value: 1 } }]
    const session = { name: 'Order', lineItems }
    assert.equal((await other.call('POST', '/v1/checkout-sessions', session)).status, 200)
    assert.equal((await other.call('GET', '/v1/payments')).status, 200)
    // Some calls hang in the database, and the others wait for a connection.
    assert.equal(await waitingForLock(holder), placesOfOne)
    await holder.query('rollback')
    for (const { status } of await Promise.all(hanging)) assert.equal(status, 200)
  } finally {
    await holder.end()
  }
})

async function waitingForLock(client: pg.Client): Promise<number> {
  // Within a transaction the view is read once, unless its copy is cleared.
  await client.query('select pg_stat_clear_snapshot()')
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]!.count
}

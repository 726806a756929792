import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { alivenessLock } from '../../../packages/server/src/platform/db/listener.ts'
import { startTestApp, until } from '../../support/harness.ts'
import { fund } from '../../support/money.ts'

const t = await startTestApp()
after(() => t.close())

/** Uses a different database from the observed one, so that observing does not count. */
const observer = new pg.Client({ ...t.database.connection, database: 'postgres' })
await observer.connect()
after(() => observer.end())

const transactions = async () => {
  const { rows } = await observer.query(
    'select xact_commit + xact_rollback as count from pg_stat_database where datname = $1',
    [t.database.connection.database],
  )
  return Number(rows[0].count)
}

const maxPerSecond = 5

test('an idle node makes at most five transactions per second', async (test) => {
  const { scope } = await t.merchant()
  await fund(t.app.parts, scope, 500)
  // PostgreSQL counts a connection's work when it next does something, or has been idle for a while.
  await until(async () => {
    const before = await transactions()
    await observer.query('select pg_sleep(2)')
    return (await transactions()) - before <= 2 * maxPerSecond
  })
  // The server's own work, such as a vacuum, counts too and may take minutes on a busy machine, so the node is
  // measured at its quietest. A node that is never quiet fails.
  const rates: number[] = []
  while (rates.length < 12 && !rates.some((rate) => rate <= maxPerSecond)) {
    const [before, startedAt] = [await transactions(), performance.now()]
    await observer.query('select pg_sleep(5)')
    rates.push(((await transactions()) - before) / ((performance.now() - startedAt) / 1000))
  }
  const perSecond = Math.min(...rates)
  test.diagnostic(`${perSecond.toFixed(1)} transactions per second`)
  assert.ok(perSecond <= maxPerSecond, `${perSecond} transactions a second`)
})

test('commits for a caller never send notifications: nodes send them on their own connections, and rarely', async () => {
  const other = await startTestApp({ anotherNodeOf: t })
  const sent: number[] = []
  const witness = new pg.Client(t.database.connection)
  witness.on('notification', ({ processId }) => sent.push(processId))
  try {
    await witness.connect()
    await witness.query('listen pesewa')
    const merchant = await t.merchant()
    const source = await fund(t.app.parts, merchant.scope, 50_000)
    const account = { name: 'Rent', currency: 'SLE' }
    const target = (await merchant.call('POST', '/v1/financial-accounts', account)).body.result.id
    const before = await transactions()
    sent.length = 0
    const startedAt = performance.now()
    const pay = () =>
      merchant.call('POST', '/v1/internal-transfers', {
        amount: { currency: 'SLE', value: 1 },
        sourceFinancialAccount: { id: source },
        destinationFinancialAccount: { id: target },
      })
    for (let i = 0; i < 20; i++)
      for (const { status, body } of await Promise.all(Array.from({ length: 10 }, pay)))
        assert.equal(status, 200, JSON.stringify(body))
    assert.equal((await merchant.call('POST', '/v1/test-clock', { advance: '1h' })).status, 200)
    const tookMs = performance.now() - startedAt
    await until(() => sent.length > 0)
    const { rows } = await witness.query(
      `select pid from pg_locks where locktype = 'advisory' and classid = $1
        and database = (select oid from pg_database where datname = current_database())`,
      [alivenessLock],
    )
    const nodes = rows.map(({ pid }) => pid)
    assert.equal(nodes.length, 2)
    assert.deepEqual(
      sent.filter((pid) => !nodes.includes(pid)),
      [],
    )
    assert.ok((await transactions()) > before)
    // For each of the two nodes.
    assert.ok(sent.length <= 2 * (tookMs / 10 + 2), `${sent.length} in ${tookMs} ms`)
  } finally {
    await witness.end()
    await other.close()
  }
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { accountIds } from '../../../packages/server/src/ledger/accounts/resources.ts'
import { sql } from '../../../packages/server/src/platform/db/sql.ts'
import type { ListRoute } from '../../../packages/server/src/platform/http/commands/route.ts'
import { readId } from '../../../packages/server/src/platform/ids.ts'
import { type Merchant, startTestApp } from '../../support/harness.ts'

const t = await startTestApp({ work: false })
after(() => t.close())

/** Many more rows than are written during the test. */
const rowsOfSpace = 20_000

async function spaceWithManyRows(): Promise<Merchant> {
  const merchant = await t.merchant()
  const { body } = await merchant.call('POST', '/v1/financial-accounts', { name: 'Rent', currency: 'SLE' })
  const { spaceId, environment } = merchant.scope
  await t.app.parts.db.transaction((tx) =>
    tx.run(sql`
      insert into financial_accounts (space_id, environment, id, name, currency, uvan, metadata, created_at, updated_at)
      select space_id, environment, gen_random_uuid(), name, currency, 'z' || n || id, json_build_object('x', repeat('x', 400)),
        created_at, updated_at
      from financial_accounts, generate_series(1, ${rowsOfSpace}::integer) n
      where space_id = ${spaceId} and environment = ${environment} and id = ${readId(accountIds, body.result.id)!}`),
  )
  return merchant
}

const accounts = t.app.routes.find(
  (route): route is ListRoute => route.kind === 'list' && route.url === '/v1/financial-accounts',
)!
const { present } = accounts
let rows = 0
accounts.present = (row, call) => {
  rows++
  return present(row, call)
}

/** Reads a file as fast as it arrives, until the test stops it. */
async function readFile({ token, spaceId }: Merchant, accept: string, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'service-space-id': spaceId, accept }
  const response = await fetch(`${t.baseUrl}/v1/financial-accounts`, { headers, signal })
  assert.equal(response.status, 200)
  for await (const _ of response.body!) if (signal.aborted) return
}

/**
 * Starts watching the event loop. The returned function gives the largest number of rows written between two
 * turns.
 */
function watchTurns() {
  let [most, before, isOver] = [0, rows, false]
  const look = () => {
    most = Math.max(most, rows - before)
    before = rows
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  return () => {
    isOver = true
    return most
  }
}

test('twenty exports of ten Spaces write a few rows at a time, and only a few while another Space’s call is answered', async () => {
  const other = await t.merchant()
  const exporters = await Promise.all(Array.from({ length: 10 }, spaceWithManyRows))
  const leaving = new AbortController()
  const files = exporters.flatMap((each) =>
    ['text/csv', 'application/x-ndjson'].map((accept) =>
      readFile(each, accept, leaving.signal).then(
        () => assert.ok(leaving.signal.aborted, 'a file ended before the test did'),
        (error) => assert.ok(leaving.signal.aborted, String(error)),
      ),
    ),
  )
  await other.call('GET', '/v1/payments')
  const stop = watchTurns()
  const during: number[] = []
  const begun = rows
  for (let i = 0; i < 60; i++) {
    const before = rows
    await other.call('GET', `/v1/payments?limit=${(i % 50) + 1}`)
    during.push(rows - before)
  }
  const mostOfTurn = stop()
  const written = rows - begun
  leaving.abort()
  await Promise.all(files)
  during.sort((a, b) => a - b)
  const [median, nearlyAll] = [during[30]!, during[57]!]
  assert.ok(written > 0, 'exports continue meanwhile')
  assert.ok(mostOfTurn <= 20, `${mostOfTurn} rows were written in one turn of the event loop`)
  assert.ok(median <= 50 && nearlyAll <= 200, `rows during calls: median ${median}, 95 of 100 ${nearlyAll}`)
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { migrate } from '../../../../packages/server/src/platform/db/migrate.ts'
import { createTestDatabase, migrateOnlyTo } from '../../../support/database.ts'

let place: Awaited<ReturnType<typeof createTestDatabase>>
let client: pg.Client
before(async () => {
  place = await createTestDatabase()
  client = new pg.Client(place.connection)
  await client.connect()
  await migrateOnlyTo(client, 1)
})
after(async () => {
  await client.end()
  await place.drop()
})

const spaceId = '0199a000-0000-7000-8000-000000000001'
const termsOf = async (kind: string) =>
  (await client.query(`select ${kind}_approvals_above_terms($1, 'live') as terms`, [spaceId])).rows[0].terms

test('limits from the two former tables are moved into one, and their seals remain valid', async () => {
  await client.query(
    `insert into payout_approvals_above values ($1, 'live', 'SLE', 500), ($1, 'live', 'GHS', 0), ($1, 'test', 'SLE', 7)`,
    [spaceId],
  )
  await client.query(`insert into refund_approvals_above values ($1, 'live', 'SLE', 900)`, [spaceId])
  const before = [await termsOf('payout'), await termsOf('refund')]
  await migrate(place.connection)
  const { rows } = await client.query(
    `select environment, kind, currency, amount::int from approval_limits order by 1, 2, 3`,
  )
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      ['test', 'payout', 'SLE', 7],
      ['live', 'payout', 'GHS', 0],
      ['live', 'payout', 'SLE', 500],
      ['live', 'refund', 'SLE', 900],
    ],
  )
  assert.deepEqual([await termsOf('payout'), await termsOf('refund')], before)
})

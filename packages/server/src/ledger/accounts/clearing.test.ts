import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../../test/support/database.ts'

const scope = `'018f0000-0000-7000-8000-000000000001', 'test'`

describe('clearing accounts', () => {
  let place: Awaited<ReturnType<typeof createTestDatabase>>
  let client: pg.Client
  before(async () => {
    place = await createTestDatabase()
    client = new pg.Client(place.connection)
    await client.connect()
    await client.query(`
      insert into ledger_accounts (space_id, environment, id, kind, purpose, currency, allows_negative, provider_id,
        direction)
      values
        (${scope}, gen_random_uuid(), 'clearing', 'clearing m17 collection', 'SLE', true, 'm17', 'collection'),
        (${scope}, gen_random_uuid(), 'clearing', 'clearing m-17 disbursement', 'SLE', true, 'm-17', 'disbursement'),
        (${scope}, gen_random_uuid(), 'fees', 'fees', 'SLE', false, null, null),
        (${scope}, gen_random_uuid(), 'financial', null, 'SLE', false, null, null)`)
  })
  after(async () => {
    await client.end()
    await place.drop()
  })

  for (const [change, where] of [
    ["provider_id = 'm18'", "direction = 'collection'"],
    ["direction = 'collection'", "direction = 'disbursement'"],
    ['provider_id = null, direction = null', "direction = 'collection'"],
    ["provider_id = 'm17', direction = 'collection'", "kind = 'fees'"],
    ["provider_id = 'm17'", "kind = 'financial'"],
  ])
    test(`must have exactly one provider, and other accounts none: ${change} where ${where} is refused`, () =>
      assert.rejects(client.query(`update ledger_accounts set ${change} where ${where}`), {
        constraint: 'ledger_accounts_clearing',
      }))
})

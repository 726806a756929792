import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/support/database.ts'
import { ownMigrations } from '../platform/db/migrate.ts'

const scope = `'018f0000-0000-7000-8000-000000000001', 'test'`

const openedBefore = `
  insert into ledger_accounts (space_id, environment, id, kind, purpose, currency, allows_negative) values
    (${scope}, gen_random_uuid(), 'clearing', 'clearing m17 collection', 'SLE', true),
    (${scope}, gen_random_uuid(), 'clearing', 'clearing m-17 disbursement', 'SLE', true),
    (${scope}, gen_random_uuid(), 'fees', 'fees', 'SLE', false),
    (${scope}, gen_random_uuid(), 'financial', null, 'SLE', false);
  insert into ledger_cases (space_id, environment, id, kind, object_type, object_id, amount, currency, reference,
    opened_at)
  select ${scope}, gen_random_uuid(), 'success_after_failure', type, gen_random_uuid(), 1, 'SLE', type, now()
  from unnest(array['payment', 'payout']) type`

describe('clearing accounts', () => {
  let place: Awaited<ReturnType<typeof createTestDatabase>>
  let client: pg.Client
  const rows = async (text: string) => (await client.query(text)).rows
  before(async () => {
    place = await createTestDatabase()
    client = new pg.Client(place.connection)
    await client.connect()
    await client.query('drop schema public cascade; create schema public')
    for (const { version, text } of ownMigrations()) {
      if (version === 33) await client.query(openedBefore)
      await client.query(text)
    }
  })
  after(async () => {
    await client.end()
    await place.drop()
  })

  test('opened before the migration get their provider and direction in columns', async () => {
    assert.deepEqual(
      await rows(`select purpose, provider_id, direction from ledger_accounts order by purpose nulls last`),
      [
        { purpose: 'clearing m-17 disbursement', provider_id: 'm-17', direction: 'disbursement' },
        { purpose: 'clearing m17 collection', provider_id: 'm17', direction: 'collection' },
        { purpose: 'fees', provider_id: null, direction: null },
        { purpose: null, provider_id: null, direction: null },
      ],
    )
  })

  test('have cases with the direction of the money', async () => {
    assert.deepEqual(await rows(`select object_type, direction from ledger_cases order by object_type`), [
      { object_type: 'payment', direction: 'collection' },
      { object_type: 'payout', direction: 'disbursement' },
    ])
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

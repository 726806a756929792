import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type pg from 'pg'
import { ledgerChecks } from '../../src/ledger/checks.ts'
import { paymentChecks } from '../../src/payments/checks.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { verifyBooks } from '../../src/verify.ts'
import { ask, makeDatabase, makeFolder, makeShop, pay, runProgram, startProgram } from '../program.ts'

/** For each check by its first words: what an attacker, a bug or a broken disk did to the rows. */
const tamperings: Record<string, string> = {
  'every reference sums to zero': `update ledger_lines set amount = amount + 1 where id = (select id from ledger_lines where amount > 0 limit 1)`,
  'running balances are continuous': `update ledger_lines set balance_after = balance_after + 1
     where id = (select id from ledger_lines where is_financial order by seq limit 1)`,
  'every balance equals the lines': `update ledger_accounts set posted = posted + 1 where purpose = 'main'`,
  'no account of a merchant is below': `alter table ledger_accounts drop constraint ledger_accounts_not_overdrawn;
     update ledger_accounts set held = posted + 1 where purpose = 'main'`,
  'every case has its money in suspense': `insert into ledger_cases (space_id, environment, id, kind, object_type, object_id, amount, currency, reference, opened_at)
     select space_id, environment, gen_random_uuid(), 'success_after_failure', 'payment', id, amount, currency, 'none', now()
     from payments where status = 'failed'`,
  'every completed payment has one posting': `update payments set amount = amount + 1 where status = 'completed'`,
  'no posting belongs to a payment that is not completed': `update payments set status = 'failed', failure_code = 'unknown', ledger_reference = null where status = 'completed'`,
  'collection clearing equals': `update payments set provider_id = 'm18' where status = 'completed'`,
}

let clean: string

before(async () => {
  const database = await makeDatabase()
  const given = { DATABASE_URL: database.url, DATA_DIR: makeFolder() }
  const program = await startProgram(['serve', '--work'], given)
  const shop = await makeShop(given, program.baseUrl)
  assert.equal((await pay(program, shop, 30_000)).status, 'completed')
  assert.equal((await pay(program, shop, 20_000, '076 123 001')).status, 'failed')
  await program.stop()
  clean = database.connection.database!
})

describe('pesewa verify', () => {
  test('has a tampering here for every check there is', () => {
    const names = [...ledgerChecks, ...paymentChecks].map(({ name }) => name)
    for (const name of names)
      assert.equal(Object.keys(tamperings).filter((start) => name.startsWith(start)).length, 1, name)
    assert.equal(names.length, Object.keys(tamperings).length)
  })

  test('finds nothing in untouched books, and has looked at all of them', async () => {
    const { code, stdout } = await runProgram(['verify', '--json'], { DATABASE_URL: (await copy()).url })
    const { ok, checks } = JSON.parse(stdout)
    assert.deepEqual([code, ok], [0, true])
    const examined = Object.fromEntries(
      checks.map((check: { name: string; examined: string }) => [check.name, check.examined]),
    )
    assert.equal(examined[ledgerChecks[0]!.name], '4')
    assert.equal(examined[paymentChecks[0]!.name], '2')
  })

  test('needs the append-only trigger gone before there is anything to find', async () => {
    const { connection } = await copy()
    await assert.rejects(ask(connection, `update ledger_lines set amount = 1`), /append only/)
    await assert.rejects(ask(connection, `delete from ledger_lines`), /append only/)
  })

  for (const [start, statement] of Object.entries(tamperings))
    test(`finds by "${start} …" what contradicts it`, async () => {
      const { connection } = await copy()
      await ask(connection, `alter table ledger_lines disable trigger user; ${statement}`)
      const db = openDatabase(connection, { maxConnections: 1, onIdleError: () => {} })
      const { ok, checks } = await verifyBooks(db).finally(() => db.close())
      assert.equal(ok, false)
      const [difference] = checks.find(({ name }) => name.startsWith(start))!.differences
      assert.ok((difference as { spaceId?: string }).spaceId, 'a difference names where it is')
    })

  test('exits with 1 and names the differences, for people and as JSON', async () => {
    const { connection, url } = await copy()
    await ask(connection, tamperings['every balance equals the lines']!)
    const inJson = await runProgram(['verify', '--json'], { DATABASE_URL: url })
    const { ok, checks } = JSON.parse(inJson.stdout)
    assert.deepEqual([inJson.code, inJson.stderr, ok], [1, '', false])
    assert.deepEqual(
      checks
        .filter(({ differences }: { differences: [] }) => differences.length > 0)
        .map(({ name }: { name: string }) => name),
      ['every balance equals the lines of its account'],
    )
    const { code, stdout, stderr } = await runProgram(['verify'], { DATABASE_URL: url })
    assert.deepEqual([code, stderr], [1, ''])
    assert.match(stdout, /^FAIL every balance equals the lines of its account \(\d+\)\n {7}\{"spaceId":/m)
  })

  test('finds a line that was taken out, and a payment booked twice', async () => {
    const removed = await copy()
    await tamper(removed.connection, `delete from ledger_lines where is_financial and amount > 0`)
    assert.equal((await runProgram(['verify'], { DATABASE_URL: removed.url })).code, 1)
    const twice = await copy()
    await tamper(
      twice.connection,
      `select ledger_post(p.space_id, p.environment, false, ids, array[1, 1],
         array[gen_random_uuid(), gen_random_uuid()],
         array[array_position(ids, clearing), array_position(ids, p.financial_account_id)],
         array[-p.amount, p.amount], array[0, 0], array[null, null]::text[], array['twice', 'twice'],
         array['[]', '[]'], array[now(), now()])
       from payments p, (select id as clearing from ledger_accounts where kind = 'clearing') c,
         lateral (select array_agg(id order by id) as ids from unnest(array[clearing, p.financial_account_id]) id) a
       where status = 'completed'`,
    )
    assert.equal((await runProgram(['verify'], { DATABASE_URL: twice.url })).code, 1)
  })
})

const copy = () => makeDatabase({ like: clean })

const tamper = (connection: pg.ClientConfig, statement: string) =>
  ask(connection, `alter table ledger_lines disable trigger user; ${statement}`)

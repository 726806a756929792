import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { eventIds } from '../../../../packages/server/src/events/resources.ts'
import { newReference } from '../../../../packages/server/src/ledger/accounts/reference.ts'
import { accountIds, transactionIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { newId, showId } from '../../../../packages/server/src/platform/ids.ts'
import { startTestApp } from '../../../support/harness.ts'
import { idsOf, insertRows, param, type Row } from '../../../support/lists.ts'

const t = await startTestApp({ work: false, hasLiveProvider: true })
after(() => t.close())

const [count, second, minute, day] = [400, 1_000, 60_000, 86_400_000]
const began = Date.parse('2026-01-01T00:00:00Z')

/** The booking times in order of number: by a clock that is slightly off, or one that is set back and forth. */
const clocks = {
  live: (i: number) => began + i * 30 * second + ((i * 37) % 8) * 30 * second,
  test: (i: number) => began + i * 30 * second + (i % 97 < 30 ? 40 * day : 0),
}

const typeAt = (i: number) => (i % 3 === 0 ? 'payment.failed' : 'payment.created')

const range = fc
  .tuple(fc.integer({ min: -20, max: 260 }), fc.integer({ min: 0, max: 300 }))
  .map(([from, length]) => [began + from * minute, began + (from + length) * minute + 1] as const)

for (const environment of ['live', 'test'] as const) {
  const merchant = await t.merchant({ environment })
  describe(`in ${environment}`, () => {
    const account = newId(new Date(began))
    const moments = Array.from({ length: count }, (_, i) => new Date(clocks[environment](i)))
    const ids = moments.map(newId)
    const lines = moments.map(
      (at, i): Row => ({
        id: ids[i],
        account_id: account,
        seq: i + 1,
        amount: i % 3 === 0 ? -1 : 1,
        currency: 'SLE',
        balance_after: 0,
        reference: newReference(at),
        is_financial: true,
        owners: '[]',
        at,
      }),
    )
    const latest = moments.map((_, i) => new Date(Math.max(...moments.slice(0, i + 1).map(Number))))
    const facts = moments.map(
      (at, i): Row => ({
        id: ids[i],
        number: i + 1,
        object_type: 'payment',
        object_id: account,
        data: '{}',
        at,
        types: [typeAt(i)],
      }),
    )
    const eventsOf = (kinds: Map<string, number>) =>
      moments.map(
        (at, i): Row => ({
          count: 1,
          position: i + 1,
          sequence: i + 1,
          object_id: account,
          kind: kinds.get(typeAt(i))!,
          fact_number: i + 1,
          at,
          latest_at: latest[i],
        }),
      )
    const { db } = t.app.parts
    before(async () => {
      // The clock of the next Space continues from these events.
      await insertRows(db, 'financial_accounts', merchant.scope, [
        {
          id: account,
          name: 'Till',
          currency: 'SLE',
          uvan: environment === 'live' ? '0000000000000001' : '0000000000000002',
          metadata: '{}',
          created_at: new Date(began),
          updated_at: new Date(began),
        },
      ])
      await db.pool.query(`delete from sequenced_facts where space_id = $1 and environment = $2`, [
        merchant.scope.spaceId,
        environment,
      ])
      await insertRows(db, 'ledger_lines', merchant.scope, lines)
      await insertRows(db, 'event_facts', merchant.scope, facts)
      await db.pool.query(
        `insert into fact_kinds (types, has_lines) values ('{payment.failed}', false), ('{payment.created}', false)
         on conflict do nothing`,
      )
      const { rows } = await db.pool.query(
        'select types[1] as type, kind from fact_kinds where not has_lines and cardinality(types) = 1',
      )
      const kinds = new Map<string, number>(rows.map(({ type, kind }) => [type, kind]))
      await insertRows(db, 'sequenced_facts', merchant.scope, eventsOf(kinds))
    })

    /** Returns the entries in a period, newest first, as in the list. */
    const fitting = ([from, to]: readonly [number, number], fits: (i: number) => boolean) =>
      moments.flatMap((at, i) => (Number(at) >= from && Number(at) < to && fits(i) ? [i] : [])).reverse()
    const timesOf = ([from, to]: readonly [number, number]) => [
      param('from', new Date(from).toISOString()),
      param('to', new Date(to).toISOString()),
    ]

    test('lines of an account are found by time, however its clock was moved', async () => {
      await fc.assert(
        fc.asyncProperty(range, fc.constantFrom('', 'type=debit'), async (times, type) => {
          const query = [param('financialAccountId', showId(accountIds, account)), ...timesOf(times), type]
          const wanted = fitting(times, (i) => type === '' || i % 3 === 0)
          assert.deepEqual(
            await idsOf(merchant, '/v1/financial-transactions', query.filter(Boolean), 50),
            wanted.map((i) => showId(transactionIds, ids[i]!)),
          )
        }),
        { numRuns: 30 },
      )
    })

    test('events are found by time, in sequence', async () => {
      await fc.assert(
        fc.asyncProperty(range, fc.constantFrom('', 'type=payment.failed'), async (times, type) => {
          const wanted = fitting(times, (i) => type === '' || i % 3 === 0)
          assert.deepEqual(
            await idsOf(merchant, '/v1/events', [...timesOf(times), type].filter(Boolean), 50),
            wanted.map((i) => showId(eventIds, ids[i]!)),
          )
        }),
        { numRuns: 30 },
      )
    })

    test('a line is found by its posting and an event by its object, each combined with other filters', async () => {
      const [line] = lines
      const q = param('q', line!.reference)
      const shown = [showId(transactionIds, String(line!.id))]
      assert.deepEqual(await idsOf(merchant, '/v1/financial-transactions', [q]), shown)
      assert.deepEqual(await idsOf(merchant, '/v1/financial-transactions', [q, 'type=debit']), shown)
      assert.deepEqual(await idsOf(merchant, '/v1/financial-transactions', [q, 'type=credit']), [])
      const ofAccount = [param('q', showId(accountIds, account))]
      assert.equal((await idsOf(merchant, '/v1/financial-transactions', ofAccount, 50)).length, count)
      assert.equal((await idsOf(merchant, '/v1/events', ofAccount, 50)).length, count)
      assert.equal(
        (await idsOf(merchant, '/v1/events', [...ofAccount, 'type=payment.failed'], 50)).length,
        Math.ceil(count / 3),
      )
    })
  })
}

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import fc from 'fast-check'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { type Merchant, startTestApp } from '../../../support/harness.ts'
import { createBookkeeping } from '../reconciliation/statements.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const { db } = t.app.parts
const bookkeeping = createBookkeeping(t, rail)
after(async () => {
  await t.close()
  bookkeeping.close()
})

const path = '/v1/settlements'
const bodyOf = (value: number, more: object = {}) => ({
  kind: 'payout_to_bank',
  providerId: 'm17',
  amount: { currency: 'SLE', value },
  bankReference: `FT-${randomUUID()}`,
  valueDate: '2026-01-31',
  ...more,
})
const topUp = (value: number, more: object = {}) => bodyOf(value, { kind: 'float_top_up', ...more })
const book = (merchant: Merchant, body: object, headers: Record<string, string> = {}) =>
  merchant.call('POST', path, body, headers)
const reverse = (merchant: Merchant, id: string, body: object = { reason: 'Booked by mistake' }) =>
  merchant.call('POST', `${path}/${id}/reverse`, body)

/** Returns the balances of the service's own accounts, by purpose. */
async function balances({ scope }: Merchant): Promise<Record<string, bigint>> {
  const rows = await db.query<{ purpose: string; posted: bigint }>(sql`
    select purpose, posted from ledger_accounts
    where space_id = ${scope.spaceId} and environment = ${scope.environment} and kind in ('clearing', 'bank')`)
  return Object.fromEntries(rows.map(({ purpose, posted }) => [purpose, posted]))
}

async function shopWith(collected: number) {
  const merchant = await t.merchant()
  if (collected > 0) await bookkeeping.pay(merchant, collected)
  return merchant
}

describe('POST /v1/settlements', () => {
  test('200: a payout to the bank leaves clearing, with lines, an audit entry and an event', async () => {
    const merchant = await shopWith(1_000)
    const body = bodyOf(600, { note: 'Week 5' })
    const { status, body: answer } = await book(merchant, body)
    assert.equal(status, 200)
    const { id, financialTransactionReference, createTime, updateTime, ownershipGraph, ...shown } =
      answer.result
    assert.deepEqual(shown, {
      ...body,
      status: 'booked',
      direction: 'collection',
      isAdvance: false,
      createdBy: shown.createdBy,
      reversal: null,
    })
    assert.match(shown.createdBy, /^usr-\w{26}$/)
    assert.match(id, /^stl-\w{26}$/)
    assert.equal(createTime, updateTime)
    assert.equal(ownershipGraph.owner.id, merchant.spaceId)
    assert.deepEqual(await balances(merchant), { 'clearing m17 collection': -400n, bank: -600n })
    const entries = await db.query<{ action: string; actor: string; reason: string }>(sql`
      select action, actor, reason from audit_entries
      where space_id = ${merchant.scope.spaceId} and environment = 'test'`)
    assert.deepEqual(entries, [{ action: 'settlement.book', actor: shown.createdBy, reason: 'Week 5' }])
    const events = (await t.events(merchant.scope)).filter(({ type }) => type.startsWith('settlement.'))
    assert.deepEqual(
      events.map(({ type, data }) => [type, data]),
      [['settlement.created', answer.result]],
    )
    assert.deepEqual((await merchant.call('GET', `${path}/${id}`)).body.result, answer.result)
    assert.ok(financialTransactionReference)
    await t.verify()
  })

  test('200: float can be topped up regardless of payouts, and the rest of it can be paid back to the bank', async () => {
    const merchant = await shopWith(0)
    assert.equal((await book(merchant, topUp(5_000))).body.result.direction, 'disbursement')
    assert.deepEqual(await balances(merchant), { 'clearing m17 disbursement': -5_000n, bank: 5_000n })
    const back = bodyOf(5_000, { direction: 'disbursement' })
    assert.equal((await book(merchant, back)).status, 200)
    assert.deepEqual(await balances(merchant), { 'clearing m17 disbursement': 0n, bank: 0n })
    await t.verify()
  })

  test('409: more than the provider owes, unless it paid in advance', async () => {
    const merchant = await shopWith(1_000)
    const refused = await book(merchant, bodyOf(1_001))
    assert.deepEqual([refused.status, refused.body.error.reason], [409, 'state_conflict'])
    assert.match(JSON.stringify(refused.body), /exceeds the 1000 that the provider owes/)
    assert.deepEqual(await balances(merchant), { 'clearing m17 collection': -1_000n })
    assert.deepEqual((await merchant.call('GET', path)).body.result, [])
    assert.equal((await book(merchant, bodyOf(1_001, { isAdvance: true }))).status, 200)
    const more = await book(merchant, bodyOf(1))
    assert.match(JSON.stringify(more.body), /exceeds the 0 that the provider owes/)
    assert.equal((await book(await shopWith(0), bodyOf(1))).status, 409, 'nothing was collected')
  })

  test('409: a bank entry is booked once, even concurrently', async () => {
    const merchant = await shopWith(1_000)
    const body = bodyOf(10)
    const answers = await Promise.all(Array.from({ length: 10 }, () => book(merchant, body)))
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, ...Array(9).fill(409)],
    )
    const refused = answers.find(({ status }) => status === 409)!
    assert.equal(refused.body.error.reason, 'reference_in_use')
    assert.match(JSON.stringify(refused.body), /bankReference/)
    assert.equal((await book(merchant, { ...body, bankReference: ` ${body.bankReference} ` })).status, 409)
    assert.equal((await balances(merchant)).bank, -10n)
    // An entry in the other direction, or of another Space, is a different one.
    assert.equal((await book(merchant, { ...topUp(10), bankReference: body.bankReference })).status, 200)
    assert.equal((await book(await shopWith(10), body)).status, 200)
  })

  test('the same key books once, and is refused with a different body', async () => {
    const merchant = await shopWith(0)
    const [body, headers] = [topUp(10), { 'idempotency-key': randomUUID() }]
    const [one, other] = [await book(merchant, body, headers), await book(merchant, body, headers)]
    assert.deepEqual(one.body, other.body)
    assert.equal((await book(merchant, topUp(11), headers)).status, 409)
    assert.equal((await balances(merchant)).bank, 10n)
  })

  const bad: [string, object, string][] = [
    ['no body', {}, 'kind'],
    ['an unknown kind', bodyOf(1, { kind: 'gift' }), 'kind'],
    ['an unknown provider', bodyOf(1, { providerId: 'nobody' }), 'providerId'],
    ['an unknown direction', bodyOf(1, { direction: 'up' }), 'direction'],
    ['a float top-up for collections', topUp(1, { direction: 'collection' }), 'direction'],
    ['an amount of zero', bodyOf(0), 'amount.value'],
    ['a negative amount', bodyOf(-1), 'amount.value'],
    ['a fraction', bodyOf(1.5), 'amount.value'],
    ['more than the maximum', bodyOf(2 ** 53), 'amount.value'],
    ['an unknown currency', bodyOf(1, { amount: { currency: 'XXX', value: 1 } }), 'amount.currency'],
    ['another provider’s currency', bodyOf(1, { amount: { currency: 'GHS', value: 1 } }), 'amount.currency'],
    ['no reference', bodyOf(1, { bankReference: '' }), 'bankReference'],
    ['a reference of spaces only', bodyOf(1, { bankReference: '  ' }), 'bankReference'],
    ['a long reference', bodyOf(1, { bankReference: 'x'.repeat(101) }), 'bankReference'],
    ['an invalid day', bodyOf(1, { valueDate: '2026-02-30' }), 'valueDate'],
    ['a time instead of a day', bodyOf(1, { valueDate: '2026-01-31T00:00:00Z' }), 'valueDate'],
    ['a day in the future', bodyOf(1, { valueDate: '2999-01-01' }), 'valueDate'],
    ['a long note', bodyOf(1, { note: 'x'.repeat(501) }), 'note'],
    ['a non-boolean flag', bodyOf(1, { isAdvance: 'yes' }), 'isAdvance'],
    ['an unknown field', bodyOf(1, { iban: 'x' }), 'iban'],
  ]
  for (const [what, body, param] of bad)
    test(`400 with ${what}: ${param}`, async () => {
      const { status, body: answer } = await book(await shopWith(0), body)
      assert.deepEqual([status, answer.error.reason], [400, 'arguments_invalid'])
      assert.ok(JSON.stringify(answer).includes(`"${param}"`), JSON.stringify(answer))
    })

  test('403 for developers and viewers, who may read; owners, admins and finance may book', async () => {
    const statuses: Record<string, number[]> = {}
    for (const role of ['owner', 'admin', 'finance', 'developer', 'viewer']) {
      const merchant = await t.merchant({ role })
      const booked = await book(merchant, topUp(10))
      statuses[role] = [booked.status, (await merchant.call('GET', path)).status]
    }
    assert.deepEqual(statuses, {
      owner: [200, 200],
      admin: [200, 200],
      finance: [200, 200],
      developer: [403, 200],
      viewer: [403, 200],
    })
    const reader = await t.merchant({ scopes: ['settlements:read'] })
    assert.equal((await book(reader, topUp(10))).status, 403)
    assert.equal((await (await t.merchant({ scopes: ['payments:read'] })).call('GET', path)).status, 403)
  })

  test('concurrent bookings add up as if they were made one after the other, and never exceed what is owed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 2, maxLength: 8 }),
        async (values) => {
          const merchant = await shopWith(1_000)
          const answers = await Promise.all(values.map((value) => book(merchant, bodyOf(value))))
          const paid = values
            .filter((_, i) => answers[i]!.status === 200)
            .reduce((sum, value) => sum + value, 0)
          assert.ok(paid <= 1_000)
          for (const { status } of answers) assert.ok(status === 200 || status === 409)
          assert.equal((await balances(merchant))['clearing m17 collection'], BigInt(paid - 1_000))
        },
      ),
      { numRuns: 5 },
    )
    await t.verify()
  })
})

describe('POST /v1/settlements/{id}/reverse', () => {
  test('200: the same lines in reverse, with who did it and why; the reference can be used again', async () => {
    const merchant = await shopWith(1_000)
    const body = bodyOf(600)
    const booked = (await book(merchant, body)).body.result
    const { status, body: answer } = await reverse(merchant, booked.id)
    assert.equal(status, 200)
    const { reversal, ...reversed } = answer.result
    const { reversal: none, ...before } = booked
    const changing = { status: '', updateTime: '' }
    assert.deepEqual({ ...reversed, ...changing }, { ...before, ...changing })
    assert.equal(none, null)
    assert.deepEqual([reversed.status, reversal.reason], ['reversed', 'Booked by mistake'])
    assert.equal(reversal.by, booked.createdBy)
    assert.deepEqual(await balances(merchant), { 'clearing m17 collection': -1_000n, bank: 0n })
    const events = await t.events(merchant.scope)
    assert.deepEqual(
      events.filter(({ type }) => type.startsWith('settlement.')).map(({ type }) => type),
      ['settlement.created', 'settlement.reversed'],
    )
    assert.equal((await book(merchant, body)).status, 200)
    await t.verify()
  })

  test('409 the second time, even concurrently; 404 for an unknown settlement or another Space’s; 400 without a reason', async () => {
    const merchant = await shopWith(0)
    const { id } = (await book(merchant, topUp(100))).body.result
    for (const body of [{}, { reason: '' }, { reason: ' ' }, { reason: 'x'.repeat(501) }, { reason: 7 }])
      assert.equal((await reverse(merchant, id, body)).status, 400, JSON.stringify(body))
    assert.equal((await reverse(await t.merchant(), id)).status, 404)
    assert.equal(
      (await reverse(await t.merchant({ sameUserAs: merchant, environment: 'live' }), id)).status,
      404,
    )
    assert.equal((await reverse(merchant, 'stl-00000000000000000000000000')).status, 404)
    assert.equal((await reverse(merchant, id.replace('stl', 'pay'))).status, 404)
    const reader = await t.merchant({ sameUserAs: merchant, scopes: ['settlements:read'] })
    assert.equal((await reverse(reader, id)).status, 403)
    const answers = await Promise.all([1, 2, 3].map(() => reverse(merchant, id)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
    assert.deepEqual(await balances(merchant), { 'clearing m17 disbursement': 0n, bank: 0n })
  })
})

describe('GET /v1/settlements', () => {
  test('lists them in pages, latest first, and by the bank’s reference', async () => {
    const merchant = await shopWith(0)
    const ids: string[] = []
    for (const providerId of ['m17', 'm18', 'm17'])
      ids.unshift((await book(merchant, topUp(10, { providerId }))).body.result.id)
    const list = async (query: string) => (await merchant.call('GET', `${path}?${query}`)).body
    const listed = async (query: string) => (await list(query)).result.map(({ id }: { id: string }) => id)
    assert.deepEqual(await listed(''), ids)
    const first = await list('limit=2')
    const next = await listed(`limit=2&after=${encodeURIComponent(first.pagination.next)}`)
    assert.deepEqual([...first.result.map(({ id }: { id: string }) => id), ...next], ids)
    const { bankReference } = first.result[0]
    assert.deepEqual(await listed(`bankReference=${encodeURIComponent(bankReference)}`), [ids[0]])
    assert.deepEqual(await listed('bankReference=none'), [])
    assert.deepEqual(await listed('status=booked'), await listed(''))
    assert.deepEqual(await listed('status=reversed'), [])
    for (const query of ['limit=0', 'limit=51', 'after=x', `bankReference=${'x'.repeat(101)}`, 'status=paid'])
      assert.equal((await merchant.call('GET', `${path}?${query}`)).status, 400, query)
    const stranger = await t.merchant()
    assert.deepEqual((await stranger.call('GET', path)).body.result, [])
    assert.equal((await stranger.call('GET', `${path}/${ids[0]}`)).status, 404)
  })
})

describe('reconciliation', () => {
  test('matches a settlement by the bank’s reference, in its direction; a reversed one is not an open item', async () => {
    const merchant = await shopWith(0)
    const paid = await bookkeeping.pay(merchant, 9_000)
    const out = bodyOf(8_000)
    const into = topUp(3_000)
    for (const body of [out, into]) assert.equal((await book(merchant, body)).status, 200)
    const mistaken = (await book(merchant, topUp(70))).body.result
    await reverse(merchant, mistaken.id)
    const before = await bookkeeping.reconcile()
    const at = new Date()
    await bookkeeping.import([
      { id: 's1', reference: paid.reference, at, value: 9_000 },
      { id: 's2', reference: out.bankReference, at, value: 8_000, way: 'disbursement' },
      { id: 's3', reference: into.bankReference, at, value: 3_000, way: 'collection' },
      { id: 's4', reference: into.bankReference, at, value: 3_000, way: 'disbursement' },
    ])
    const report = await bookkeeping.reconcile()
    assert.equal(report.linesMatched - before.linesMatched, 3n)
    assert.deepEqual(report.valueMatched, [{ currency: 'SLE', in: 12_000n, out: 8_000n, net: 4_000n }])
    assert.deepEqual(report.proof.differences, [])
    const names = report.openItems.items.map(({ lineId, objectId }) => lineId ?? objectId)
    assert.ok(names.includes('s4'), 'it went in the other direction')
    const items = report.openItems.items.filter(({ spaceId }) => spaceId === merchant.scope.spaceId)
    assert.deepEqual(items, [])
    await t.verify()
  })
})

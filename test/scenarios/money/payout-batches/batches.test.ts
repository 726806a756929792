import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { setLimit } from '../../../../packages/server/src/money/approvals/limits.ts'
import { setFee } from '../../../../packages/server/src/money/fees/fees.ts'
import { batchIds, payoutIds } from '../../../../packages/server/src/money/payouts/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId, showId } from '../../../../packages/server/src/platform/ids.ts'
import { userIds } from '../../../../packages/server/src/tenants/spaces/resources.ts'
import { type Answer, type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const { db } = t.app.parts

const path = '/v1/payout-batches'
/**
 * Returns the phone number of a payee who accepts the money: its last three digits have no special meaning in
 * the simulator.
 */
const phone = (n: number) => `+23276${100_100 + Math.floor(n / 900) * 1_000 + (n % 900)}`
const rowOf = (value: number, n = 1, more: object = {}) => ({
  amount: { currency: 'SLE', value },
  destination: { type: 'momo', providerId: 'm17', phoneNumber: phone(n) },
  ...more,
})
const rowsOf = (count: number, value = 100) => Array.from({ length: count }, (_, i) => rowOf(value, i))

// biome-ignore lint/suspicious/noExplicitAny: JSON from the wire; every response is checked against its schema
type Shown = any

/** Creates a funded Space that requires approval above an amount, and another member of it. */
async function shop({ funds = 10_000, above = 1_000n as bigint | null } = {}) {
  const merchant = await t.merchant()
  const main = await fund(t.app.parts, merchant.scope, funds)
  if (above !== null) await db.transaction((tx) => setLimit(tx, merchant.scope, 'payout', 'SLE', above))
  const other = await t.merchant({ sameUserAs: { ...merchant, userId: (await t.merchant()).userId } })
  const make = (rows: object[], more: object = {}) =>
    merchant.call('POST', path, { name: 'Salaries', rows, ...more })
  const get = async (id: string): Promise<Shown> => (await merchant.call('GET', `${path}/${id}`)).body.result
  const decide = (id: string, verb: string, as: Merchant = other) =>
    as.call('POST', `${path}/${id}/${verb}`, {})
  const payoutsOf = async (id: string): Promise<Shown[]> =>
    (await merchant.call('GET', `/v1/payouts?limit=50&batchId=${id}`)).body.result
  const balance = async () => {
    const { body } = await merchant.call('GET', `/v1/financial-accounts/${main}?withBalance=true`)
    return [body.result.balance.available.value, body.result.balance.held.value]
  }
  return { merchant, main, other, make, get, decide, payoutsOf, balance }
}

const reasonOf = ({ status, body }: Answer) =>
  body.error ? `${status} ${body.error.reason}` : String(status)

/** Runs the simulated rail's pending work, and waits until the batch completes. */
const completed = (get: (id: string) => Promise<Shown>, id: string): Promise<Shown> =>
  until(async () => {
    await rail.advance(300)
    const batch = await get(id)
    return batch.status === 'completed' && batch
  })

const eventsOf = async ({ scope }: Merchant, id: string) =>
  (await t.events(scope, readId(batchIds, id))).map(({ type }) => type)

describe('POST /v1/payout-batches', () => {
  test('200 without approval: all payouts are created with the batch and name it, and it completes when all of them have ended', async () => {
    const { merchant, make, get, payoutsOf, balance } = await shop({ above: null })
    const { status, body } = await make([
      rowOf(300, 1, { name: 'Fatu', reference: 'march', metadata: { team: 'north' } }),
      rowOf(200, 2),
    ])
    assert.equal(status, 200)
    const { id, counts } = body.result
    assert.equal(counts.pending + counts.processing, 2)
    assert.deepEqual(
      { ...body.result, id: '', counts: {}, createTime: '', updateTime: '' },
      {
        id: '',
        status: 'processing',
        name: 'Salaries',
        source: { financialAccountId: null },
        counts: {},
        totals: [
          {
            amount: { currency: 'SLE', value: 500 },
            completed: { currency: 'SLE', value: 0 },
            failed: { currency: 'SLE', value: 0 },
          },
        ],
        approval: null,
        createUserId: showId(userIds, merchant.userId),
        createTime: '',
        updateTime: '',
        ownershipGraph: { owner: { id: merchant.spaceId, type: 'space', metadata: {}, owner: {} } },
      },
    )
    assert.deepEqual(await balance(), [9_500, 500])
    const batch = await completed(get, id)
    assert.deepEqual(batch.counts, { rows: 2, pending: 0, processing: 0, completed: 2, failed: 0 })
    assert.equal(batch.totals[0].completed.value, 500)
    assert.deepEqual(await balance(), [9_500, 0])

    const payouts = await payoutsOf(id)
    assert.deepEqual(
      payouts.map((payout) => [payout.batchId, payout.amount.value, payout.approval, payout.metadata]),
      [
        [id, 200, null, {}],
        [id, 300, null, { team: 'north' }],
      ],
    )
    const rows = (await merchant.call('GET', `${path}/${id}/rows`)).body.result
    assert.deepEqual(
      rows.map((row: Shown) => [row.number, row.name, row.reference, row.payout.id, row.payout.status]),
      [
        [1, 'Fatu', 'march', payouts[1].id, 'completed'],
        [2, null, null, payouts[0].id, 'completed'],
      ],
    )
    assert.deepEqual(await eventsOf(merchant, id), ['payout_batch.created', 'payout_batch.completed'])
    const [, last] = await t.events(merchant.scope, readId(batchIds, id))
    assert.deepEqual(last!.data, batch)
    await t.verify()
  })

  test('200 for a CSV file, with the same result as its rows', async () => {
    const { merchant, get, payoutsOf } = await shop({ above: null })
    const csv = [
      '\ufeff"Reference";Amount;Currency;Type;Provider;Account;Name',
      `"Nov; 1";3,00;SLE;momo;Orange money;${phone(1)};"Fatu ""F"" Kamara"`,
      ';2.5;SLE;bank;slb001;00-1122 3344;',
      '',
      ';;;;;;',
    ].join('\r\n')
    const { status, body } = await merchant.call('POST', path, { name: 'Suppliers', csv })
    assert.equal(status, 200, JSON.stringify(body))
    await completed(get, body.result.id)
    const rows = (await merchant.call('GET', `${path}/${body.result.id}/rows`)).body.result
    assert.deepEqual(
      rows.map(({ payout, ...row }: Shown) => row),
      [
        {
          number: 1,
          amount: { currency: 'SLE', value: 300 },
          destination: { type: 'momo', providerId: 'm17', phoneNumber: phone(1) },
          name: 'Fatu "F" Kamara',
          reference: 'Nov; 1',
          metadata: {},
        },
        {
          number: 2,
          amount: { currency: 'SLE', value: 250 },
          destination: { type: 'bank', providerId: 'slb001', accountNumber: '0011223344' },
          name: null,
          reference: null,
          metadata: {},
        },
      ],
    )
    assert.equal((await payoutsOf(body.result.id)).length, 2)
  })

  test('400 with the errors of all rows, and nothing of the batch is stored', async () => {
    const { merchant, make } = await shop()
    const faulty = await make([
      rowOf(100),
      { ...rowOf(0), destination: { type: 'momo', providerId: 'none', phoneNumber: '+23276123456' } },
      rowOf(100, 1, { amount: { currency: 'EUR', value: 1 } }),
      rowOf(100, 1, { destination: { type: 'momo', providerId: 'm17', phoneNumber: '+23277123456' } }),
      rowOf(100, 1, { name: ' ', reference: 'x'.repeat(65), strange: true }),
    ])
    assert.equal(reasonOf(faulty), '400 arguments_invalid')
    assert.deepEqual(faulty.body.error.details.map(({ param }: Shown) => param).toSorted(), [
      'rows[1].amount.value',
      'rows[1].destination.providerId',
      'rows[2].amount.currency',
      'rows[3].destination.phoneNumber',
      'rows[4].name',
      'rows[4].reference',
      'rows[4].strange',
    ])
    assert.deepEqual((await merchant.call('GET', path)).body.result, [])
    const stored = await db.one(sql`
      select count(*) from payout_batch_rows where space_id = ${merchant.scope.spaceId}`)
    assert.deepEqual(stored, { count: 0n })
  })

  test('400 for a faulty file, naming the line (not counting the headings) and the column', async () => {
    const { merchant } = await shop()
    const send = async (csv: string) => {
      const { status, body } = await merchant.call('POST', path, { name: 'Suppliers', csv })
      assert.equal(status, 400)
      return body.error.details.map(({ param, errors }: Shown) => `${param} ${errors.join('; ')}`)
    }
    const head = 'amount,currency,type,provider,account\n'
    assert.deepEqual(
      await send(`${head}"1,500.00",SLE,momo,m17,${phone(1)}\n1.005,SLE,momo,m17,076\n1,XXX,cash,,`),
      [
        'csv[0].amount is not a valid amount in SLE; enter an amount such as 1500.00',
        'csv[1].amount is not a valid amount in SLE; enter an amount such as 1500.00',
        'csv[1].account is not a phone number in the provider’s country',
        'csv[2].type must be one of bank, momo, wallet',
        'csv[2].provider is required',
        'csv[2].currency is not a supported currency',
      ],
    )
    for (const zero of ['0', '0.00', '-1', '1e3', '01', '+1', '9'.repeat(40), ' '])
      assert.match((await send(`${head}${zero},SLE,momo,m17,${phone(1)}`))[0]!, /^csv\[0\]\.amount /)
    assert.deepEqual(await send(`${head}1,SLE,momo`), ['csv[0] has 3 cells but 5 headings'])
    assert.deepEqual(await send(head), ['csv has no lines after the headings'])
    assert.deepEqual(await send('amount,currency,amount,iban\n1,2,3,4'), [
      'csv has no column type; has no column provider; has no column account; has the column amount twice; has unknown columns (1); the known ones are amount, currency, type, provider, account, name, reference',
    ])
    assert.deepEqual(await send(`${head}1,SLE,"momo`), ['csv is not valid CSV: quote not closed'])
    assert.deepEqual(await send(head + `1,SLE,momo,m17,${phone(1)}\n`.repeat(1_001)), [
      'csv has more than 1000 lines after the headings',
    ])
  })

  test('400 for neither rows nor a file, for both, for no rows, and for more than a thousand; 413 beyond the body limit', async () => {
    const { make, merchant } = await shop()
    for (const body of [{}, { rows: [] }, { csv: '' }, { rows: [rowOf(1)], csv: 'amount' }, { rows: 7 }])
      assert.equal(
        reasonOf(await merchant.call('POST', path, { name: 'x', ...body })),
        '400 arguments_invalid',
      )
    const short = { amount: { currency: 'SLE', value: 1 }, destination: { type: 'momo' } }
    assert.equal(reasonOf(await make(Array(1_001).fill(short))), '400 arguments_invalid')
    assert.equal(reasonOf(await make([rowOf(1, 1, { name: 'x'.repeat(262_144) })])), '413 body_too_large')
    assert.equal(reasonOf(await make([rowOf(9_007_199_254_740_991), rowOf(1)])), '400 arguments_invalid')
  })

  test('400 for a source that does not exist or has another currency', async () => {
    const { make, merchant } = await shop()
    const ghs = await fund(t.app.parts, merchant.scope, 100, { currency: 'GHS' })
    const paramsOf = async (financialAccountId: string) =>
      (await make([rowOf(1)], { source: { financialAccountId } })).body.error.details.map(
        ({ param }: Shown) => param,
      )
    assert.deepEqual(await paramsOf('fac-none'), ['source.financialAccountId'])
    assert.deepEqual(await paramsOf(ghs), ['rows[0].amount.currency'])
  })

  test('409 if the balance is too low, before any payout is created; accepted when it is sufficient', async () => {
    const { merchant, make, balance } = await shop({ funds: 250, above: null })
    assert.equal(reasonOf(await make(rowsOf(3))), '409 fund_insufficient')
    assert.deepEqual((await merchant.call('GET', '/v1/payouts')).body.result, [])
    assert.deepEqual(await balance(), [250, 0])
    assert.equal((await make(rowsOf(2))).status, 200)
    assert.deepEqual(await balance(), [50, 200])
  })

  test('a repeated key returns the same batch', async () => {
    const { merchant, payoutsOf } = await shop({ above: null })
    const body = { name: 'Salaries', rows: rowsOf(3) }
    const send = () => merchant.call('POST', path, body, { 'idempotency-key': 'november' })
    const [one, again] = await Promise.all([send(), send()])
    assert.equal(one!.body.result.id, again!.body.result.id)
    assert.equal((await payoutsOf(one!.body.result.id)).length, 3)
  })
})

describe('approval of a batch', () => {
  test('is needed above the limit for the total, for one row, or together with the creator’s other payouts of that day', async () => {
    const statusOf = async (rows: object[], before?: number) => {
      const { merchant, make } = await shop({ above: 1_000n })
      if (before) await merchant.call('POST', '/v1/payouts', rowOf(before))
      return (await make(rows)).body.result.status
    }
    assert.equal(await statusOf(rowsOf(10)), 'processing')
    assert.equal(await statusOf(rowsOf(11)), 'pending')
    assert.equal(await statusOf([rowOf(1_001)]), 'pending')
    assert.equal(await statusOf(rowsOf(10), 1), 'pending')
  })

  test('403 for its creator, 200 for another user; its payouts then exist, approved by that user', async () => {
    const { merchant, make, decide, other, get, payoutsOf, balance } = await shop()
    const { id, status, approval } = (await make(rowsOf(20))).body.result
    assert.deepEqual([status, approval.status], ['pending', 'required'])
    assert.deepEqual([await payoutsOf(id), await balance()], [[], [10_000, 0]])
    const rows = (await merchant.call('GET', `${path}/${id}/rows?limit=3`)).body
    assert.deepEqual(
      rows.result.map((row: Shown) => [row.number, row.payout]),
      [1, 2, 3].map((number) => [number, null]),
    )
    const next = await merchant.call('GET', `${path}/${id}/rows?limit=3&after=${rows.pagination.next}`)
    assert.deepEqual(
      next.body.result.map((row: Shown) => row.number),
      [4, 5, 6],
    )

    assert.equal(reasonOf(await decide(id, 'approve', merchant)), '403 access_denied')
    assert.equal(reasonOf(await decide(id, 'reject', merchant)), '403 access_denied')
    const viewer = await t.merchant({ sameUserAs: other, scopes: ['payouts:write'] })
    assert.equal(reasonOf(await decide(id, 'approve', viewer)), '403 access_denied')
    const approved = (await decide(id, 'approve')).body.result
    assert.deepEqual(
      [approved.status, approved.approval.status, approved.approval.userId],
      ['processing', 'approved', showId(userIds, other.userId)],
    )
    assert.deepEqual((await decide(id, 'approve')).body.result.approval, approved.approval)
    assert.equal(reasonOf(await decide(id, 'reject')), '409 state_conflict')
    assert.equal(reasonOf(await merchant.call('DELETE', `${path}/${id}`)), '409 state_conflict')
    const payouts = await payoutsOf(id)
    assert.equal(payouts.length, 20)
    for (const payout of payouts) assert.deepEqual(payout.approval, approved.approval)
    await completed(get, id)
    assert.deepEqual(await eventsOf(merchant, id), [
      'payout_batch.created',
      'payout_batch.approved',
      'payout_batch.completed',
    ])
    await t.verify()
  })

  test('409 if the balance is too low: nothing is created, and it can be approved later', async () => {
    const { merchant, make, decide, get, payoutsOf, balance } = await shop({ funds: 1_999 })
    await db.transaction((tx) =>
      setFee(tx, merchant.scope.spaceId, 'payout', '1%', { by: 'operator', reason: 'as agreed' }),
    )
    const { id } = (await make(rowsOf(20))).body.result
    assert.equal(reasonOf(await decide(id, 'approve')), '409 fund_insufficient')
    assert.deepEqual([(await get(id)).status, await payoutsOf(id)], ['pending', []])
    assert.deepEqual(await balance(), [1_999, 0])
    await fund(t.app.parts, merchant.scope, 21)
    assert.equal(reasonOf(await decide(id, 'approve')), '200')
    assert.deepEqual(await balance(), [0, 2_020])
    await completed(get, id)
    await t.verify()
  })

  test('200 when rejected or cancelled: no payout is ever created', async () => {
    const { merchant, make, decide, get, payoutsOf } = await shop()
    const rejected = (await make(rowsOf(20))).body.result.id
    assert.equal((await decide(rejected, 'reject')).body.result.status, 'rejected')
    assert.equal((await decide(rejected, 'reject')).status, 200)
    assert.equal(reasonOf(await decide(rejected, 'approve')), '409 state_conflict')
    const cancelled = (await make(rowsOf(20))).body.result.id
    for (const _ of [1, 2])
      assert.equal((await merchant.call('DELETE', `${path}/${cancelled}`)).body.result, null)
    assert.equal((await get(cancelled)).status, 'cancelled')
    assert.equal(reasonOf(await decide(cancelled, 'approve')), '409 state_conflict')
    for (const id of [rejected, cancelled]) assert.deepEqual(await payoutsOf(id), [])
    assert.deepEqual(await eventsOf(merchant, rejected), ['payout_batch.created', 'payout_batch.rejected'])
    assert.deepEqual(await eventsOf(merchant, cancelled), ['payout_batch.created', 'payout_batch.cancelled'])
    await t.verify()
  })

  test('409 for approving a batch that needs no approval', async () => {
    const { make, decide } = await shop({ above: null })
    const { id } = (await make(rowsOf(1))).body.result
    assert.equal(reasonOf(await decide(id, 'approve')), '409 state_conflict')
    assert.equal(reasonOf(await decide(id, 'reject')), '409 state_conflict')
  })

  test('two concurrent approvals, a hundred times: one succeeds, and every row becomes one payout', async () => {
    const { merchant, make, decide, other } = await shop({ funds: 100_000, above: 100n })
    const third = await t.merchant({ sameUserAs: { ...merchant, userId: (await t.merchant()).userId } })
    for (let i = 0; i < 100; i++) {
      const { id } = (await make(rowsOf(3, 50))).body.result
      const verbs = i % 4 === 0 ? ['approve', 'reject'] : ['approve', 'approve']
      const decided = await Promise.all([decide(id, verbs[0]!, other), decide(id, verbs[1]!, third)])
      assert.deepEqual(decided.map(reasonOf).toSorted(), ['200', '409 state_conflict'])
      const made = await db.query(sql`
        select batch_row from payouts
        where space_id = ${merchant.scope.spaceId} and batch_id = ${readId(batchIds, id)!} order by batch_row`)
      const isApproved = decided.some(({ body }) => body.result?.approval.status === 'approved')
      assert.deepEqual(made, isApproved ? [1, 2, 3].map((batchRow) => ({ batchRow })) : [])
    }
    await t.verify()
  })
})

describe('a payout of a batch', () => {
  test('that fails counts as failed, and the batch still completes', async () => {
    const { merchant, make, get, payoutsOf } = await shop({ above: null })
    const refusedByRail = { type: 'momo', providerId: 'm17', phoneNumber: '+23276123001' }
    const { id } = (await make([rowOf(100), { ...rowOf(70), destination: refusedByRail }])).body.result
    const batch = await completed(get, id)
    assert.deepEqual(batch.counts, { rows: 2, pending: 0, processing: 0, completed: 1, failed: 1 })
    assert.deepEqual([batch.totals[0].completed.value, batch.totals[0].failed.value], [100, 70])
    assert.equal((await payoutsOf(id)).length, 2)
    const found = await merchant.call('GET', `/v1/payouts?batchId=${id}&status=failed`)
    assert.deepEqual(
      found.body.result.map(({ amount }: Shown) => amount.value),
      [70],
    )
    await t.verify()
  })

  test('can be filtered by a batch of the same Space only, even one without payouts', async () => {
    const { make, merchant, payoutsOf } = await shop()
    assert.deepEqual(await payoutsOf((await make(rowsOf(20))).body.result.id), [])
    for (const ids of [batchIds, payoutIds]) {
      const id = showId(ids, '018bcfe5-6801-7000-8000-000000000000')
      const { body } = await merchant.call('GET', `/v1/payouts?batchId=${id}`)
      assert.deepEqual(body.error.details, [
        { param: 'batchId', errors: ['does not name a batch in this Space'] },
      ])
    }
  })
})

describe('POST /v1/payout-batches/check', () => {
  const check = (merchant: Merchant, body: object) => merchant.call('POST', `${path}/check`, body)

  test('reports errors and warnings of each row and the totals, and writes nothing', async () => {
    const { merchant, make, get } = await shop({ funds: 1_000 })
    await db.transaction((tx) =>
      setFee(tx, merchant.scope.spaceId, 'payout', '1%', { by: 'operator', reason: 'as agreed' }),
    )
    await completed(get, (await make([rowOf(100, 1)])).body.result.id)
    const { status, body } = await check(merchant, {
      rows: [
        rowOf(100, 1),
        rowOf(600, 1),
        rowOf(600, 1),
        rowOf(1, 2, { destination: { type: 'momo', providerId: 'none', phoneNumber: '1' } }),
        {
          amount: { currency: 'GHS', value: 10_000 },
          destination: { type: 'momo', providerId: 'at-gh', phoneNumber: '+233241234567' },
        },
      ],
    })
    assert.equal(status, 200)
    const { ok, approvalRequired, totals, rows } = body.result
    assert.deepEqual([ok, approvalRequired], [false, true])
    assert.deepEqual(totals, [
      {
        rows: 3,
        amount: { currency: 'SLE', value: 1_300 },
        fees: { currency: 'SLE', value: 13 },
        availableAfter: { currency: 'SLE', value: 1_000 - 101 - 1_313 },
      },
      {
        rows: 1,
        amount: { currency: 'GHS', value: 10_000 },
        fees: { currency: 'GHS', value: 100 },
        availableAfter: { currency: 'GHS', value: -10_100 },
      },
    ])
    assert.deepEqual(
      rows.map((row: Shown) => [
        row.number,
        row.ok,
        row.faults.map(({ param }: Shown) => param),
        row.warnings.map(({ code }: Shown) => code),
      ]),
      [
        [1, true, [], ['duplicate_recent']],
        [2, true, [], []],
        [3, true, [], ['duplicate_in_file']],
        [4, false, ['destination.providerId', 'destination.phoneNumber'], []],
        [5, true, [], ['first_time_payee', 'network_mismatch']],
      ],
    )
    assert.equal((await merchant.call('GET', path)).body.result.length, 1)
    assert.equal((await merchant.call('GET', '/v1/payouts')).body.result.length, 1)
    const accounts = (await merchant.call('GET', '/v1/financial-accounts')).body.result
    assert.deepEqual(
      accounts.map(({ currency }: Shown) => currency),
      ['SLE'],
    )
  })

  test('a payout that is more than a week old, or that failed, does not make a row a duplicate', async () => {
    const { merchant, make, get } = await shop({ above: null })
    await completed(get, (await make([rowOf(100, 1)])).body.result.id)
    const refused = { destination: { type: 'momo', providerId: 'm17', phoneNumber: '+23276123001' } }
    await completed(get, (await make([rowOf(100, 1, refused)])).body.result.id)
    const codesOf = async (row: object) =>
      (await check(merchant, { rows: [row] })).body.result.rows[0].warnings.map(({ code }: Shown) => code)
    assert.deepEqual(await codesOf(rowOf(100, 1)), ['duplicate_recent'])
    assert.deepEqual(await codesOf(rowOf(100, 1, refused)), ['first_time_payee'])
    await t.advance(merchant.scope, 8 * 86_400_000)
    assert.deepEqual(await codesOf(rowOf(100, 1)), [])
  })

  test('of a file: errors by column; balances only with permission to read them', async () => {
    const { merchant } = await shop()
    const csv = `account,amount,currency,type,provider\n${phone(1)},1.00,SLE,momo,m17\n077123456,1.005,SLE,momo,m17`
    const limited = await t.merchant({ sameUserAs: merchant, scopes: ['payouts:write'] })
    const { result } = (await check(limited, { csv })).body
    assert.equal(result.ok, false)
    assert.deepEqual(
      result.rows.map((row: Shown) => row.faults.map(({ param }: Shown) => param)),
      [[], ['amount', 'account']],
    )
    assert.deepEqual(result.totals, [
      { rows: 1, amount: { currency: 'SLE', value: 100 }, fees: { currency: 'SLE', value: 0 } },
    ])
  })
})

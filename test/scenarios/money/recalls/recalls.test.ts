import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { payoutIds } from '../../../../packages/server/src/money/payouts/resources.ts'
import { recallIds } from '../../../../packages/server/src/money/recalls/resources.ts'
import {
  listRecalls,
  refuseRecall,
  returnRecall,
} from '../../../../packages/server/src/money/recalls/returning.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { Refusal } from '../../../../packages/server/src/platform/refusals.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { createBookkeeping } from '../../finance/reconciliation/statements.ts'
import { reasonOf, type Shown } from '../refunds/shop.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const bookkeeping = createBookkeeping(t, rail)
after(async () => {
  await t.close()
  bookkeeping.close()
})
const { db } = t.app.parts
const by = { by: 'Aminata, finance', reason: 'M17 wrote on Monday' }
const leones = (value: number) => ({ currency: 'SLE', value })
const invalidParamsOf = ({ body }: { body: Shown }) => body.error.details.map(({ param }: Shown) => param)
const inner = (id: string) => readId(recallIds, id)!

/** Creates a merchant with 10 000 who pays out through a rail that moves only when the test moves its clock. */
async function open() {
  const merchant = await t.merchant()
  const account = await fund(t.app.parts, merchant.scope, 10_000)
  const read = async (path: string) => (await merchant.call('GET', path)).body.result
  const recall = (payoutId: string, value?: number, more: object = {}, as: Merchant = merchant) =>
    as.call('POST', '/v1/recalls', {
      ...{ payoutId, reason: 'wrong_payee' },
      ...(value !== undefined && { amount: leones(value) }),
      ...more,
    })
  /** Creates a payout and waits until it has ended. */
  const payOut = async (value: number, phoneNumber = '076123456'): Promise<Shown> => {
    const destination = { type: 'momo', providerId: 'm17', phoneNumber }
    const { id } = (
      await merchant.call('POST', '/v1/payouts', {
        ...{ amount: leones(value), destination },
        metadata: { invoice: '7' },
      })
    ).body.result
    return until(async () => {
      await rail.advance(300)
      const payout = await read(`/v1/payouts/${id}`)
      return ['completed', 'failed'].includes(payout.status) && payout
    })
  }
  return {
    merchant,
    account,
    recall,
    get: (id: string): Promise<Shown> => read(`/v1/recalls/${id}`),
    payOut,
    /** Creates an open recall of a payout of 1 000. */
    async opened(value?: number): Promise<Shown> {
      return (await recall((await payOut(1_000)).id, value)).body.result
    },
    cancel: (id: string, as: Merchant = merchant) => as.call('POST', `/v1/recalls/${id}/cancel`, {}),
    balance: async () =>
      (await read(`/v1/financial-accounts/${account}?withBalance=true`)).balance.available.value,
    lines: (reference: string): Promise<Shown[]> => read(`/v1/financial-transactions?reference=${reference}`),
    events: async (id: string) => (await t.events(merchant.scope, inner(id))).map(({ type }) => type),
  }
}

const returns = (id: string, transaction: string, value?: bigint) =>
  db.transaction((tx) =>
    returnRecall(
      tx,
      inner(id),
      { transaction, ...(value !== undefined && { amount: { currency: 'SLE', value } }) },
      by,
    ),
  )
const refuses = (id: string) => db.transaction((tx) => refuseRecall(tx, inner(id), by))
const isRefused = (reason: string) => (error: unknown) => error instanceof Refusal && error.reason === reason

describe('POST /v1/recalls', () => {
  test('200 requests all of a completed payout, and books nothing', async () => {
    const { merchant, payOut, recall, get, balance, account, events } = await open()
    const payout = await payOut(1_000)
    const { status, body } = await recall(payout.id, undefined, {
      note: 'one digit off',
      metadata: { ticket: '7' },
    })
    assert.equal(status, 200)
    const { id, createTime, updateTime, ownershipGraph, ...shown } = body.result
    assert.deepEqual(shown, {
      status: 'open',
      payoutId: payout.id,
      amount: leones(1_000),
      returned: leones(0),
      reason: 'wrong_payee',
      note: 'one digit off',
      source: { providerId: 'm17', transactionReference: null },
      destination: { financialAccountId: account, transactionReference: null },
      metadata: { ticket: '7' },
    })
    assert.match(id, /^rcl-/)
    assert.equal(createTime, updateTime)
    assert.deepEqual([ownershipGraph.owner.id, ownershipGraph.owner.metadata], [payout.id, { invoice: '7' }])
    assert.deepEqual(await get(id), body.result)
    assert.equal(await balance(), 9_000)
    assert.deepEqual((await merchant.call('GET', `/v1/payouts/${payout.id}`)).body.result, payout)
    assert.deepEqual(await events(id), ['recall.created'])
    await t.verify()
  })

  test('200 in parts that never exceed the payout; 409 for more, or if nothing is left', async () => {
    const { payOut, recall, cancel } = await open()
    const { id } = await payOut(1_000)
    const first = (await recall(id, 400)).body.result
    assert.equal(reasonOf(await recall(id, 601)), '409 recall_exceeds_payout')
    assert.deepEqual((await recall(id)).body.result.amount, leones(600))
    assert.equal(reasonOf(await recall(id)), '409 recall_exceeds_payout')
    assert.equal(reasonOf(await recall(id, 1)), '409 recall_exceeds_payout')
    await cancel(first.id)
    assert.equal((await recall(id, 400)).status, 200)
    await t.verify()
  })

  test('200 for as many concurrent requests as fit into the payout', async () => {
    const { payOut, recall } = await open()
    const { id } = await payOut(1_000)
    const answers = await Promise.all(Array.from({ length: 20 }, () => recall(id, 150)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 6)
    assert.equal(answers.filter((answer) => reasonOf(answer) === '409 recall_exceeds_payout').length, 14)
    await t.verify()
  })

  test('200 once per Idempotency-Key', async () => {
    const { payOut, recall, merchant } = await open()
    const { id } = await payOut(1_000)
    const [one, same] = [
      await merchant.call(
        'POST',
        '/v1/recalls',
        { payoutId: id, reason: 'duplicate' },
        { 'idempotency-key': 'a key' },
      ),
      await merchant.call(
        'POST',
        '/v1/recalls',
        { payoutId: id, reason: 'duplicate' },
        { 'idempotency-key': 'a key' },
      ),
    ]
    assert.deepEqual(same.body.result, one.body.result)
    assert.equal(reasonOf(await recall(id)), '409 recall_exceeds_payout')
  })

  test('409 for a payout that has not left: pending, failed, or without enough balance', async () => {
    const { merchant, payOut, recall } = await open()
    for (const { id, status } of [await payOut(1_000, '076000001'), await payOut(1_000_000)]) {
      assert.equal(status, 'failed')
      assert.equal(reasonOf(await recall(id)), '409 state_conflict')
    }
    const destination = { type: 'momo', providerId: 'm17', phoneNumber: '076123456' }
    const sent = await merchant.call('POST', '/v1/payouts', { amount: leones(5), destination })
    assert.equal(reasonOf(await recall(sent.body.result.id)), '409 state_conflict')
  })

  test('400 names every error: the payout, the amount and its currency, the reason, the note, and unknown fields', async () => {
    const { payOut, recall } = await open()
    const other = await open()
    const foreign = await other.payOut(1_000)
    for (const id of [foreign.id, 'pyt-01kaj3v5w8e4r9tbn2m6c7d0xz', 'no id', ''])
      assert.deepEqual(invalidParamsOf(await recall(id)), ['payoutId'], id)
    const { id } = await payOut(1_000)
    const issues: [object, string[]][] = [
      [{ amount: { currency: 'USD', value: 1 } }, ['amount.currency']],
      [{ amount: leones(0) }, ['amount.value']],
      [{ amount: leones(-5) }, ['amount.value']],
      [{ amount: { currency: 'USD', value: 0 } }, ['amount.value', 'amount.currency']],
      [{ reason: 'regret' }, ['reason']],
      [{ note: 'x'.repeat(141) }, ['note']],
      [{ status: 'returned' }, ['status']],
      [{ returned: leones(1_000) }, ['returned']],
    ]
    for (const [more, params] of issues)
      assert.deepEqual(
        invalidParamsOf(await recall(id, undefined, more)).toSorted(),
        params.toSorted(),
        params.join(),
      )
  })

  test('403 for a viewer, who may read; finance and developers may recall', async () => {
    const { merchant, payOut, recall, opened, cancel } = await open()
    const { id } = await opened()
    const join = async (role: string) =>
      t.merchant({ sameUserAs: { ...merchant, userId: (await t.merchant()).userId }, role })
    const viewer = await join('viewer')
    const payout = await payOut(10)
    assert.equal(reasonOf(await recall(payout.id, 1, {}, viewer)), '403 access_denied')
    assert.equal(reasonOf(await cancel(id, viewer)), '403 access_denied')
    assert.equal((await viewer.call('GET', `/v1/recalls/${id}`)).status, 200)
    for (const role of ['finance', 'developer'])
      assert.equal((await recall(payout.id, 1, {}, await join(role))).status, 200)
  })

  test('409 if the provider later reports that the payout never left: a case holds its money', async () => {
    const { merchant, payOut, recall, opened } = await open()
    const payout = await payOut(1_000)
    const { id, payoutId } = await opened()
    const contradict = (payoutId: string) =>
      db.transaction((tx) =>
        tx.run(sql`
          insert into ledger_cases (space_id, environment, id, kind, object_type, object_id, direction, amount, currency,
            reference, opened_at)
          values (${merchant.scope.spaceId}, ${merchant.scope.environment}, gen_random_uuid(), 'failure_after_success',
            'payout', ${readId(payoutIds, payoutId)}, 'disbursement', 1000, 'SLE', gen_random_uuid()::text, now())`),
      )
    await contradict(payout.id)
    assert.equal(reasonOf(await recall(payout.id)), '409 state_conflict')
    await contradict(payoutId)
    await assert.rejects(returns(id, 'TX-9'), isRefused('state_conflict'))
    assert.equal((await refuses(id)).status, 'refused')
    await db.transaction((tx) =>
      tx.run(sql`
        delete from ledger_cases
        where space_id = ${merchant.scope.spaceId} and environment = ${merchant.scope.environment}`),
    )
  })
})

describe('a return', () => {
  test('is booked with two lines that reverse the payout’s; its fee is kept', async () => {
    const { merchant, opened, get, balance, lines, account, events } = await open()
    const { id, payoutId } = await opened()
    await returns(id, ' TX-1 ')
    const recall = await get(id)
    assert.deepEqual(
      [recall.status, recall.returned, recall.source.transactionReference],
      ['returned', leones(1_000), 'TX-1'],
    )
    assert.equal(await balance(), 10_000)
    const [line, ...more] = await lines(recall.destination.transactionReference)
    assert.deepEqual(more, [])
    assert.deepEqual([line.type, line.amount, line.financialAccount.id], ['credit', leones(1_000), account])
    const payout = (await merchant.call('GET', `/v1/payouts/${payoutId}`)).body.result
    const left = (await lines(payout.source.transactionReference)).find(
      ({ originatingFee }) => !originatingFee,
    )
    assert.deepEqual(line.originatingReversal, { originTxnId: left.id, originTxnRef: left.reference })
    const { owner } = line.ownershipGraph
    assert.deepEqual([owner.id, owner.owner.id, owner.owner.metadata], [id, payoutId, { invoice: '7' }])
    assert.deepEqual(await events(id), ['recall.created', 'recall.returned'])
    const clearing = await db.query<{ amount: bigint }>(sql`
      select line.amount from ledger_lines line
      join ledger_accounts account on account.space_id = line.space_id and account.environment = line.environment
        and account.id = line.account_id
      where line.space_id = ${merchant.scope.spaceId} and line.environment = 'test'
        and account.provider_id = 'm17' and account.direction = 'disbursement' order by line.seq`)
    assert.deepEqual(clearing, [{ amount: 1_000n }, { amount: -1_000n }])
    await t.verify()
  })

  test('of a part ends the recall; only the rest can be recalled again', async () => {
    const { opened, recall, get, balance } = await open()
    const { id, payoutId } = await opened()
    await returns(id, 'TX-1', 300n)
    assert.deepEqual([(await get(id)).returned, await balance()], [leones(300), 9_300])
    assert.equal(reasonOf(await recall(payoutId, 701)), '409 recall_exceeds_payout')
    const rest = (await recall(payoutId)).body.result
    assert.deepEqual(rest.amount, leones(700))
    await returns(rest.id, 'TX-2')
    assert.equal(await balance(), 10_000)
    assert.equal(reasonOf(await recall(payoutId)), '409 recall_exceeds_payout')
    await t.verify()
  })

  test('is booked once, even if several operators record it concurrently', async () => {
    const { merchant, opened, balance } = await open()
    const { id } = await opened()
    await Promise.all(Array.from({ length: 5 }, () => returns(id, 'TX-1')))
    assert.equal(await balance(), 10_000)
    await assert.rejects(returns(id, 'TX-2'), isRefused('state_conflict'))
    await assert.rejects(returns(id, 'TX-1', 999n), isRefused('state_conflict'))
    const other = await opened()
    const outcomes = await Promise.allSettled([
      returns(other.id, 'TX-3', 600n),
      returns(other.id, 'TX-4', 500n),
    ])
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    const audited = await db.query(sql`
      select actor, reason from audit_entries
      where space_id = ${merchant.scope.spaceId} and environment = 'test' and object_id = ${inner(id)}`)
    assert.deepEqual(audited, [{ actor: by.by, reason: by.reason }])
    await t.verify()
  })

  test('a provider transaction belongs to one recall', async () => {
    const { opened, balance } = await open()
    const [one, other] = [await opened(), await opened()]
    await returns(one.id, 'TX-1')
    await assert.rejects(returns(other.id, 'TX-1'), isRefused('reference_in_use'))
    assert.equal(await balance(), 9_000)
    const elsewhere = await open()
    assert.equal((await returns((await elsewhere.opened()).id, 'TX-1')).status, 'returned')
    await t.verify()
  })

  test('is matched as incoming money with the statement line that has its transaction', async () => {
    const { merchant, opened } = await open()
    const { id } = await opened()
    await returns(id, 'TX-42')
    await bookkeeping.import([{ id: 'TX-42', reference: 'nobody', at: rail.now(), value: 1_000 }])
    const { openItems } = await bookkeeping.reconcile()
    assert.ok(openItems.items.every(({ lineId, objectId }) => lineId !== 'TX-42' && objectId !== inner(id)))
    const [line] = await db.query(sql`
      -- every space: a statement line has no Space until it is matched
      select line.space_id, account.direction, account.provider_id from statement_lines line
      join ledger_accounts account on account.space_id = line.space_id and account.environment = line.environment
        and account.id = line.account_id
      where line.id = 'TX-42'`)
    assert.deepEqual(line, { spaceId: merchant.scope.spaceId, direction: 'disbursement', providerId: 'm17' })
  })

  test('is refused with more than the recalled amount, zero, another currency, no transaction, no actor, or an unknown recall', async () => {
    const { opened, balance } = await open()
    const { id } = await opened(500)
    for (const value of [0n, -1n, 501n])
      await assert.rejects(returns(id, 'TX-1', value), isRefused('arguments_invalid'))
    for (const transaction of ['', '  ', 'x'.repeat(101), 'a\nb', '\u001b[2J'])
      await assert.rejects(returns(id, transaction), isRefused('arguments_invalid'))
    const said = (amount: object, decider = by) =>
      db.transaction((tx) => returnRecall(tx, inner(id), { transaction: 'TX', ...amount }, decider))
    await assert.rejects(said({ amount: { currency: 'USD', value: 1n } }), isRefused('arguments_invalid'))
    await assert.rejects(said({}, { by: '', reason: 'x' }), isRefused('arguments_invalid'))
    await assert.rejects(said({}, { by: 'x', reason: '' }), isRefused('arguments_invalid'))
    const nobody = 'rcl-01kaj3v5w8e4r9tbn2m6c7d0xz'
    await assert.rejects(returns(nobody, 'TX'), isRefused('not_found'))
    await assert.rejects(refuses(nobody), isRefused('not_found'))
    assert.equal(await balance(), 9_000)
  })
})

describe('a recall without a return', () => {
  test('can be refused by the operator once, after which nothing can be returned', async () => {
    const { opened, recall, get, cancel, events } = await open()
    const { id, payoutId } = await opened()
    for (let again = 0; again < 2; again++) assert.equal((await refuses(id)).status, 'refused')
    assert.deepEqual([(await get(id)).status, (await get(id)).returned], ['refused', leones(0)])
    await assert.rejects(returns(id, 'TX-1'), isRefused('state_conflict'))
    assert.equal(reasonOf(await cancel(id)), '409 state_conflict')
    assert.deepEqual(await events(id), ['recall.created', 'recall.refused'])
    assert.deepEqual((await recall(payoutId)).body.result.amount, leones(1_000))
    await t.verify()
  })

  test('POST /v1/recalls/{id}/cancel: 200 while it is open, and when repeated; 409 once it has ended; 404 in another Space', async () => {
    const { opened, cancel, events } = await open()
    const { id } = await opened()
    for (let again = 0; again < 2; again++) assert.equal((await cancel(id)).body.result.status, 'cancelled')
    assert.deepEqual(await events(id), ['recall.created', 'recall.cancelled'])
    await assert.rejects(refuses(id), isRefused('state_conflict'))
    const returned = await opened()
    await returns(returned.id, 'TX-1')
    assert.equal(reasonOf(await cancel(returned.id)), '409 state_conflict')
    const { merchant } = await open()
    assert.equal(reasonOf(await cancel(id, merchant)), '404 not_found')
    assert.equal(reasonOf(await merchant.call('GET', `/v1/recalls/${id}`)), '404 not_found')
    assert.equal(reasonOf(await merchant.call('GET', '/v1/recalls/nothing')), '404 not_found')
    await t.verify()
  })

  test('a recall that is cancelled and returned concurrently ends either way, but not both', async () => {
    const { opened, cancel, balance, get } = await open()
    const { id } = await opened()
    await Promise.allSettled([returns(id, 'TX-1'), cancel(id)])
    const { status } = await get(id)
    assert.equal(await balance(), status === 'returned' ? 10_000 : 9_000)
    await t.verify()
  })
})

describe('GET /v1/recalls', () => {
  test('200 with the recalls of a payout or with a status, newest first, in pages; 400 for an invalid payout', async () => {
    const { merchant, payOut, recall, get } = await open()
    const [one, other] = [await payOut(100), await payOut(100)]
    const ids: string[] = []
    for (const { id } of [one, other, one]) ids.push((await recall(id, 10)).body.result.id)
    await refuses(ids[0]!)
    const list = async (query: string) =>
      (await merchant.call('GET', `/v1/recalls?${query}`)).body.result.map(({ id }: Shown) => id)
    assert.deepEqual(await list(''), ids.toReversed())
    assert.deepEqual(await list(`payoutId=${one.id}`), [ids[2], ids[0]])
    assert.deepEqual(await list(`payoutId=${one.id}&status=open`), [ids[2]])
    assert.deepEqual(await list('status=open&limit=1'), [ids[2]])
    assert.deepEqual(await list('status=returned'), [])
    assert.deepEqual(await list(`q=${other.id}`), [ids[1]])
    assert.deepEqual(await list(`q=${ids[0]}`), [ids[0]])
    await returns(ids[1]!, 'TX-77')
    assert.deepEqual(await list('q=TX-77'), [ids[1]])
    assert.deepEqual(await list(`q=${(await get(ids[1]!)).destination.transactionReference}`), [ids[1]])
    assert.deepEqual(await list('q=nothing'), [])
    assert.deepEqual(invalidParamsOf(await merchant.call('GET', '/v1/recalls?payoutId=nothing')), [
      'payoutId',
    ])
    assert.deepEqual(invalidParamsOf(await merchant.call('GET', '/v1/recalls?status=gone')), ['status'])
    const { merchant: stranger } = await open()
    assert.deepEqual(invalidParamsOf(await stranger.call('GET', `/v1/recalls?payoutId=${one.id}`)), [
      'payoutId',
    ])
  })
})

test('the operator’s list has the open recalls of all Spaces, with what a provider’s staff need to find the payout', async () => {
  const { merchant, payOut, recall } = await open()
  const payout = await payOut(1_000)
  const { id } = (await recall(payout.id)).body.result
  const find = async (isAll: boolean) => (await listRecalls(db, isAll)).find((one) => one.id === inner(id))
  const listed = await find(false)
  assert.deepEqual(
    [listed?.spaceId, listed?.payeeAccount, listed?.payoutTransaction],
    [merchant.scope.spaceId, '+23276123456', payout.destination.transactionReference],
  )
  await refuses(id)
  assert.deepEqual([await find(false), (await find(true))?.status], [undefined, 'refused'])
})

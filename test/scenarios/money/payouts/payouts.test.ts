import assert from 'node:assert/strict'
import { after, describe, mock, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { setLimit } from '../../../../packages/server/src/money/approvals/limits.ts'
import { setFee } from '../../../../packages/server/src/money/fees/fees.ts'
import { payoutIds } from '../../../../packages/server/src/money/payouts/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { deleteOldKeys } from '../../../../packages/server/src/platform/http/commands/idempotency.ts'
import { readId, showId } from '../../../../packages/server/src/platform/ids.ts'
import { callbackUrl } from '../../../../packages/server/src/rails/instructions/callback-url.ts'
import { userIds } from '../../../../packages/server/src/tenants/spaces/resources.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const { db } = t.app.parts

const path = '/v1/payouts'
const momo = (phoneNumber = '076123456') => ({ type: 'momo', providerId: 'm17', phoneNumber })
const bodyOf = (value: number, more: object = {}) => ({
  amount: { currency: 'SLE', value },
  destination: momo(),
  ...more,
})

async function shop(funds = 1_000) {
  const merchant = await t.merchant()
  const main = await fund(t.app.parts, merchant.scope, funds)
  const pay = async (value: number, more: object = {}, as: Merchant = merchant) =>
    as.call('POST', path, bodyOf(value, more))
  const get = async (id: string) => (await merchant.call('GET', `${path}/${id}`)).body.result
  const balance = async () => {
    const { body } = await merchant.call('GET', `/v1/financial-accounts/${main}?withBalance=true`)
    return [body.result.balance.available.value, body.result.balance.held.value]
  }
  return { merchant, main, pay, get, balance }
}

const reasonOf = ({ status, body }: { status: number; body: { error?: { reason: string } } }) =>
  body.error ? `${status} ${body.error.reason}` : String(status)

/** Runs the simulated rail's pending work, including its callbacks. */
const ended = (get: (id: string) => Promise<Shown>, id: string) =>
  until(async () => {
    await rail.advance(300)
    const found = await get(id)
    return (found.status === 'completed' || found.status === 'failed') && found
  })
// biome-ignore lint/suspicious/noExplicitAny: JSON from the wire; every response is checked against its schema
type Shown = any

describe('POST /v1/payouts', () => {
  test('200 holds amount and fee immediately; on completion both are debited under one reference', async () => {
    const { merchant, main, pay, get, balance } = await shop()
    await db.transaction((tx) =>
      setFee(tx, merchant.scope.spaceId, 'payout', '2%,min=SLE:5', { by: 'operator', reason: 'as agreed' }),
    )
    const { status, body } = await pay(300, { metadata: { invoice: '7' } })
    assert.equal(status, 200)
    assert.deepEqual(
      { ...body.result, id: '', createTime: '', updateTime: '' },
      {
        id: '',
        status: 'pending',
        amount: { currency: 'SLE', value: 300 },
        source: { financialAccountId: main, transactionReference: null },
        destination: {
          type: 'momo',
          providerId: 'm17',
          phoneNumber: '+23276123456',
          transactionReference: null,
        },
        fees: [{ code: 'payout', amount: { currency: 'SLE', value: 6 }, metadata: {} }],
        failureDetail: null,
        approval: null,
        batchId: null,
        createUserId: showId(userIds, merchant.userId),
        createTime: '',
        updateTime: '',
        ownershipGraph: { owner: { id: merchant.spaceId, type: 'space', metadata: {}, owner: {} } },
        metadata: { invoice: '7' },
      },
    )
    assert.deepEqual(await balance(), [694, 306])

    const payout = await ended(get, body.result.id)
    assert.equal(payout.status, 'completed')
    assert.deepEqual(await balance(), [694, 0])
    const lines = (
      await merchant.call('GET', `/v1/financial-transactions?reference=${payout.source.transactionReference}`)
    ).body.result
    assert.deepEqual(
      lines.map((line: Shown) => [
        line.type,
        line.amount.value,
        line.originatingFee,
        line.ownershipGraph.owner.id,
      ]),
      [
        ['debit', 6, { code: 'payout' }, payout.id],
        ['debit', 300, null, payout.id],
      ],
    )
    const moved = await db.query(sql`
      select amount_minor, payee from simulator_disbursements
      where financial_transaction_id = ${payout.destination.transactionReference}`)
    assert.deepEqual(moved, [{ amountMinor: 300n, payee: '23276123456' }])
    const events = await t.events(merchant.scope, readId(payoutIds, payout.id))
    assert.deepEqual(
      events.map(({ type }) => type),
      ['payout.created', 'payout.processing', 'payout.completed'],
    )
    assert.deepEqual(events.at(-1)!.data, payout)
    await t.verify()
  })

  test('200 for an expired key: another payout, at the rail, too', async () => {
    const { merchant, pay, get, balance } = await shop()
    const key = { 'idempotency-key': 'invoice-7' }
    const ids: string[] = []
    for (const _ of [1, 2]) {
      const made = await merchant.call('POST', path, bodyOf(100), key)
      ids.push(made.body.result.id)
      assert.equal((await ended(get, made.body.result.id)).status, 'completed')
      await deleteOldKeys(db, 0)
    }
    assert.equal(new Set(ids).size, 2)
    assert.deepEqual(await balance(), [800, 0])
    assert.equal((await pay(100)).status, 200)
    await t.verify()
  })

  test('200 for a bank account or a wallet, too', async () => {
    const { pay, get } = await shop()
    for (const destination of [
      { type: 'bank', providerId: 'slb001', accountNumber: '00-1122 3344' },
      { type: 'wallet', providerId: 'dw001', walletId: 'fatu@safulpay' },
    ]) {
      const made = await pay(100, { destination })
      const payout = await ended(get, made.body.result.id)
      assert.equal(payout.status, 'completed', JSON.stringify(payout))
      assert.ok(payout.destination.transactionReference)
    }
    await t.verify()
  })

  test('200 with status failed if the balance is too low, and nothing is held', async () => {
    const { merchant, pay, balance } = await shop(305)
    await db.transaction((tx) =>
      setFee(tx, merchant.scope.spaceId, 'payout', '2%', { by: 'operator', reason: 'as agreed' }),
    )
    const { status, body } = await pay(300)
    assert.equal(status, 200)
    assert.deepEqual([body.result.status, body.result.failureDetail.code], ['failed', 'fund_insufficient'])
    assert.deepEqual(await balance(), [305, 0])
    const events = await t.events(merchant.scope, readId(payoutIds, body.result.id))
    assert.deepEqual(
      events.map(({ type }) => type),
      ['payout.created', 'payout.failed'],
    )
    assert.equal((await pay(299)).body.result.status, 'pending')
    await t.verify()
  })

  test('200, then failed with the reason if the rail refuses it, and the money is released', async () => {
    const { pay, get, balance } = await shop()
    for (const [digits, code] of [
      ['001', 'fund_insufficient'],
      ['002', 'authorization_failed'],
      ['009', 'provider_account_blocked'],
      ['010', 'provider_account_missing'],
      ['011', 'provider_account_quota_exhausted'],
    ]) {
      const made = await pay(100, { destination: momo(`076123${digits}`) })
      assert.equal((await ended(get, made.body.result.id)).failureDetail.code, code)
    }
    assert.deepEqual(await balance(), [1_000, 0])
    await t.verify()
  })

  test('400 with all errors together', async () => {
    const { merchant, pay } = await shop()
    const other = (await merchant.call('POST', '/v1/financial-accounts', { name: 'Naira', currency: 'NGN' }))
      .body
    const issues = async (more: object) =>
      ((await pay(1, more)).body.error?.details ?? []).map(({ param }: { param: string }) => param).sort()
    assert.deepEqual(
      await issues({
        amount: { currency: 'GHS', value: 1 },
        destination: { type: 'momo', providerId: 'm17', phoneNumber: '+233241234567', walletId: 'me' },
        source: { financialAccountId: other.result.id },
      }),
      ['amount.currency', 'destination.phoneNumber', 'destination.walletId', 'source.financialAccountId'],
    )
    assert.deepEqual(
      await issues({ destination: { type: 'bank', providerId: 'm17', accountNumber: '123456' } }),
      ['destination.providerId'],
    )
    assert.deepEqual(await issues({ destination: { type: 'wallet', providerId: 'dw001' } }), [
      'destination.walletId',
    ])
    const card = { type: 'bank', providerId: 'slb001', accountNumber: '4242 4242 4242 4242' }
    assert.deepEqual(await issues({ destination: card }), ['destination.accountNumber'])
  })

  test('400 for a number on another network, in either environment, before anything is held', async () => {
    const { merchant, pay, balance } = await shop()
    const { status, body } = await pay(100, { destination: momo('077 123 456') })
    assert.deepEqual(
      [status, body.error.reason, body.error.details],
      [
        400,
        'arguments_invalid',
        [
          {
            param: 'destination.phoneNumber',
            errors: [
              'belongs to Africell, not to Orange Money; see GET /v1/phone-numbers/+23277123456 for its providers',
            ],
          },
        ],
      ],
    )
    const found = await merchant.call('GET', '/v1/phone-numbers/+23277123456')
    const [{ providerId }] = found.body.result.providers
    const made = await pay(100, { destination: { ...momo('077123456'), providerId } })
    assert.equal(made.body.result.status, 'pending')
    assert.deepEqual(await balance(), [900, 100])
    const live = await t.merchant({ environment: 'live' })
    const refused = await live.call('POST', path, bodyOf(100, { destination: momo('077123456') }))
    assert.deepEqual(
      refused.body.error.details.map(({ param }: { param: string }) => param),
      ['destination.providerId', 'destination.phoneNumber'],
    )
  })

  test('200 in countries with number portability, whatever the first digits and the rail’s prediction', async () => {
    const { merchant } = await shop()
    await fund(t.app.parts, merchant.scope, 100, { currency: 'GHS' })
    const seen = await merchant.call('GET', '/v1/phone-numbers/+233241234567')
    assert.deepEqual(
      [seen.body.result.certain, seen.body.result.providers],
      [false, [{ providerId: 'mtn-gh', name: 'MTN MoMo' }]],
    )
    const made = await merchant.call('POST', path, {
      amount: { currency: 'GHS', value: 100 },
      destination: { type: 'momo', providerId: 'at-gh', phoneNumber: '+233241234567' },
    })
    assert.deepEqual(
      [made.status, made.body.result.status, made.body.result.destination.providerId],
      [200, 'pending', 'at-gh'],
    )
  })

  test('400 in live if the provider is not connected', async () => {
    const live = await t.merchant({ environment: 'live' })
    const { status, body } = await live.call('POST', path, bodyOf(100))
    assert.deepEqual(
      [status, body.error.details],
      [400, [{ param: 'destination.providerId', errors: ['is not currently available'] }]],
    )
  })

  test('200 for a hundred concurrent ones with money for fifty: fifty complete, fifty fail, and nothing is overdrawn', async () => {
    const { merchant, pay, balance } = await shop(5_000)
    const made = await Promise.all(Array.from({ length: 100 }, () => pay(100)))
    const failed = made.filter(({ body }) => body.result.status === 'failed')
    assert.equal(failed.length, 50)
    assert.ok(failed.every(({ body }) => body.result.failureDetail.code === 'fund_insufficient'))
    await until(async () => {
      await rail.advance(300)
      const counted = await db.one<{ count: bigint }>(sql`
        select count(*) from payouts where space_id = ${merchant.scope.spaceId} and status = 'completed'`)
      return counted!.count === 50n
    })
    assert.deepEqual(await balance(), [0, 0])
    const moved = await db.one(sql`
      select count(*), count(distinct d.reference) as distinct_count from simulator_disbursements d
      join payouts p on p.rail_reference = d.reference
      where p.space_id = ${merchant.scope.spaceId} and d.moved_at is not null`)
    assert.deepEqual(moved, { count: 50n, distinctCount: 50n })
    await t.verify()
  })
})

/** Creates a Space that requires approval above 100, and another member of it. */
async function approvalShop() {
  const made = await shop()
  await db.transaction((tx) => setLimit(tx, made.merchant.scope, 'payout', 'SLE', 100n))
  const other = await t.merchant({ sameUserAs: { ...made.merchant, userId: (await t.merchant()).userId } })
  const decide = (id: string, verb: string, as = other) => as.call('POST', `${path}/${id}/${verb}`, {})
  return { ...made, other, decide }
}

describe('POST /v1/payouts/{id}/approve and /reject', () => {
  test('403 for its creator, 200 for another user: required above an amount, and shows who decided and when', async () => {
    const { merchant, pay, get, other, decide } = await approvalShop()
    assert.equal((await pay(100)).body.result.approval, null)
    const { id, status, approval, createUserId } = (await pay(101)).body.result
    assert.deepEqual([status, approval], ['pending', { status: 'required', userId: null, time: null }])
    assert.equal(createUserId, showId(userIds, merchant.userId))

    assert.equal(reasonOf(await decide(id, 'approve', merchant)), '403 access_denied')
    assert.equal(reasonOf(await decide(id, 'reject', merchant)), '403 access_denied')
    const approved = await decide(id, 'approve')
    assert.equal(approved.body.result.approval.status, 'approved')
    assert.equal(approved.body.result.approval.userId, showId(userIds, other.userId))
    assert.ok(approved.body.result.approval.time)
    assert.equal(approved.body.result.createUserId, createUserId)
    assert.equal((await ended(get, id)).status, 'completed')
    const again = await decide(id, 'approve')
    assert.deepEqual(again.body.result.approval, approved.body.result.approval)
    assert.equal(reasonOf(await decide(id, 'reject')), '409 state_conflict')
    await t.verify()
  })

  test('200 when rejected: the payout ends, and the money is released', async () => {
    const { pay, balance, decide } = await approvalShop()
    const { id } = (await pay(500)).body.result
    assert.deepEqual(await balance(), [500, 500])
    const { result } = (await decide(id, 'reject')).body
    assert.deepEqual(
      [result.status, result.failureDetail.code, result.approval.status],
      ['failed', 'rejected', 'rejected'],
    )
    assert.deepEqual(await balance(), [1_000, 0])
    assert.equal((await decide(id, 'reject')).status, 200)
    assert.equal(reasonOf(await decide(id, 'approve')), '409 state_conflict')
    await t.verify()
  })

  test('200 for one of two concurrent users, 409 for the other', async () => {
    const { merchant, pay, decide, other } = await approvalShop()
    const third = await t.merchant({ sameUserAs: { ...merchant, userId: (await t.merchant()).userId } })
    const { id } = (await pay(500)).body.result
    const answers = await Promise.all([decide(id, 'approve', other), decide(id, 'approve', third)])
    assert.deepEqual(answers.map(reasonOf).sort(), ['200', '409 state_conflict'])
  })

  test('403 for a role without the permission, 409 for a payout that needs no approval', async () => {
    const { merchant, pay, decide } = await approvalShop()
    const developer = await t.merchant({
      sameUserAs: { ...merchant, userId: (await t.merchant()).userId },
      role: 'developer',
    })
    const { id } = (await pay(500)).body.result
    assert.equal(reasonOf(await decide(id, 'approve', developer)), '403 access_denied')
    assert.equal(reasonOf(await decide((await pay(1)).body.result.id, 'approve')), '409 state_conflict')
  })
})

describe('approval of many small payouts', () => {
  const approvalOf = ({ body }: { body: { result: Shown } }) => body.result.approval?.status ?? null
  const to = (phoneNumber: string) => ({ destination: momo(phoneNumber) })

  test('is needed if a user’s total of the day would exceed the limit, whoever the payees are', async () => {
    const { merchant, pay, get, decide } = await approvalShop()
    assert.equal(approvalOf(await pay(60, to('076123456'))), null)
    const second = await pay(60, to('076123457'))
    assert.equal(approvalOf(second), 'required')
    assert.equal(approvalOf(await pay(40, to('076123458'))), null)
    assert.equal(approvalOf(await pay(1, to('076123459'))), 'required')
    // Approved payouts were seen by two users, so they do not count.
    await decide(second.body.result.id, 'approve')
    assert.equal((await ended(get, second.body.result.id)).status, 'completed')
    assert.equal(approvalOf(await pay(1, to('076123459'))), 'required')
    await t.advance(merchant.scope, 86_400_000)
    assert.equal(approvalOf(await pay(60)), null)
  })

  test('is needed if a payee’s total of the day would exceed the limit, whoever creates the payouts', async () => {
    const { pay, other } = await approvalShop()
    assert.equal(approvalOf(await pay(60)), null)
    assert.equal(approvalOf(await pay(60, {}, other)), 'required')
    assert.equal(approvalOf(await pay(60, to('076123457'), other)), null)
  })

  test('is not needed for a retry of a failed payout', async () => {
    const { pay, get } = await approvalShop()
    const failed = await pay(60, to('076123010'))
    assert.equal((await ended(get, failed.body.result.id)).status, 'failed')
    assert.equal(approvalOf(await pay(60)), null)
  })

  test('cannot be avoided by concurrent requests on two nodes', async () => {
    const { merchant, other, pay } = await approvalShop()
    const node = await startTestApp({ anotherNodeOf: t, work: false })
    const elsewhere = await node.merchant({ sameUserAs: other })
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) => pay(30, {}, [merchant, other, elsewhere][i % 3])),
    )
    await node.close()
    assert.equal(made.filter((one) => approvalOf(one) === null).length, 3)
  })
})

describe('DELETE /v1/payouts/{id}', () => {
  test('200 while it waits, and when repeated; 409 once it has been sent', async () => {
    const { merchant, pay, get, balance, decide } = await approvalShop()
    const { id } = (await pay(500)).body.result
    for (const _ of [1, 2]) {
      const { status, body } = await merchant.call('DELETE', `${path}/${id}`)
      assert.deepEqual([status, body.result], [200, null])
    }
    assert.equal((await get(id)).failureDetail.code, 'cancelled')
    assert.deepEqual(await balance(), [1_000, 0])
    assert.equal(reasonOf(await decide(id, 'approve')), '409 state_conflict')

    const sent = (await pay(100)).body.result.id
    await ended(get, sent)
    assert.equal(reasonOf(await merchant.call('DELETE', `${path}/${sent}`)), '409 state_conflict')
    await t.verify()
  })
})

test('PATCH /v1/payouts/{id}: 200 for metadata at any time, 400 for anything else', async () => {
  const { merchant, pay, get } = await shop()
  const { id } = (await pay(100)).body.result
  const changed = await merchant.call('PATCH', `${path}/${id}`, { metadata: { note: 'rent' } })
  assert.deepEqual(changed.body.result.metadata, { note: 'rent' })
  assert.equal(
    reasonOf(await merchant.call('PATCH', `${path}/${id}`, { amount: 1 })),
    '400 arguments_invalid',
  )
  assert.deepEqual((await ended(get, id)).metadata, { note: 'rent' })
})

test('GET /v1/payouts: 200 by status, account and either reference', async () => {
  const { merchant, main, pay, get } = await shop()
  const { id } = (await pay(100)).body.result
  const done = await ended(get, id)
  const poor = (await pay(100_000)).body.result
  const ids = async (query: string) =>
    (await merchant.call('GET', `${path}?${query}`)).body.result.map((found: { id: string }) => found.id)
  assert.deepEqual(await ids('status=completed'), [id])
  assert.deepEqual(await ids('status=failed'), [poor.id])
  assert.deepEqual(await ids(`sourceFinancialAccountId=${main}`), [poor.id, id])
  assert.deepEqual(await ids(`sourceTransactionReference=${done.source.transactionReference}`), [id])
  assert.deepEqual(await ids(`destinationTransactionReference=${done.destination.transactionReference}`), [
    id,
  ])
  assert.deepEqual(
    await ids(`sourceTransactionReference=${done.source.transactionReference}&status=failed`),
    [],
  )
})

describe('a callback', () => {
  const post = (url: string, body: unknown, type = 'application/json') =>
    fetch(url, { method: 'PUT', headers: { 'content-type': type }, body: JSON.stringify(body) })
  /** Returns the lines that are written to the security log while this runs. */
  const securityLines = async (work: () => Promise<unknown>) => {
    const warn = mock.method(t.app.parts.log, 'warn', () => {})
    await work()
    const lines = warn.mock.calls.map(
      (logged) => logged.arguments as unknown as [{ security?: boolean }, string],
    )
    warn.mock.restore()
    return lines.filter(([{ security }]) => security).map(([, text]) => text)
  }
  /** Returns the queries of one payout that a callback triggers. */
  const queries = (inner: string) =>
    db.query(sql`select id from jobs where key = ${`payouts.query ${inner}`} -- every space: this payout's`)

  /**
   * Creates a payout to a number that ends in 003, and waits until the rail has received it: nothing more
   * happens automatically for a while.
   */
  async function underWay() {
    const made = await shop()
    const { id } = (await made.pay(100, { destination: momo('076123003') })).body.result
    await until(async () => (await made.get(id)).status === 'processing')
    const inner = readId(payoutIds, id)!
    const row = await until(async () => {
      const found = await db.one<{ railReference: string; railState: string }>(sql`
        select reference as rail_reference, state as rail_state from instructions where id = ${inner}`)
      return found?.railState === 'submitted' && found
    })
    const url = callbackUrl(t.app.parts, { ownerType: 'payout', scope: made.merchant.scope, id: inner })
    const say = (more: object) => ({
      externalId: row.railReference,
      amount: '1.00',
      currency: 'SLE',
      ...more,
    })
    return { ...made, id, inner, url, say }
  }

  test('404 with a wrong secret', async () => {
    const { url, say } = await underWay()
    const forged = url.slice(0, -4) + (url.endsWith('AAAA') ? 'BBBB' : 'AAAA')
    const lines = await securityLines(async () =>
      assert.equal((await post(forged, say({ status: 'SUCCESSFUL' }))).status, 404),
    )
    assert.deepEqual(lines, ['received a callback at a URL that was never issued'])
  })

  test('200 with another reference, amount or currency: changes nothing and triggers no query', async () => {
    const { id, inner, get, url, say } = await underWay()
    for (const other of [
      { externalId: '00000000-0000-4000-8000-000000000000' },
      { amount: '1.01' },
      { currency: 'GHS' },
    ]) {
      const lines = await securityLines(async () =>
        assert.equal((await post(url, say({ status: 'SUCCESSFUL', ...other }))).status, 200),
      )
      assert.deepEqual(lines, ['a callback does not match its instruction'])
      assert.deepEqual(await queries(inner), [])
    }
    assert.equal((await get(id)).status, 'processing')
  })

  test('200 for a false report, which is not believed, and for an unreadable one', async () => {
    const { id, inner, get, url, say, balance } = await underWay()
    for (const status of ['SUCCESSFUL', 'FAILED'])
      assert.equal((await post(url, say({ status }))).status, 200)
    for (const body of [[], null, 7, 'x', { amount: {}, currency: 1, externalId: [] }])
      assert.equal((await post(url, body)).status, 200)
    assert.equal((await post(url, 'x', 'text/plain')).status, 200)
    await until(async () => (await queries(inner)).length === 0)
    assert.equal((await get(id)).status, 'processing')
    assert.deepEqual(await balance(), [900, 100])
    await rail.advance(60_000)
    assert.equal((await ended(get, id)).failureDetail.code, 'authorization_failed')
    await t.verify()
  })
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { must } from '@pesewa/values'
import { openFollowers } from '../../../../packages/server/src/followers.ts'
import { listCases } from '../../../../packages/server/src/ledger/accounts/cases.ts'
import { accountIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { transferIds } from '../../../../packages/server/src/ledger/transfers/resources.ts'
import {
  beginTransfer,
  executeTransfers,
} from '../../../../packages/server/src/ledger/transfers/transfers.ts'
import { setLimit } from '../../../../packages/server/src/money/approvals/limits.ts'
import { decideCase } from '../../../../packages/server/src/money/recalls/recalls.ts'
import { listRecalls, returnRecall } from '../../../../packages/server/src/money/recalls/returning.ts'
import { setPolicy } from '../../../../packages/server/src/money/refunds/policies.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId, showId } from '../../../../packages/server/src/platform/ids.ts'
import { enqueue } from '../../../../packages/server/src/platform/jobs/queue.ts'
import { Refusal } from '../../../../packages/server/src/platform/refusals.ts'
import { resourceOf } from '../../../../packages/server/src/platform/resources.ts'
import type { OwnerType } from '../../../../packages/server/src/rails/instructions/owner-types.ts'
import { record } from '../../../../packages/server/src/rails/instructions/recording.ts'
import { listUnknown, resolve } from '../../../../packages/server/src/rails/instructions/resolving.ts'
import type { StatusUpdate } from '../../../../packages/server/src/rails/instructions/updates.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { sourcesOf } from '../../../tidy/sources.ts'
import { openShop, reasonOf, type Shown } from '../../money/refunds/shop.ts'

// Runs each two operations that can return the money of one payout, refund or payment, in both orders and
// concurrently.

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())
const { db } = t.app.parts
const parts = { ...t.app.parts, followers: openFollowers(t.app.parts) }
const dayMs = 86_400_000
const decider = { by: 'Aminata, finance', reason: 'the statement of 21 November' }
const amount = { currency: 'SLE', value: 1_000 }

type Operation = (object: Sent) => Promise<unknown>
type Shop = Awaited<ReturnType<typeof openShop>> & { account: string }
type Sent = { shop: Shop; noun: OwnerType; shown: string; id: string }

const saidBy =
  (result: StatusUpdate['result']): Operation =>
  ({ shop: { merchant }, id }) =>
    db.transaction(async (tx) => {
      const instruction = { scope: merchant.scope, id } as StatusUpdate['instruction']
      await record(tx, parts, [{ instruction, result, source: 'report' }])
    })

const resolvedAs =
  (resolution: 'completed' | 'failed'): Operation =>
  ({ noun, id }) =>
    db.transaction((tx) => resolve(tx, parts, { ownerType: noun, id, resolution }, decider))

const casesOf = async ({ id }: Sent) => (await listCases(db, true)).filter(({ objectId }) => objectId === id)

const closing =
  (accountOf: (shop: Shop) => string | undefined): Operation =>
  async (object) => {
    for (const { id } of await casesOf(object))
      await db.transaction((tx) => decideCase(tx, id, decider, accountOf(object.shop)))
  }

let transactions = 0
const returnOpenRecalls: Operation = async ({ id: payoutId }) => {
  for (const { id } of (await listRecalls(db, false)).filter((one) => one.payoutId === payoutId))
    await db.transaction((tx) => returnRecall(tx, id, { transaction: `TX-${++transactions}` }, decider))
}
const recall = ({ shop: { merchant }, shown: payoutId }: Sent, more: object = {}) =>
  merchant.call('POST', '/v1/recalls', { payoutId, reason: 'wrong_payee', ...more })

const operations = {
  'an operator resolves it as completed': resolvedAs('completed'),
  'an operator resolves it as failed': resolvedAs('failed'),
  'the rail reports success': saidBy({
    outcome: 'done',
    amount: 1_000n,
    currency: 'SLE',
    railTransaction: undefined,
  }),
  'the rail reports failure': saidBy({ outcome: 'refused', code: 'unknown', message: 'It did not move.' }),
  'its case is closed to its account': closing(({ account }) => account),
  'its case is closed to `elsewhere`': closing(() => undefined),
  'an open recall is returned': returnOpenRecalls,
  'the rest is recalled and returned': async (payout) => {
    await recall(payout)
    await returnOpenRecalls(payout)
  },
  'late money is returned to its payer': async (payment) => {
    for (const { id } of await casesOf(payment))
      await payment.shop.merchant.call('POST', `/v1/cases/${id}/return`, {})
  },
  'the rest is refunded': ({ shop, shown }) => shop.refund(shown),
} satisfies Record<string, Operation>
type Name = keyof typeof operations

const outcomes: Name[] = [
  'an operator resolves it as completed',
  'an operator resolves it as failed',
  'the rail reports success',
  'the rail reports failure',
]
const closings: Name[] = ['its case is closed to its account', 'its case is closed to `elsewhere`']
const own: Record<OwnerType, Name[]> = {
  payout: ['an open recall is returned', 'the rest is recalled and returned'],
  payment: ['late money is returned to its payer', 'the rest is refunded'],
  refund: [],
}

/** The states of an object that was sent and got no response, and what can happen to it next. */
const beginnings: Record<string, { before: Operation[]; meet(noun: OwnerType): Name[] }> = {
  'without an outcome': { before: [], meet: () => outcomes },
  'completed manually': {
    before: [resolvedAs('completed')],
    meet: (noun) => ['the rail reports failure', ...closings, ...own[noun]],
  },
  'failed manually': {
    before: [resolvedAs('failed')],
    meet: (noun) => ['the rail reports success', ...closings, ...own[noun]],
  },
  'completed, recalled and contradicted': {
    before: [resolvedAs('completed'), recall, operations['the rail reports failure']],
    meet: (noun) => [...closings, ...own[noun]],
  },
  'failed and contradicted': {
    before: [resolvedAs('failed'), operations['the rail reports success']],
    meet: (noun) => [...closings, ...own[noun]],
  },
}

/** Runs an operation. A refusal is a valid response; any other error fails the test. */
async function attempt(operation: Operation, object: Sent): Promise<void> {
  await operation(object).catch((error) => {
    if (!(error instanceof Refusal)) throw error
  })
}

const ways: Record<string, (one: Operation, other: Operation, object: Sent) => Promise<unknown>> = {
  'and then': async (one, other, object) => {
    await attempt(one, object)
    await attempt(other, object)
  },
  while: (one, other, object) => Promise.all([attempt(one, object), attempt(other, object)]),
}

/** Returns each pair in both orders, and concurrently. */
const pairsOf = (names: Name[]) =>
  names.flatMap((one, i) =>
    names.flatMap((other, j) =>
      Object.keys(ways)
        .filter((way) => way === 'and then' || i <= j)
        .map((way) => ({ one, other, way })),
    ),
  )

const begin: Record<OwnerType, (shop: Shop, place: number) => Promise<string>> = {
  async payout({ merchant }) {
    const destination = { type: 'momo', providerId: 'm17', phoneNumber: '076123456' }
    const { id } = (await merchant.call('POST', '/v1/payouts', { amount, destination })).body.result
    return id
  },
  async payment({ attempt }) {
    return (await (await attempt(amount.value)).find()).id
  },
  async refund({ merchant, refund }, place) {
    const payments: Shown[] = (await merchant.call('GET', '/v1/payments')).body.result
    return (await refund(must(payments[place % payments.length], 'payment').id, amount.value)).body.result.id
  },
}

const refundsOfPayment = 20

/** Creates several objects that were sent a day ago and have had no response since. */
async function sendMany(noun: OwnerType, count: number): Promise<Sent[]> {
  const made = await openShop(t, rail)
  const { scope } = made.merchant
  const shop = {
    ...made,
    account: must(readId(accountIds, await fund(t.app.parts, scope, 10_000_000)), 'account'),
  }
  if (noun === 'refund')
    for (let paid = 0; paid < count; paid += refundsOfPayment) await made.pay(refundsOfPayment * amount.value)
  const shown: string[] = []
  for (let place = 0; place < count; place++) shown.push(await begin[noun](shop, place))
  await until(async () => {
    const open = (await listUnknown(db, noun)).filter((one) => one.scope.spaceId === scope.spaceId)
    return open.filter(({ state }) => state === 'submitted').length === count
  })
  await t.advance(scope, dayMs)
  return shown.map((id) => ({ shop, noun, shown: id, id: must(readId(resourceOf(noun).ids, id), 'id') }))
}

/**
 * Returns the money that a Space's objects moved between the merchant, or `elsewhere`, and the outside, without
 * fees.
 */
async function movedOf({ scope }: Shop['merchant']): Promise<Map<string, bigint>> {
  const rows = await db.query<{ id: string; moved: bigint }>(sql`
    select owner ->> 'id' as id, sum(line.amount)::bigint as moved from ledger_lines line
    join ledger_accounts account on account.space_id = line.space_id and account.environment = line.environment
      and account.id = line.account_id
    cross join lateral json_array_elements(line.owners) owner
    where line.space_id = ${scope.spaceId} and line.environment = ${scope.environment} and line.fee_code is null
      and account.kind in ('financial', 'elsewhere')
    group by owner ->> 'id'`)
  return new Map(rows.map(({ id, moved }) => [id, moved]))
}

/**
 * Whether the money that moved is within the limits: a payment brings in its full amount or nothing, and money
 * that was sent out comes back at most once.
 */
const isWithin = (noun: OwnerType, moved: bigint) =>
  noun === 'payment' ? moved <= 1_000n : moved >= -1_000n && moved <= 0n

for (const noun of ['payout', 'payment', 'refund'] as const)
  describe(`the money of a ${noun} is returned at most once, whichever two operations coincide,`, () => {
    for (const [beginning, { before, meet }] of Object.entries(beginnings))
      test(`when it was ${beginning}`, async () => {
        const pairs = pairsOf(meet(noun))
        const sent = await sendMany(noun, pairs.length)
        const says = new Map<string, string>()
        for (const [i, { one, other, way }] of pairs.entries()) {
          const object = must(sent[i], 'object of a pair')
          says.set(object.id, `${one}, ${way} ${other}`)
          for (const operation of before) await operation(object)
          await ways[way]!(operations[one], operations[other], object)
          // Pending work must not return the money a second time, either.
          for (const name of [...outcomes, ...own[noun], ...closings]) await attempt(operations[name], object)
        }
        const { merchant } = must(sent[0], 'object').shop
        const moved = await movedOf(merchant)
        const tooMuch = sent.flatMap(({ id }) =>
          isWithin(noun, moved.get(id) ?? 0n) ? [] : [`${says.get(id)}: ${moved.get(id)}`],
        )
        assert.deepEqual(tooMuch, [])
        await t.verify()
      })
  })

const one = async (noun: OwnerType) => must((await sendMany(noun, 1))[0], noun)
const shownCase = async ({ shop: { merchant }, shown }: Sent): Promise<Shown> => {
  const listed: Shown[] = (await merchant.call('GET', '/v1/cases')).body.result
  return listed.find(({ objectId }) => objectId === shown)
}
const leones = (value: number) => ({ currency: 'SLE', value })

test('a case records how much of its payout was returned earlier, and closing it moves the rest', async () => {
  const payout = await one('payout')
  const { merchant, account, balance } = payout.shop
  const shownAccount = showId(accountIds, account)
  await operations['an operator resolves it as completed'](payout)
  const [before = 0] = await balance(shownAccount)
  await recall(payout, { amount: leones(400) })
  await returnOpenRecalls(payout)
  const { id: asked } = (await recall(payout, { amount: leones(500) })).body.result
  await operations['the rail reports failure'](payout)
  assert.equal((await merchant.call('GET', `/v1/recalls/${asked}`)).body.result.status, 'cancelled')
  assert.equal(reasonOf(await recall(payout)), '409 state_conflict')
  const opened = await shownCase(payout)
  assert.deepEqual(
    [opened.amount, opened.returned, opened.remaining],
    [leones(1_000), leones(400), leones(600)],
  )
  await t.verify()
  await operations['its case is closed to its account'](payout)
  assert.deepEqual(await balance(shownAccount), [before + 1_000, 0])
  const closed = await shownCase(payout)
  assert.deepEqual([closed.status, closed.returned, closed.remaining], ['closed', leones(400), leones(600)])
  await t.verify()
})

test('closing a case moves nothing to the account if its payout was returned in full', async () => {
  const payout = await one('payout')
  const { account, balance } = payout.shop
  await operations['an operator resolves it as completed'](payout)
  await operations['the rest is recalled and returned'](payout)
  const before = await balance(showId(accountIds, account))
  await operations['the rail reports failure'](payout)
  assert.deepEqual((await shownCase(payout)).remaining, leones(0))
  await operations['its case is closed to its account'](payout)
  assert.deepEqual(await balance(showId(accountIds, account)), before)
  await t.verify()
})

test('a payment that, according to its provider, never arrived is refunded neither by a new nor by a waiting refund', async () => {
  const payment = await one('payment')
  const { merchant, account, act, balance, join, refund, get } = payment.shop
  await operations['an operator resolves it as completed'](payment)
  await db.transaction((tx) => setLimit(tx, merchant.scope, 'refund', 'SLE', 100n))
  const waiting = (await refund(payment.shown, 300)).body.result
  assert.equal(waiting.pendingReason, 'approval')
  const source = showId(accountIds, account)
  const rent = (await merchant.call('POST', '/v1/financial-accounts', { name: 'Rent', currency: 'SLE' })).body
    .result
  const [available = 0] = await balance(source)
  await merchant.call('POST', '/v1/internal-transfers', {
    amount: leones(available),
    sourceFinancialAccount: { id: source },
    destinationFinancialAccount: { id: rent.id },
  })
  await db.transaction((tx) => setPolicy(tx, merchant.scope, { queuesWhenShort: true }))
  const short = (await refund(payment.shown, 60)).body.result
  assert.equal(short.pendingReason, 'insufficient_balance')
  await operations['the rail reports failure'](payment)
  assert.equal(reasonOf(await refund(payment.shown, 50)), '409 state_conflict')
  await fund(t.app.parts, merchant.scope, 10_000)
  await db.transaction((tx) => enqueue(tx, 'refunds.take-up', merchant.scope))
  const failed = await until(async () => {
    const found = await get(short.id)
    return found.status === 'failed' && found
  })
  assert.equal(failed.failureDetail.message, 'The provider reports that the payment never arrived.')
  const other = await join()
  assert.equal(reasonOf(await act(waiting.id, 'approve', other)), '409 state_conflict')
  assert.equal(reasonOf(await act(waiting.id, 'reject', other)), '200')
  assert.equal((await get(waiting.id)).status, 'cancelled')
  await t.verify()
})

test('a scheduled transfer that is cancelled while it is executed is either cancelled or completed, never both', async () => {
  const { merchant } = await openShop(t, rail)
  const { scope } = merchant
  const sourceId = await fund(t.app.parts, scope, 100_000)
  const destinationId = (
    await merchant.call('POST', '/v1/financial-accounts', { name: 'Rent', currency: 'SLE' })
  ).body.result.id
  const executeTime = new Date(t.app.parts.clock.now(scope).getTime() + dayMs).toISOString()
  let completed = 0
  for (let round = 0; round < 20; round++) {
    const { id } = (
      await merchant.call('POST', '/v1/internal-transfers', {
        ...{ amount, executeTime },
        sourceFinancialAccount: { id: sourceId },
        destinationFinancialAccount: { id: destinationId },
      })
    ).body.result
    const due = { scope, id: must(readId(transferIds, id), 'id'), at: new Date(executeTime) }
    const execute = async () => {
      if (await db.transaction((tx) => beginTransfer(tx, scope, due.id, due.at)))
        await db.transaction((tx) => executeTransfers(tx, [due]))
    }
    const cancel = () => merchant.call('DELETE', `/v1/internal-transfers/${id}`)
    await Promise.all(round % 2 === 0 ? [execute(), cancel()] : [cancel(), execute()])
    const { status } = (await merchant.call('GET', `/v1/internal-transfers/${id}`)).body.result
    if (status === 'completed') completed++
    else assert.equal(status, 'failed')
  }
  const { balance } = (await merchant.call('GET', `/v1/financial-accounts/${destinationId}?withBalance=true`))
    .body.result
  assert.equal(balance.available.value, completed * amount.value)
  await t.verify()
})

/**
 * The places where the program books, reserves or frees an object's money, and the operations that compete for
 * it.
 */
const bookedBy: Record<
  string,
  Name[] | 'a transfer' | 'a settlement: settlements.test.ts' | 'the demo' | 'a type'
> = {
  'packages/server/src/demo.ts': 'the demo',
  'packages/server/src/rails/instructions/follower.ts': 'a type',
  'packages/server/src/rails/instructions/recording.ts': [
    'the rail reports success',
    'the rail reports failure',
  ],
  // Before anything is sent, so that nothing else can compete.
  'packages/server/src/rails/instructions/submitting.ts': ['the rail reports failure'],
  'packages/server/src/money/refunds/decisions.ts': ['an operator resolves it as failed'],
  'packages/server/src/money/refunds/queue.ts': ['an operator resolves it as failed'],
  'packages/server/src/money/payments/follower.ts': [
    'the rail reports success',
    'an operator resolves it as completed',
  ],
  'packages/server/src/money/payouts/follower.ts': [
    'the rail reports success',
    'an operator resolves it as completed',
  ],
  'packages/server/src/money/payouts/payouts.ts': [
    'the rail reports failure',
    'an operator resolves it as failed',
  ],
  'packages/server/src/money/recalls/recalls.ts': closings,
  'packages/server/src/money/recalls/returning.ts': own.payout,
  'packages/server/src/money/refunds/follower.ts': [
    'the rail reports success',
    'an operator resolves it as completed',
  ],
  'packages/server/src/money/refunds/refunds.ts': [
    'the rail reports failure',
    'an operator resolves it as failed',
  ],
  'packages/server/src/money/refunds/late-payments.ts': ['late money is returned to its payer'],
  'packages/server/src/finance/settlements/settlements.ts': 'a settlement: settlements.test.ts',
  'packages/server/src/ledger/transfers/new-transfer.ts': 'a transfer',
  'packages/server/src/ledger/transfers/transfers.ts': 'a transfer',
}

test('these operations include every place that books money of an object', () => {
  const books = /import (?:type )?\{([^}]*)\} from '[./a-z-]*\/accounts\/(?:postings|holds|cases)\.ts'/g
  const isBooking =
    /\b(?:post|postEach|posting|captureEach|releaseEach|applyLedgerWork|LedgerWork|closeCase|openCases)\b/
  const found = sourcesOf('packages/server/src', '.ts').filter(
    ({ path, text, isTest }) =>
      !isTest &&
      !path.startsWith('packages/server/src/ledger/accounts/') &&
      [...text.matchAll(books)].some(([, names = '']) => isBooking.test(names)),
  )
  assert.deepEqual(found.map(({ path }) => path).toSorted(), Object.keys(bookedBy).toSorted())
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openFollowers } from '../../../src/followers.ts'
import type { OwnerType } from '../../../src/instructions/owner-types.ts'
import { record } from '../../../src/instructions/recording.ts'
import { listUnknown, resolve } from '../../../src/instructions/resolving.ts'
import type { StatusUpdate } from '../../../src/instructions/updates.ts'
import { listCases } from '../../../src/ledger/cases.ts'
import { accountIds } from '../../../src/ledger/resources.ts'
import { sql } from '../../../src/platform/db/sql.ts'
import { readId } from '../../../src/platform/ids.ts'
import { must } from '../../../src/platform/must.ts'
import { Refusal } from '../../../src/platform/refusals.ts'
import { resourceOf } from '../../../src/platform/resources.ts'
import { decideCase } from '../../../src/recalls/contradicted.ts'
import { listRecalls, returnRecall } from '../../../src/recalls/returning.ts'
import { createManualClock } from '../../../src/simulator/engine/clock.ts'
import { startTestApp, until } from '../../harness.ts'
import { fund } from '../../money.ts'
import { openShop, type Shown } from '../refunds/shop.ts'

// Two operations that can give back the money of one payout, refund or payment meet: in both orders, and at once.

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
  'a person says that it completed': resolvedAs('completed'),
  'a person says that it failed': resolvedAs('failed'),
  'the rail reports success': saidBy({
    outcome: 'done',
    amount: 1_000n,
    currency: 'SLE',
    railTransaction: undefined,
  }),
  'the rail reports failure': saidBy({ outcome: 'refused', code: 'unknown', message: 'It did not move.' }),
  'its case is closed in favour of its account': closing(({ account }) => account),
  'its case is settled elsewhere': closing(() => undefined),
  'an open recall comes back': returnOpenRecalls,
  'the rest is recalled and comes back': async (payout) => {
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
  'a person says that it completed',
  'a person says that it failed',
  'the rail reports success',
  'the rail reports failure',
]
const closings: Name[] = ['its case is closed in favour of its account', 'its case is settled elsewhere']
const own: Record<OwnerType, Name[]> = {
  payout: ['an open recall comes back', 'the rest is recalled and comes back'],
  payment: ['late money is returned to its payer', 'the rest is refunded'],
  refund: [],
}

/** How each begins, after it was sent and nothing was heard of it; and what can happen to it then. */
const beginnings: Record<string, { before: Operation[]; meet(noun: OwnerType): Name[] }> = {
  'without an outcome': { before: [], meet: () => outcomes },
  'completed by hand': {
    before: [resolvedAs('completed')],
    meet: (noun) => ['the rail reports failure', ...closings, ...own[noun]],
  },
  'failed by hand': {
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

/** A refusal is an answer; anything else is a fault. */
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

/** Each two in both orders, and each two at once. */
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

/** So many that were sent a day ago, and of which nothing was heard since. */
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

/** What the objects of a Space moved between its merchant, or who was settled with elsewhere, and the outside; without fees. */
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

/** A payment brings what came in, or nothing; what was sent out comes back at most. */
const isWithin = (noun: OwnerType, moved: bigint) =>
  noun === 'payment' ? moved <= 1_000n : moved >= -1_000n && moved <= 0n

for (const noun of ['payout', 'payment', 'refund'] as const)
  describe(`the money of a ${noun} is given back once at most, whichever two operations meet,`, () => {
    for (const [beginning, { before, meet }] of Object.entries(beginnings))
      test(`where it was ${beginning}`, async () => {
        const pairs = pairsOf(meet(noun))
        const sent = await sendMany(noun, pairs.length)
        const says = new Map<string, string>()
        for (const [i, { one, other, way }] of pairs.entries()) {
          const object = must(sent[i], 'object of a pair')
          says.set(object.id, `${one}, ${way} ${other}`)
          for (const operation of before) await operation(object)
          await ways[way]!(operations[one], operations[other], object)
          // What is left undone may not give it back a second time, either.
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

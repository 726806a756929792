import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { openAccount } from '../../../packages/server/src/ledger/accounts/new-account.ts'
import { accountIds } from '../../../packages/server/src/ledger/accounts/resources.ts'
import { transferIds } from '../../../packages/server/src/ledger/transfers/resources.ts'
import { setLimit } from '../../../packages/server/src/money/approvals/limits.ts'
import { sql } from '../../../packages/server/src/platform/db/sql.ts'
import { createCommand } from '../../../packages/server/src/platform/http/commands/command.ts'
import { fingerprintOf } from '../../../packages/server/src/platform/http/commands/idempotency.ts'
import type { Call, CommandRoute } from '../../../packages/server/src/platform/http/commands/route.ts'
import { readId, showId } from '../../../packages/server/src/platform/ids.ts'
import { createHandset } from '../../support/handset.ts'
import { type Merchant, startTestApp } from '../../support/harness.ts'
import { fund } from '../../support/money.ts'

const t = await startTestApp({ work: false })
after(() => t.close())
const { db, clock } = t.app.parts

const path = '/v1/internal-transfers'
const payoutsPath = '/v1/payouts'
const routeAt = (url: string) =>
  t.app.routes.find((one): one is CommandRoute => one.kind === 'command' && one.url === url)!
const route = routeAt(path)

/**
 * Creates shops that move money between two of their accounts. Calls in one turn of the event loop form one
 * batch.
 */
async function openShops(count: number) {
  const create = createCommand(t.app.parts, route)
  const opened = await Promise.all(Array.from({ length: count }, () => openShop(create)))
  return {
    shops: opened,
    all: (work: (shop: Shop, i: number) => Promise<MadeTransfer>) => Promise.all(opened.map(work)),
  }
}

type MadeTransfer = { status: string; createTime: string; id: string }
type Shop = Awaited<ReturnType<typeof openShop>>

async function openShop(create: ReturnType<typeof createCommand>) {
  const merchant = await t.merchant()
  const { scope } = merchant
  const main = await fund(t.app.parts, scope, 1_000)
  const rent = await db.transaction((tx) =>
    openAccount(tx, scope, { name: 'Rent', currency: 'SLE' }, clock.now(scope)),
  )
  const move = async (value: number, key: string, more: object = {}): Promise<MadeTransfer> => {
    const body = {
      ...more,
      amount: { currency: 'SLE', value },
      sourceFinancialAccount: { id: main },
      destinationFinancialAccount: { id: showId(accountIds, rent.id) },
    }
    const call = { scope, body, now: clock.now(scope) } as Call
    const { text } = await create({ key, fingerprint: fingerprintOf('POST', path, body), call })
    return JSON.parse(text).result
  }
  return { merchant, scope, main: readId(accountIds, main)!, move }
}

/** Returns the number of batches of the command, and of calls in them. */
async function batches(url = path): Promise<{ count: number; calls: number }> {
  const { values } = await t.app.parts.metrics.batchSizes.get()
  const of = (name: string) =>
    values.find(
      ({ metricName, labels }) => metricName === `pesewa_batch_size_${name}` && labels.command === url,
    )
  return { count: of('count')?.value ?? 0, calls: of('sum')?.value ?? 0 }
}

test('commands of many Spaces run in one batch, each in its own Space, by that Space’s clock, with its own key', async () => {
  const { shops, all } = await openShops(5)
  await t.advance(shops[1]!.scope, 86_400_000)
  const before = await batches()
  const transfers = await all((shop, i) => shop.move(100 + i, 'the same key in all of them'))
  const now = await batches()
  assert.deepEqual([now.count - before.count, now.calls - before.calls], [1, 5])
  for (const [i, { merchant, scope }] of shops.entries()) {
    const { status, createTime, id } = transfers[i]!
    assert.equal(status, 'completed')
    const ahead = new Date(createTime).getTime() - Date.now()
    assert.equal(ahead > 80_000_000, i === 1)
    const { result } = (await merchant.call('GET', `${path}/${id}`)).body
    assert.equal(result.amount.value, 100 + i)
    assert.equal(result.ownershipGraph.owner.id, merchant.spaceId)
    const events = await t.events(scope)
    const created = events.filter(({ type }) => type === 'internal_transfer.created')
    assert.deepEqual(
      created.map(({ objectId }) => showId(transferIds, objectId)),
      [id],
    )
    const lines = events.filter(
      ({ type, data }) => type === 'financial_transaction.created' && 'reference' in data,
    )
    assert.equal(lines.length, 3)
    for (const other of shops)
      if (other.scope !== scope) assert.equal((await other.merchant.call('GET', `${path}/${id}`)).status, 404)
  }
  await t.verify()
})

test('a Space with too little money, or a repeated key, does not affect the others in its batch', async () => {
  const { all } = await openShops(6)
  const first = await all((shop, i) => shop.move(100, `first ${i}`))
  for (let round = 0; round < 4; round++) {
    const transfers = await all((shop, i) => {
      if (i === 1) return shop.move(5_000, `too much ${round}`)
      return i === 2 ? shop.move(100, 'first 2') : shop.move(10, `round ${round}`)
    })
    assert.deepEqual(
      transfers.map(({ status }) => status),
      ['completed', 'failed', 'completed', 'completed', 'completed', 'completed'],
    )
    assert.equal(transfers[2]!.id, first[2]!.id)
  }
  await t.verify()
})

test('scheduled and immediate transfers run in one batch; too little money for one does not affect the others', async () => {
  const { shops, all } = await openShops(6)
  const executeTime = new Date(Date.now() + 60_000).toISOString()
  const later = new Date(Date.now() + 2 * 366 * 86_400_000).toISOString()
  for (const value of [100, 5_000]) {
    const before = await batches()
    const refused = assert.rejects(shops[4]!.move(10, `too late ${value}`, { executeTime: later }))
    const transfers = await all((shop, i) =>
      shop.move(i === 1 ? value : 100, `value ${value}`, i % 2 === 0 ? { executeTime } : {}),
    )
    await refused
    const now = await batches()
    assert.deepEqual([now.count - before.count, now.calls - before.calls], [1, 7])
    const ofSecond = value > 1_000 ? 'failed' : 'completed'
    assert.deepEqual(
      transfers.map(({ status }) => status),
      ['pending', ofSecond, 'pending', 'completed', 'pending', 'completed'],
    )
    for (const [i, { scope }] of shops.entries()) {
      const { id, status } = transfers[i]!
      const types = (await t.events(scope)).flatMap(({ type, objectId }) =>
        objectId === readId(transferIds, id) ? type : [],
      )
      assert.deepEqual(
        types,
        ['created', ...(status === 'pending' ? [] : [status])].map((what) => `internal_transfer.${what}`),
      )
      const { spaceId, environment } = scope
      const jobs = await db.query(sql`
        select due_at from jobs
        where space_id = ${spaceId} and environment = ${environment} and job = 'internal-transfers.execute'
          and payload ->> 'transferId' = ${readId(transferIds, id)!}`)
      assert.deepEqual(jobs, status === 'pending' ? [{ dueAt: new Date(executeTime) }] : [])
    }
  }
  await t.verify()
})

test('payouts of many Spaces run in one batch, each from its own money and by its own rules', async () => {
  const create = createCommand(t.app.parts, routeAt(payoutsPath))
  const shops = await Promise.all(
    [1_000, 50, 1_000, 1_000].map(async (value) => {
      const merchant = await t.merchant()
      return { ...merchant, main: await fund(t.app.parts, merchant.scope, value) }
    }),
  )
  const [, , strict, confused] = shops
  await db.transaction((tx) => setLimit(tx, strict!.scope, 'payout', 'SLE', 150n))
  const pay = async ({ scope, userId }: Merchant, key: string, sourceAccount: string) => {
    const body = {
      amount: { currency: 'SLE', value: 100 },
      destination: { type: 'momo', providerId: 'm17', phoneNumber: '+23276123456' },
      source: { financialAccountId: sourceAccount },
    }
    const call = { scope, body, userId, idempotencyKey: key, now: clock.now(scope) } as Call
    const request = { key, fingerprint: fingerprintOf('POST', payoutsPath, body), call }
    return create(request).then(
      ({ text }) => JSON.parse(text).result,
      (error) => error.reason,
    )
  }
  const before = await batches(payoutsPath)
  const payouts = await Promise.all(
    shops.flatMap((shop) =>
      ['one', 'two'].map((key) => pay(shop, key, shop === confused ? strict!.main : shop.main)),
    ),
  )
  const now = await batches(payoutsPath)
  assert.deepEqual([now.count - before.count, now.calls - before.calls], [1, 8])
  assert.deepEqual(
    payouts.map((payout) => payout.failureDetail?.code ?? payout.approval?.status ?? payout.status ?? payout),
    [
      ...['pending', 'pending'],
      ...['fund_insufficient', 'fund_insufficient'],
      ...['pending', 'required'],
      ...['arguments_invalid', 'arguments_invalid'],
    ],
  )
  for (const [i, shop] of shops.entries()) {
    const { result } = (await shop.call('GET', payoutsPath)).body
    assert.deepEqual(
      result.map(({ id }: { id: string }) => id).toSorted(),
      payouts
        .slice(2 * i, 2 * i + 2)
        .flatMap(({ id }) => id ?? [])
        .toSorted(),
    )
  }
  await t.verify()
})

test('a Space with a locked account does not delay any other, now or later', async () => {
  const { shops, all } = await openShops(12)
  const [held, ...others] = shops as [Shop, ...Shop[]]
  const holder = new pg.Client(t.database.connection)
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('select 1 from ledger_accounts where id = $1 for update', [held.main])
    const hanging: Promise<MadeTransfer>[] = []
    let ended = 0
    for (let round = 0; round < 3; round++)
      await all((shop, i) => {
        const move = shop.move(10, `round ${round}`)
        if (i > 0) return move
        hanging.push(move.finally(() => ended++))
        return Promise.resolve({ status: 'hangs', createTime: '', id: '' })
      })
    assert.equal(ended, 0)
    await holder.query('rollback')
    for (const { status } of await Promise.all(hanging)) assert.equal(status, 'completed')
  } finally {
    await holder.end()
  }
  for (const { scope, main } of [held, ...others]) {
    const { spaceId, environment } = scope
    const account = await db.one<{ posted: bigint }>(sql`
      select posted from ledger_accounts
      where space_id = ${spaceId} and environment = ${environment} and id = ${main}`)
    assert.equal(account!.posted, 970n)
  }
  await t.verify()
})

test('a Space whose postings the database refuses does not block the others', async () => {
  const { shops, all } = await openShops(10)
  const { spaceId, environment } = shops[3]!.scope
  // The maximum balance of an account: one unit more is an error, not a refusal.
  const { id } = (await db.one<{ id: string }>(sql`
    select id from ledger_accounts
    where space_id = ${spaceId} and environment = ${environment} and kind = 'financial' and purpose is null`))!
  await db.pool.query('update ledger_accounts set posted = $1, held = 0 where space_id = $2 and id = $3', [
    2n ** 63n - 1n,
    spaceId,
    id,
  ])
  for (let round = 0; round < 2; round++) {
    const outcomes = await Promise.allSettled(shops.map((shop) => shop.move(10, `round ${round}`)))
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      shops.map((_, i) => (i === 3 ? 'rejected' : 'fulfilled')),
    )
  }
  await db.pool.query('update ledger_accounts set posted = 0 where space_id = $1 and id = $2', [spaceId, id])
  const transfers = await all((shop) => shop.move(10, 'after all'))
  assert.ok(transfers.every(({ status }) => status === 'completed'))
  await t.verify()
})

test('payers of many Spaces confirm at the same time: each starts a payment in its Space, and a refused one does not affect others', async () => {
  const merchants: Merchant[] = []
  for (let i = 0; i < 6; i++) merchants.push(await t.merchant())
  const [ahead] = merchants
  await t.advance(ahead!.scope, 86_400_000)
  const bill = { name: 'Cloth', amount: { currency: 'SLE', value: 500 } }
  const codes = await Promise.all(
    merchants.map(async (merchant) => (await merchant.call('POST', '/v1/payment-codes', bill)).body.result),
  )
  const handsets = codes.map((_, i) => createHandset(t, `+2327630050${i}`))
  await Promise.all(handsets.map((handset, i) => handset.dial(codes[i].ussdCode)))
  await merchants[3]!.call('DELETE', `/v1/payment-codes/${codes[3].id}`)
  const shown = await Promise.all(handsets.map((handset) => handset.enter('1')))
  for (const [i, merchant] of merchants.entries()) {
    assert.match(shown[i]!.text, i === 3 ? /not valid/ : /ask for your PIN/)
    const payments = (await merchant.call('GET', '/v1/payments')).body.result
    assert.equal(payments.length, i === 3 ? 0 : 1)
    if (i !== 3) assert.equal(new Date(payments[0].createTime).getTime() > Date.now() + 80_000_000, i === 0)
  }
})

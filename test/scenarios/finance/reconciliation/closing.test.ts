import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { closeItem } from '../../../../packages/server/src/finance/reconciliation/closings.ts'
import {
  type ItemName,
  readItem,
  showItem,
} from '../../../../packages/server/src/finance/reconciliation/item-names.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { Refusal, type RefusalReason } from '../../../../packages/server/src/platform/refusals.ts'
import { type Merchant, startTestApp } from '../../../support/harness.ts'
import { createBookkeeping } from './statements.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const { db } = t.app.parts
const bookkeeping = createBookkeeping(t, rail)
after(async () => {
  await t.close()
  bookkeeping.close()
})

const hour = 3_600_000
const now = new Date()
const decider = { by: 'kadi@shop.example', reason: 'The provider paid it back in cash' }
const close = (name: ItemName, by = decider) => db.transaction((tx) => closeItem(tx, name, by, now))
const stated = (lineId: string): ItemName => ({ providerId: 'm17', environment: 'test', lineId })

async function refused(attempt: Promise<unknown>, reason: RefusalReason, says: RegExp): Promise<void> {
  const error = await attempt.then(
    () => assert.fail('it was closed'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Refusal, `${error}`)
  assert.equal(error.reason, reason)
  assert.match(`${error.message} ${JSON.stringify(error.details)}`, says)
}

describe('an open item', () => {
  let merchant: Merchant
  let ours: ItemName
  let differing: { reference: string }

  before(async () => {
    merchant = await t.merchant()
    await bookkeeping.pay(merchant, 1_000)
    differing = await bookkeeping.pay(merchant, 2_000)
    const { openItems } = await bookkeeping.reconcile()
    assert.deepEqual(
      openItems.items.map(({ state }) => state),
      ['awaited', 'awaited'],
    )
    ours = openItems.items[0]!.name
  })

  test('cannot be closed while it is awaited, because a statement may still show it', () =>
    refused(close(ours), 'state_conflict', /No statement covers the time of this item yet/))

  test('can be closed on either side, stays in the report with who, when and why, and raises no alarm', async () => {
    const at = new Date()
    await bookkeeping.import(
      [
        { id: '7001', reference: 'nobody/knows', at, value: 300, way: 'disbursement' },
        { id: 'a/7002', reference: differing.reference, at, value: 2_001 },
      ],
      { from: new Date(at.getTime() - hour), until: new Date(at.getTime() + hour) },
    )
    const before = await bookkeeping.reconcile()
    assert.deepEqual(before.valueOpen, [
      { state: 'amount_differs', currency: 'SLE', in: 2_000n, out: 0n, net: 2_000n },
      { state: 'missing_here', currency: 'SLE', in: 0n, out: 300n, net: -300n },
      { state: 'missing_there', currency: 'SLE', in: 1_000n, out: 0n, net: 1_000n },
    ])
    assert.ok(!before.isClean)

    for (const name of [ours, stated('7001'), stated('a/7002')]) await close(name)

    const { closedByHand, ...report } = await bookkeeping.reconcile()
    assert.deepEqual([report.openItems.items, report.isClean, report.proof.differences], [[], true, []])
    assert.equal(closedByHand.lines, 3n)
    assert.deepEqual(closedByHand.value, [{ currency: 'SLE', in: 3_000n, out: 300n, net: 2_700n }])
    assert.deepEqual(
      closedByHand.items.map(({ name, state, closedAt, closedBy, reason }) => [
        showItem(name),
        state,
        { closedAt, by: closedBy, reason },
      ]),
      [
        ['m17/test/a/7002', 'amount_differs', { closedAt: now, ...decider }],
        ['m17/test/7001', 'missing_here', { closedAt: now, ...decider }],
        [showItem(ours), 'missing_there', { closedAt: now, ...decider }],
      ],
    )
    await t.verify()
  })

  test('with a line of a Space appears in that Space’s audit entries when it is closed', async () => {
    const entries = await db.query<{ actor: string; reason: string; details: object }>(sql`
      select actor, reason, details from audit_entries
      where space_id = ${merchant.scope.spaceId} and environment = 'test' and action = 'reconciliation.close_item'
      order by at, id`)
    const { by: actor, reason } = decider
    assert.deepEqual(entries, [
      { actor, reason, details: { item: showItem(ours), state: 'missing_there' } },
      { actor, reason, details: { item: 'm17/test/a/7002', state: 'amount_differs' } },
    ])
  })

  test('is closed once, and a later statement does not reopen or match it', async () => {
    const message = /was closed at .* by kadi@shop.example: The provider paid it back in cash/
    for (const name of [ours, stated('7001'), stated('a/7002')])
      await refused(close(name), 'state_conflict', message)
    const { id } = await bookkeeping.pay(merchant, 4_000)
    const payment = (await bookkeeping.reconcile()).openItems.items[0]!
    assert.equal(payment.state, 'missing_there')
    const attempts = await Promise.allSettled([close(payment.name), close(payment.name)])
    assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 1, id)

    const late = { id: '7003', reference: payment.reference!, at: new Date(), value: 4_000 }
    await bookkeeping.import([late])
    const report = await bookkeeping.reconcile()
    assert.deepEqual([report.linesMatched, report.proof.differences], [0n, []])
    assert.deepEqual(
      report.openItems.items.map(({ state, lineId }) => [state, lineId]),
      [['missing_here', '7003']],
    )
    await close(stated('7003'), { by: 'x', reason: 'It is the payment that was closed' })
    assert.ok((await bookkeeping.reconcile()).isClean)
  })

  test('is found only by its own name, and closing it requires a decider’s name and a reason', async () => {
    await bookkeeping.import([{ id: '7004', reference: 'nobody', at: new Date(), value: 1 }])
    await refused(close(stated('none')), 'not_found', /no such open item/)
    await refused(close({ ...stated('7004'), environment: 'live' }), 'not_found', /no such open item/)
    await refused(close({ ...stated('7004'), providerId: 'm18' }), 'not_found', /no such open item/)
    await refused(
      close({ bookedId: '019aa8b4-7800-7000-8000-000000000001' }),
      'not_found',
      /no such open item/,
    )
    const bad: [typeof decider, RegExp][] = [
      [{ by: ' ', reason: 'x' }, /"by".*1 to 100 characters/],
      [{ by: 'x'.repeat(101), reason: 'x' }, /"by".*1 to 100 characters/],
      [{ by: 'x', reason: '\n' }, /"reason".*1 to 500 characters/],
      [{ by: 'x', reason: 'x'.repeat(501) }, /"reason".*1 to 500 characters/],
    ]
    for (const [by, says] of bad) await refused(close(stated('7004'), by), 'arguments_invalid', says)
    await close(stated('7004'))
  })

  test('that is matched cannot be closed', async () => {
    const { reference } = await bookkeeping.pay(merchant, 5_000)
    await bookkeeping.import([{ id: '7005', reference, at: new Date(), value: 5_000 }])
    assert.equal((await bookkeeping.reconcile()).linesMatched, 1n)
    await refused(close(stated('7005')), 'not_found', /no such open item/)
  })

  test('stays closed: the row cannot be changed', () =>
    assert.rejects(
      db.transaction((tx) => tx.run(sql`delete from item_closings -- every space: what a bug might do`)),
      /item_closings is append only/,
    ))
})

test('the name of an item is parsed as it is shown, and in no other form', () => {
  for (const text of ['m17/live/4242', 'm17/test/a/b c', 'ftx-01kaj3v5w8e4r9tbn2m6c7d0xz'])
    assert.equal(showItem(readItem(text)!), text)
  for (const text of [
    '',
    '4242',
    'm17/4242',
    'm17/moon/4242',
    '/live/1',
    'm17/live/',
    'pay-01kaj3v5w8e4r9tbn2m6c7d0xz',
  ])
    assert.equal(readItem(text), undefined, text)
})

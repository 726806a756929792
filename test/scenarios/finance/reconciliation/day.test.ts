import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { closeItem } from '../../../../packages/server/src/finance/reconciliation/closings.ts'
import {
  closeDay,
  listDays,
  listDaysToClose,
  reopenDay,
} from '../../../../packages/server/src/finance/reconciliation/days.ts'
import { Refusal } from '../../../../packages/server/src/platform/refusals.ts'
import { type Merchant, startTestApp } from '../../../support/harness.ts'
import { createBookkeeping, type StatedLine } from './statements.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const { db } = t.app.parts
const bookkeeping = createBookkeeping(t, rail)
after(async () => {
  await t.close()
  bookkeeping.close()
})

const dayMs = 86_400_000
const noon = (Math.floor(Date.now() / dayMs) + 1.5) * dayMs
/** Returns a time this many hours after noon of the day on which everything is booked. */
const at = (hours: number) => new Date(noon + hours * 3_600_000)
const dateOf = (time: Date) => time.toISOString().slice(0, 10)
const day = dateOf(at(0))
const place = { timeZone: 'Africa/Freetown', currency: 'SLE' }
const decider = { by: 'kadi@shop.example', reason: 'Every difference is explained' }
const close = (now = at(48), name = day, by = decider, where = place) =>
  db.transaction((tx) => closeDay(tx, { ...bookkeeping.extent, day: name }, where, by, now))
const reopen = (name = day) =>
  db.transaction((tx) => reopenDay(tx, { ...bookkeeping.extent, day: name }, decider, at(49)))

async function refused(attempt: Promise<unknown>, says: RegExp, reason = 'state_conflict'): Promise<void> {
  const error = await attempt.then(
    () => assert.fail('it was done'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Refusal, `${error}`)
  assert.equal(error.reason, reason)
  assert.match(`${error.message} ${JSON.stringify(error.details)}`, says)
}

describe('a day of a provider', () => {
  let merchant: Merchant
  let lines: StatedLine[]
  const covered = { from: at(-13), until: at(20), at: at(20) }

  before(async () => {
    merchant = await t.merchant()
    // Everything that day is booked around noon, whenever this test runs.
    await t.advance(merchant.scope, noon - t.app.parts.clock.now(merchant.scope).getTime())
    const [same, next, never] = [
      await bookkeeping.pay(merchant, 1_000),
      await bookkeeping.pay(merchant, 2_000),
      await bookkeeping.pay(merchant, 4_000),
    ]
    assert.ok(never)
    const topUp = {
      ...{ kind: 'float_top_up', providerId: 'm17', amount: { currency: 'SLE', value: 70 } },
      ...{ bankReference: 'FT26', valueDate: '2026-01-31' },
    }
    const { id } = (await merchant.call('POST', '/v1/settlements', topUp)).body.result
    await merchant.call('POST', `/v1/settlements/${id}/reverse`, { reason: 'Booked by mistake' })
    lines = [
      { id: '1', reference: same.reference, at: at(0), value: 1_000 },
      // Moved before or after midnight by the provider's clock.
      { id: '2', reference: next.reference, at: at(13), value: 2_000 },
      { id: '3', reference: 'nobody', at: at(1), value: 700, way: 'disbursement' },
    ]
  })

  test('cannot be closed before it has ended, before statements cover it, or while it has an open item', async () => {
    await refused(close(at(11)), /This day does not end until .*T00:00:00.000Z/)
    await refused(close(), /Statements do not fully cover this day \(from .* to /)
    await bookkeeping.import(lines, { ...covered, from: at(-11) })
    await refused(close(), /Statements do not fully cover this day/)
    await bookkeeping.import(lines, covered)
    await refused(
      close(),
      /^Lines that were booked on this day have not been matched yet\. Match the statements first: /,
    )
    const { openItems } = await bookkeeping.reconcile()
    await refused(
      close(),
      /2 items of this day are open, such as (ftx-\w{26}, m17\/test\/3|m17\/test\/3, ftx-\w{26})\. /,
    )
    for (const { name } of openItems.items) await db.transaction((tx) => closeItem(tx, name, decider, at(24)))
  })

  test('cannot be closed without the name of the person who signs it off', async () => {
    await refused(close(at(48), day, { ...decider, by: '' }), /"by"/, 'arguments_invalid')
    await refused(
      close(at(48), day, { ...decider, reason: 'x'.repeat(501) }),
      /"reason"/,
      'arguments_invalid',
    )
  })

  test('is closed with the totals of both sides, and every line that only one side has', async () => {
    const [closed, ...more] = await close()
    assert.deepEqual(more, [])
    assert.deepEqual(closed, {
      ...bookkeeping.extent,
      day,
      currency: 'SLE',
      statedLines: 2n,
      statedIn: 1_000n,
      statedOut: 700n,
      bookedLines: 5n,
      bookedIn: 7_070n,
      bookedOut: 70n,
      differences: [
        { side: 'booked', cause: 'closed_by_hand', direction: 'collection', lines: '1', amount: '4000' },
        { side: 'booked', cause: 'other_day', direction: 'collection', lines: '1', amount: '2000' },
        { side: 'booked', cause: 'taken_back', direction: 'collection', lines: '1', amount: '70' },
        { side: 'booked', cause: 'taken_back', direction: 'disbursement', lines: '1', amount: '70' },
        { side: 'stated', cause: 'closed_by_hand', direction: 'disbursement', lines: '1', amount: '700' },
      ],
      closedAt: at(48),
      closedBy: decider.by,
      reason: decider.reason,
    })
    const [listed] = await listDays(db, bookkeeping.extent)
    assert.deepEqual(listed, { ...closed, reopenedAt: null, reopenedBy: null, reopeningReason: null })
    assert.deepEqual(await listDays(db, { environment: 'live' }), [])
    await t.verify()
  })

  test('is closed once, even by two concurrent attempts', async () => {
    await refused(close(), /was closed at .* by kadi@shop.example: Every difference is explained/)
    await refused(reopen(dateOf(at(-48))), /This day is not closed/)
  })

  test('accepts no new statement lines once it is closed; the same file and other days can still be imported', async () => {
    const late: StatedLine = { id: '4', reference: 'late', at: at(2), value: 50 }
    await refused(
      bookkeeping.import([lines[0]!, late], covered),
      new RegExp(`line 3.*is a new line for ${day}, which is closed`),
      'arguments_invalid',
    )
    assert.equal((await bookkeeping.import(lines, covered)).newLines, 0)
    const next = { ...late, id: '5', at: at(14) }
    assert.equal((await bookkeeping.import([next], covered)).newLines, 1)
  })

  test('accepts new lines after it is reopened, and is closed again; what was signed before is kept', async () => {
    await reopen()
    await refused(reopen(), /This day is not closed/)
    const late: StatedLine = { id: '4', reference: 'late', at: at(2), value: 50 }
    await bookkeeping.import([late], covered)
    await refused(close(), /1 item of this day is open: m17\/test\/4\. Match it or close it/)
    const item = { ...bookkeeping.extent, lineId: '4' }
    await db.transaction((tx) => closeItem(tx, item, decider, at(24)))
    const [closed] = await close()
    assert.equal(closed?.statedIn, 1_050n)
    const listed = await listDays(db, bookkeeping.extent)
    assert.deepEqual(
      listed.map(({ statedIn, reopenedBy }) => [statedIn, reopenedBy]),
      [
        [1_050n, null],
        [1_000n, decider.by],
      ],
    )
    await t.verify()
  })

  test('without movements is closed with zero totals if a statement covers it', async () => {
    await bookkeeping.import([], { from: at(12), until: at(72), at: at(72) })
    const two = await close(at(72), dateOf(at(36)))
    assert.deepEqual(
      two.map(({ currency, statedLines, bookedLines, differences }) => [
        currency,
        statedLines,
        bookedLines,
        differences,
      ]),
      [['SLE', 0n, 0n, []]],
    )
  })

  test('is covered if its statements have no gaps, whether they overlap or adjoin; a gap is named', async () => {
    const name = dateOf(at(240))
    const closeIt = () => close(at(300), name)
    const cover = (from: number, until: number) =>
      bookkeeping.import([], { from: at(from), until: at(until), at: at(300) })
    const gap = (from: number, until: number, others = '') =>
      new RegExp(
        `No statement covers the time from ${at(from).toISOString()} to ${at(until).toISOString()}${others}\\. Import`,
      )
    // Before and after the day, but not during it.
    await cover(200, 228)
    await cover(252, 260)
    await refused(closeIt(), gap(228, 252))
    await cover(228, 234)
    await cover(233, 236)
    await cover(238, 240)
    await refused(closeIt(), gap(236, 238, ' \\(first of 2 gaps\\)'))
    await cover(240, 252)
    await refused(closeIt(), gap(236, 238))
    await cover(237, 238)
    await refused(closeIt(), gap(236, 237))
    const open = async () =>
      (await listDaysToClose(db, bookkeeping.extent, place, at(300))).find((one) => one.day === name)
    assert.deepEqual(await open(), { day: name, gapFrom: at(236), gapUntil: at(237) })
    await cover(236, 237)
    assert.deepEqual(await open(), { day: name, gapFrom: null, gapUntil: null })
    assert.equal((await closeIt()).length, 1)
    assert.equal(await open(), undefined)
    const days = (await listDaysToClose(db, bookkeeping.extent, place, at(300))).map((one) => one.day)
    assert.deepEqual([days.includes(dateOf(at(300))), days.includes(dateOf(at(276)))], [false, true])
    assert.deepEqual(days, days.toSorted())
  })

  test("is as long as it is in the provider's country", async () => {
    const lagos = { timeZone: 'Africa/Lagos', currency: 'NGN' }
    await bookkeeping.import([], { from: at(60), until: at(83.5), at: at(84) })
    await refused(close(at(82.9), dateOf(at(72)), decider, lagos), /does not end until .*T23:00:00.000Z/)
    await close(at(84), dateOf(at(72)), decider, lagos)
  })
})

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startTestApp, until } from '../../../support/harness.ts'

const t = await startTestApp()
after(() => t.close())
const operator = await t.merchant({ isOperator: true })
const url = '/v1/installation'
const place = 'environment=test&providerId=m17'

const headings = 'date,reference,type,amount,currency,status,transaction_id'
// Days that have ended in every time zone.
const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const day = dayBefore(3)
const lineOf = (id: string, value: string) =>
  `${day}T10:00:00Z,none-${id},collection,${value},SLE,SUCCESSFUL,${id}`
const csvOf = (...lines: string[]) => `${[headings, ...lines].join('\n')}\n`

/** Waits until earlier imports are matched, because only one import or matching runs at a time. */
// every space: there is one job queue
const matched = () =>
  until(async () => {
    const { rows } = await t.app.parts.db.pool.query(`select 1 from jobs where job = 'statements.match'`)
    return rows.length === 0
  })
const post = async (path: string, body: object) => {
  await matched()
  return operator.call('POST', `${url}${path}`, body)
}
const upload = (csv: string, more: object = {}) =>
  post('/statements', { providerId: 'm17', environment: 'test', mapping: 'simulator', csv, ...more })
const openItems = async () => (await operator.call('GET', `${url}/open-items?${place}`)).body.result.items
const whole = { from: `${dayBefore(4)}T00:00:00Z`, until: `${dayBefore(1)}T00:00:00Z` }

describe('an uploaded statement', () => {
  test('is imported, matched in the background, and listed with its sender', async () => {
    const { status, body } = await upload(csvOf(lineOf('4242', '5.00')), { fileName: 'day.csv', ...whole })
    assert.equal(status, 200, JSON.stringify(body))
    const { id, lines, newLines, importedBy, fileName } = body.result
    assert.deepEqual([lines, newLines, fileName], [1, 1, 'day.csv'])
    assert.match(importedBy, /@shop\.example$/)
    const [listed] = (await operator.call('GET', `${url}/statements`)).body.result
    assert.equal(listed.id, id)
    const one = (await operator.call('GET', `${url}/statements/${id}`)).body.result
    assert.deepEqual([one.matchedLines, one.openLines, one.estimated], [0, 1, false])
    const [item] = await until(async () => {
      const items = await openItems()
      return items.length > 0 && items
    })
    assert.deepEqual(
      [item.id, item.state, item.theirs, item.ours],
      ['m17/test/4242', 'missing_here', { currency: 'SLE', value: 500 }, null],
    )
    await matched()
  })

  test('adds nothing when uploaded again', async () => {
    const { body } = await upload(csvOf(lineOf('4242', '5.00')))
    assert.deepEqual([body.result.lines, body.result.newLines], [1, 0])
  })

  test('is refused as a whole for one invalid line, which is named', async () => {
    const { status, body } = await upload(csvOf(lineOf('1', '1.00'), lineOf('2', 'much')))
    assert.equal(status, 400)
    const [{ param, errors }] = body.error.details
    assert.equal(param, 'csv')
    assert.match(errors[0], /^line 3 /)
    const contradicting = await upload(csvOf(lineOf('4242', '6.00')))
    assert.match(contradicting.body.error.details[0].errors[0], /^line 2 differs from line 2 of day.csv/)
    assert.equal((await openItems()).length, 1)
  })

  test('may be larger than other bodies, up to its own limit', async () => {
    const filler = `${'x'.repeat(999)}\n`
    const large = csvOf(
      ...Array.from({ length: 8_000 }, (_, i) => lineOf(`9${i}`, '1.00').replace('SUCCESSFUL', 'FAILED')),
    )
    assert.ok(large.length > 256 * 1024)
    const { body } = await upload(large, whole)
    assert.equal(body.result.lines, 0)
    const beyond = await upload(filler.repeat(4_200))
    assert.deepEqual([beyond.status, beyond.body.error.reason], [413, 'body_too_large'])
    assert.match(beyond.body.error.message, /4096 KiB/)
    const elsewhere = await post('/spaces', { name: filler.repeat(300), country: 'SL' })
    assert.equal(elsewhere.status, 413)
  })
})

describe('a day of a provider', () => {
  const name = { environment: 'test', providerId: 'm17', day }

  test('is closed when each item is explained', async () => {
    const early = await post('/closed-days', { ...name, reason: 'Compared' })
    assert.deepEqual([early.status, early.body.error.reason], [409, 'state_conflict'])
    const closed = await post('/open-items/close', {
      id: 'm17/test/4242',
      reason: 'A gift of the provider’s',
    })
    assert.equal(closed.status, 200, JSON.stringify(closed.body))
    assert.deepEqual(await openItems(), [])
    const again = await post('/open-items/close', { id: 'm17/test/4242', reason: 'Twice' })
    assert.deepEqual([again.status, again.body.error.reason], [409, 'state_conflict'])
    const { status, body } = await post('/closed-days', { ...name, reason: 'Compared' })
    assert.equal(status, 200, JSON.stringify(body))
    const [signed] = body.result.days
    assert.deepEqual(
      [signed.day, signed.stated.lines, signed.stated.in, signed.booked.lines, signed.differences.length],
      [day, 1, { currency: 'SLE', value: 500 }, 0, 1],
    )
    assert.match(signed.by, /@shop\.example$/)
  })

  test('accepts no more lines, is listed, and is reopened with a reason', async () => {
    const more = await upload(csvOf(lineOf('77', '1.00')))
    assert.match(more.body.error.details[0].errors[0], /which is closed/)
    assert.equal((await post('/closed-days/reopen', { ...name, reason: 'A line was missing' })).status, 200)
    const [listed] = (await operator.call('GET', `${url}/closed-days?${place}`)).body.result.days
    assert.deepEqual(
      [listed.day, listed.reason, listed.reopening.reason],
      [day, 'Compared', 'A line was missing'],
    )
    assert.equal((await upload(csvOf(lineOf('77', '1.00')))).status, 200)
    const twice = await post('/closed-days/reopen', { ...name, reason: 'Twice' })
    assert.equal(twice.status, 409)
  })
})

describe('matching and the report', () => {
  const match = (body: object) => post('/reconciliation/match', body)
  const report = async (query = '') =>
    (await operator.call('GET', `${url}/reconciliation?environment=test${query}`)).body.result

  test('matching is done in steps, and the report shows what is left', async () => {
    const merchant = await t.merchant()
    const settlement = {
      ...{ kind: 'float_top_up', providerId: 'm17', amount: { currency: 'SLE', value: 700 } },
      ...{ bankReference: 'FT-match', valueDate: '2026-01-31' },
    }
    assert.equal((await merchant.call('POST', '/v1/settlements', settlement)).status, 200)
    await upload(csvOf(lineOf('78', '1.00')))
    await matched()
    const steps: { isDone: boolean; after: string | null }[] = []
    for (let after: string | null = null; steps.at(-1)?.isDone !== true; after = steps.at(-1)!.after) {
      const { status, body } = await match({ environment: 'test', providerId: 'm17', after })
      assert.equal(status, 200, JSON.stringify(body))
      steps.push(body.result)
    }
    assert.deepEqual(steps, [
      { isDone: false, after: 'm17/test' },
      { isDone: false, after: 'm17/test/78' },
      { isDone: true, after: null },
    ])
    const { linesMatched, valueOpen, openItems, closedByHand, proof, isClean } = await report()
    assert.deepEqual([linesMatched, isClean], [0, false])
    assert.deepEqual(valueOpen, [
      { state: 'awaited', currency: 'SLE', in: 700, out: 0, net: 700 },
      { state: 'missing_here', currency: 'SLE', in: 200, out: 0, net: 200 },
    ])
    assert.deepEqual(
      [openItems.isWhole, openItems.items.map(({ id, state }: { id: string; state: string }) => [id, state])],
      [
        true,
        [
          ['m17/test/77', 'missing_here'],
          ['m17/test/78', 'missing_here'],
          [openItems.items[2].id, 'awaited'],
        ],
      ],
    )
    assert.equal(openItems.items[2].spaceId, merchant.spaceId)
    assert.deepEqual([closedByHand.lines, closedByHand.items[0].id], [1, 'm17/test/4242'])
    assert.deepEqual(proof, { accounts: 1, differences: [] })
    const short = await report('&maxItems=1')
    assert.deepEqual([short.openItems.isWhole, short.openItems.items.length], [false, 1])
  })

  test('unknown providers and progress that was never returned are refused', async () => {
    const issuesOf = async (body: object) =>
      (await match(body)).body.error.details.map(({ param }: { param: string }) => param)
    assert.deepEqual(await issuesOf({ providerId: 'nobody' }), ['providerId'])
    for (const after of ['m17', 'm17/moon', 'm17/test/none', 'nobody/live/78'])
      assert.deepEqual(await issuesOf({ after }), ['after'], after)
    assert.deepEqual(await issuesOf({ environment: 'live', after: 'm17/test/78' }), ['after'])
    assert.deepEqual(await issuesOf({ providerId: 'card', after: 'm17/test' }), ['after'])
    const unknown = await operator.call('GET', `${url}/reconciliation?providerId=nobody`)
    assert.deepEqual([unknown.status, unknown.body.error.details[0].param], [400, 'providerId'])
  })

  test('closed days are listed without a provider, too', async () => {
    const { days, toClose } = (await operator.call('GET', `${url}/closed-days`)).body.result
    assert.deepEqual([days.map((one: { day: string }) => one.day), toClose], [[day], []])
  })
})

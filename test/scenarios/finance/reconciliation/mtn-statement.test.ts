import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { importStatement } from '../../../../packages/server/src/finance/reconciliation/imports.ts'
import { readMapping } from '../../../../packages/server/src/finance/reconciliation/mapping.ts'
import { matchStatements } from '../../../../packages/server/src/finance/reconciliation/matching.ts'
import { reportOn } from '../../../../packages/server/src/finance/reconciliation/report.ts'
import { findReconciled } from '../../../../packages/server/src/slices.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { createPayer } from '../../../support/payer.ts'
import { fetchStatement } from '../../../support/simulator.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-test-mtn-statement-'))
after(async () => {
  await t.close()
  rmSync(folder, { recursive: true })
})
const { db, seals } = t.app.parts
const extent = { providerId: 'mtn-gh', environment: 'test' } as const
// The portal writes no milliseconds.
const from = new Date(Math.floor(rail.now().getTime() / 1_000) * 1_000)
const to = new Date(from.getTime() + 86_400_000)
const merchant = await t.merchant({ country: 'GH' })
await fund(t.app.parts, merchant.scope, 1_000_000, { currency: 'GHS' })

// The format of the partner portal in 2025 and 2026, according to three programs that read it. Most columns are
// amounts, each followed by its currency, and all currency columns have the same heading.
const amountHeadings = [
  ...['From / Fee', 'From / External fee', 'To / Fee', 'To / External fee'],
  ...['From / Refunded fee', 'To / Refunded fee', 'From / Taxes', 'To / Taxes'],
  ...['From / Refunded taxes', 'To / Refunded taxes', 'Discount', 'From / Promotion', 'To / Promotion'],
  ...['Coupon', 'Amount', 'Balance', 'External amount'],
]
const headings = [
  ...['Id', 'External id', 'Date', 'Status', 'Type', 'Provider category', 'From', 'From name'],
  ...['From handler name', 'To', 'To name', 'To handler name', 'To message', 'Initiated by', 'Initiated by'],
  ...['On behalf of', 'On behalf of', 'Approved by'],
  ...amountHeadings.flatMap((heading) => [heading, 'Currency']),
  ...['External FX rate', 'External service provider'],
]

type Line = { Id: string; 'External id': string; Date: string; Status: string; Type: string; Amount: string }

const rowOf = (line: Line) => {
  const others = { From: 'FRI:233241234456/MSISDN', 'From name': 'AMA, MENSAH', 'To / Fee': '0.80' }
  const cells = { ...others, Balance: '1,000.00', Currency: 'GHS', ...line }
  return headings
    .map((heading) => `"${heading in cells ? cells[heading as keyof typeof cells] : ''}"`)
    .join(',')
}

const mappingOf = (account: string) =>
  readMapping(
    readFileSync(
      new URL(
        `../../../../packages/server/src/finance/reconciliation/mappings/mtn-${account}.json`,
        import.meta.url,
      ),
      'utf8',
    ),
  )

function importReport(account: 'collections' | 'disbursements', lines: Line[]) {
  const file = path.join(folder, `${account}.csv`)
  writeFileSync(file, [headings.join(','), ...lines.map(rowOf)].join('\r\n'))
  return importStatement(db, {
    ...extent,
    file,
    mapping: mappingOf(account),
    from,
    until: to,
    at: rail.now(),
  })
}

async function reconcile() {
  const reconciled = await findReconciled()
  await matchStatements(db, reconciled, extent)
  return reportOn(db, reconciled, extent, rail.now(), 100)
}

async function pay(digits: string) {
  const lineItems = [{ name: 'Cloth', price: { currency: 'GHS', value: 150_000 } }]
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order', lineItems })).body
    .result
  assert.equal((await createPayer(session.redirectUrl).pay('mtn-gh', `+233241234${digits}`)).status, 303)
  const url = `/v1/payments?orderNumber=${session.orderNumber}`
  return ended(async () => (await merchant.call('GET', url)).body.result[0])
}

async function send(to: string, body: object) {
  const response = await merchant.call('POST', to, body)
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return ended(async () => (await merchant.call('GET', `${to}/${response.body.result.id}`)).body.result)
}

// biome-ignore lint/suspicious/noExplicitAny: JSON from the wire; every response is checked against its schema
const ended = (find: () => Promise<any>) =>
  until(async () => {
    await rail.advance(300)
    const found = await find()
    return ['completed', 'failed'].includes(found?.status) && found
  })

const dateOf = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ')

/** Returns the movements at the simulated MTN, as the portal's reports of both accounts show them. */
async function reportedLines(): Promise<Record<'in' | 'out', Line[]>> {
  const [, ...rows] = (await fetchStatement(`${t.baseUrl}/simulator`, seals, 'mtn-gh', { from, to }))
    .trimEnd()
    .split('\n')
  const lines = rows.map((row) => {
    const [date = '', , externalId = '', type, amount = '', , , , transaction = ''] = row.split(',')
    const isIn = type === 'collection'
    const line: Line = {
      Id: transaction,
      'External id': externalId,
      Date: dateOf(new Date(date)),
      Status: 'Successful',
      Type: isIn ? 'Debit' : 'Transfer',
      Amount: isIn ? amount : `-${amount}`,
    }
    return { isIn, line }
  })
  const of = (way: boolean) => lines.filter(({ isIn }) => isIn === way).map(({ line }) => line)
  return { in: of(true), out: of(false) }
}

test('a report from MTN’s portal is reconciled by its financial transaction id or the external id', async () => {
  const paid = [await pay('456'), await pay('456'), await pay('001')]
  assert.deepEqual(
    paid.map(({ status }) => status),
    ['completed', 'completed', 'failed'],
  )
  const amount = { currency: 'GHS', value: 100_000 }
  const destination = { type: 'momo', providerId: 'mtn-gh', phoneNumber: '+233241234456' }
  await send('/v1/payouts', { amount, destination })
  await send('/v1/refunds', {
    paymentId: paid[0].id,
    amount: { currency: 'GHS', value: 5_050 },
    reason: 'requested_by_customer',
  })
  const { in: collected, out: paidOut } = await reportedLines()
  assert.deepEqual([collected.length, paidOut.length], [2, 2])
  const [first, second] = collected
  // A transfer between our own accounts is in both reports, with the same number.
  const moved = { ...first!, Id: '70000001', 'External id': '', Type: 'Transfer', Amount: '1,250.00' }
  const bankReference = moved.Id
  const toppedUp = { kind: 'float_top_up', providerId: 'mtn-gh', bankReference, valueDate: '2026-01-31' }
  const { status } = await merchant.call('POST', '/v1/settlements', {
    ...toppedUp,
    amount: { currency: 'GHS', value: 125_000 },
  })
  assert.equal(status, 200)

  const ofCollections = await importReport('collections', [
    { ...first!, 'External id': '' },
    { ...second!, Id: '70000004' },
    { ...first!, Id: '70000002', Status: 'Failed' },
    { ...moved, Amount: '-1,250.00' },
    { ...first!, Id: '70000003', Type: 'Withdrawal', Amount: '-9,000' },
  ])
  const ofDisbursements = await importReport('disbursements', [...paidOut, moved])
  assert.deepEqual([ofCollections.newLines, ofDisbursements.newLines], [2, 3])
  const report = await reconcile()
  assert.deepEqual([report.openItems.items, report.isClean, report.linesMatched], [[], true, 5n])
  assert.deepEqual(report.valueMatched, [{ currency: 'GHS', in: 425_000n, out: 105_050n, net: 319_950n }])
  await t.verify()
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { importStatement } from '../../../../packages/server/src/finance/reconciliation/imports.ts'
import {
  type Mapping,
  simulatorMapping,
} from '../../../../packages/server/src/finance/reconciliation/mapping.ts'
import { matchStatements } from '../../../../packages/server/src/finance/reconciliation/matching.ts'
import { reportOn } from '../../../../packages/server/src/finance/reconciliation/report.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { encryptedColumn } from '../../../../packages/server/src/platform/db/unnest.ts'
import { Refusal } from '../../../../packages/server/src/platform/refusals.ts'
import { findReconciled } from '../../../../packages/server/src/slices.ts'
import { endings } from '../../../support/endings.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { type Account, createPayer } from '../../../support/payer.ts'
import { fetchStatement } from '../../../support/simulator.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-test-statements-'))
after(async () => {
  await t.close()
  rmSync(folder, { recursive: true })
})
const { db, seals } = t.app.parts
const from = rail.now()
/** Two Spaces that both use the operator's accounts with providers. */
const merchants = [await t.merchant(), await t.merchant()]
const amount = 30_000n
const paidOut = 10_000n
/**
 * The number of lines in a provider's statement: one in and one out for each outcome after which money has
 * moved.
 */
const linesThere = 2 * Object.values(endings).filter(({ moves }) => moves).length

before(payEverything)
beforeEach(forget)

describe('after payments and payouts with every outcome', () => {
  test('the provider’s statement and the books agree, including late successes, and keep agreeing', async () => {
    for (const providerId of ['m17', 'dw001']) await importText(await statementOf(providerId), providerId)
    for (let again = 0; again < 2; again++) {
      const report = await reconcile()
      assert.equal(report.linesMatched, BigInt(2 * linesThere))
      // There are two providers, each with as many lines in as out.
      const [into, out] = [BigInt(linesThere) * amount, BigInt(linesThere) * paidOut]
      assert.deepEqual(report.valueMatched, [{ currency: 'SLE', in: into, out, net: into - out }])
      assert.deepEqual(report.valueOpen, [])
      assert.deepEqual([report.openItems.items, report.oldestOpenItem, report.ageing], [[], null, []])
      assert.ok(report.isClean)
    }
    await t.verify()
  })

  test('importing a file again, in part or in full, adds nothing', async () => {
    const text = await statementOf('m17')
    const [headings, ...lines] = text.trimEnd().split('\n')
    const part = [headings, ...lines.slice(0, 3)].join('\r\n')
    assert.deepEqual(await counts(importText(part)), [3, 3])
    assert.deepEqual(await counts(importText(text)), [linesThere, linesThere - 3])
    assert.deepEqual(await counts(importText(text)), [linesThere, 0])
    assert.equal((await reconcile({ providerId: 'm17' })).linesMatched, BigInt(linesThere))
  })

  test('lines that no statement covers yet are awaited and raise no alarm', async () => {
    const report = await reconcile()
    assert.equal(report.linesMatched, 0n)
    const [into, out] = [BigInt(linesThere) * amount, BigInt(linesThere) * paidOut]
    assert.deepEqual(
      report.ageing.map(({ state, direction, items, amount: { value } }) => [state, direction, items, value]),
      [
        ['awaited', 'collection', BigInt(linesThere), into],
        ['awaited', 'disbursement', BigInt(linesThere), out],
      ],
    )
    assert.deepEqual(report.valueOpen, [
      { state: 'awaited', currency: 'SLE', in: into, out, net: into - out },
    ])
    assert.ok(report.isClean)
    assert.ok((await reconcile({ environment: 'live' })).oldestOpenItem === null)
  })

  test('a line that is missing from the provider’s statement is named, with its object', async () => {
    const [headings, first, ...lines] = (await statementOf('m17')).trimEnd().split('\n')
    await importText([headings, ...lines].join('\n'), 'm17', {
      from,
      until: new Date(Date.now() + 86_400_000),
    })
    const { openItems, isClean } = await reconcile({ providerId: 'm17' })
    const [item, ...more] = openItems.items
    assert.deepEqual(
      [item?.state, item?.reference, item?.ours?.amount],
      ['missing_there', cell(first!, 1), amount],
    )
    assert.deepEqual(
      [item?.objectType, item?.objectStatus, more, isClean],
      ['payment', 'completed', [], false],
    )
  })

  test('a line with a different amount is named with both amounts, and is not matched', async () => {
    const [headings, first, ...lines] = (await statementOf('m17')).trimEnd().split('\n')
    await importText([headings, first!.replace(',300.00,', ',299.99,'), ...lines].join('\n'))
    const { openItems, linesMatched, proof } = await reconcile({ providerId: 'm17' })
    const [item, ...more] = openItems.items
    assert.deepEqual(
      [item?.state, item?.theirs?.amount, item?.ours?.amount],
      ['amount_differs', 29_999n, amount],
    )
    assert.deepEqual([item?.line, item?.fileName, more], [2, 'statement.csv', []])
    assert.deepEqual([linesMatched, proof.differences], [BigInt(linesThere - 1), []])
  })

  test('a payment that the provider made twice is named: the second line has no match', async () => {
    const text = (await statementOf('m17')).trimEnd()
    const [, first] = text.split('\n')
    await importText(`${text}\n${first!.replace(/[^,]*$/, '4242')}`)
    const { openItems, linesMatched } = await reconcile({ providerId: 'm17' })
    assert.deepEqual(
      openItems.items.map(({ state, lineId, objectStatus }) => [state, lineId, objectStatus]),
      [['missing_here', '4242', 'completed']],
    )
    assert.equal(linesMatched, BigInt(linesThere))
  })

  test('a line of a payment that failed without a case is missing from our books, and names the payment', async () => {
    const [failed] = await db.query<{ railReference: string; id: string }>(sql`
      select rail_reference, id from payments
      -- every space: the test looks for any that failed for lack of money
      where failure_code = 'fund_insufficient' and provider_id = 'm17' limit 1`)
    await importText(`${await statementOf('m17')}${line({ reference: failed!.railReference })}`)
    const { openItems } = await reconcile({ providerId: 'm17' })
    assert.deepEqual(
      openItems.items.map(({ state, objectId, objectStatus }) => [state, objectId, objectStatus]),
      [['missing_here', failed!.id, 'failed']],
    )
  })

  test('an unknown line is missing from our books', async () => {
    await importText(`${await statementOf('m17')}${line({ reference: '=HYPERLINK("http://evil.example")' })}`)
    const { openItems, isClean } = await reconcile({ providerId: 'm17' })
    const [item] = openItems.items
    assert.deepEqual([item?.state, item?.objectId, isClean], ['missing_here', null, false])
    assert.equal(item?.reference, '=HYPERLINK("http://evil.example")')
  })

  test('a line without our reference is matched by the provider’s transaction or the order number', async () => {
    const { reference: _, ...columns } = simulatorMapping.columns
    const byTransaction: Mapping = {
      ...simulatorMapping,
      columns: { ...columns, transaction: 'transaction_id' },
    }
    await importText(await statementOf('m17'), 'm17', { mapping: byTransaction })
    // Late successes left no transaction id on the failed payment and payout.
    assert.equal((await reconcile({ providerId: 'm17' })).linesMatched, BigInt(linesThere - 2))

    await forget()
    const byOrder = { ...simulatorMapping, columns: { ...columns, reference: 'external_id' } }
    await importText(await statementOf('m17'), 'm17', { mapping: byOrder })
    assert.equal((await reconcile({ providerId: 'm17' })).linesMatched, BigInt(linesThere))
  })

  test('a line imported before its money was booked is matched afterwards', async () => {
    const [merchant] = merchants
    const { payment } = await pay(merchant!, 'm18', { phone: '077123006' })
    await submitted()
    await rail.advance(300)
    await importText(await statementOf('m18'), 'm18')
    const early = await reconcile({ providerId: 'm18' })
    assert.deepEqual(
      early.openItems.items.map(({ state, objectStatus }) => [state, objectStatus]),
      [['missing_here', 'processing']],
    )
    await t.advance(merchant!.scope, 5_000)
    await until(async () => (await payment())?.status === 'completed')
    const late = await reconcile({ providerId: 'm18' })
    assert.deepEqual([late.linesMatched, late.isClean], [1n, true])
  })

  test('the proof names a clearing account whose balance differs from its matched and open lines', async () => {
    await importText(await statementOf('m17'))
    await reconcile({ providerId: 'm17' })
    await db.transaction((tx) =>
      tx.run(sql`
      -- every space: what a bug or an attacker might do
      update statement_lines set amount = amount + 7 where provider_id = 'm17'
        and id = (select min(id) from statement_lines where provider_id = 'm17')`),
    )
    const { proof } = await reconcile({ providerId: 'm17' })
    assert.deepEqual(
      proof.differences.map(({ purpose, difference }) => [purpose, difference]),
      [['clearing m17 collection', -7n]],
    )
  })
})

describe('an import', () => {
  const hostile: [string, () => Promise<unknown>, RegExp][] = [
    ['an invalid amount', () => withLine({ amount: '1e3' }), /^line 14 "1e3" is not an amount$/],
    ['an amount of zero', () => withLine({ amount: '0.00' }), /^line 14 "0.00" is not between 1/],
    ['too many decimals', () => withLine({ amount: '1.005' }), /^line 14 .*at most 2 decimals/],
    ['an unknown currency', () => withLine({ currency: 'XYZ' }), /^line 14 .*ISO 4217/],
    [
      'a day that does not exist',
      () => withLine({ date: '2026-02-30T00:00:00Z' }),
      /^line 14 .* is not a time in the format iso$/,
    ],
    [
      'a day in the future',
      () => withLine({ date: '2099-01-01' }),
      /^line 14 has a timestamp in the future$/,
    ],
    ['an unknown direction', () => withLine({ type: 'fee' }), /^line 14 "fee" is not a known direction$/],
    [
      'a repeated number',
      async () => withLine({ id: await firstId() }),
      /^line 14 has the same id as line 2$/,
    ],
    [
      'an empty number',
      () => withLine({ id: '' }),
      /^line 14 "" must be 1 to 100 printable ASCII characters$/,
    ],
    [
      'terminal control characters',
      () => withLine({ id: '\u001b[2J' }),
      /^line 14 "\\u001b\[2J" must be 1 to 100/,
    ],
    ['too few cells', () => withText('2026-11-01,x\n'), /^line 14 has 2 cells but 9 headings$/],
    [
      'an unclosed quote',
      () => withText(`"${'x'.repeat(100_000)}`),
      /^file is not valid CSV after line 13: /,
    ],
    ['the wrong headings', () => importText('a,b\n1,2\n'), /^file has no column "transaction_id"$/],
    ['an empty file', () => importText(''), /^file has no headings$/],
    ['no lines', () => importText(headings), /^file has no lines; specify the period/],
    ['a missing file', () => importFile('/nowhere.csv'), /^file does not exist$/],
    [
      'lines outside its period',
      async () => importText(await statementOf('m17'), 'm17', { until: from }),
      /^file has lines outside the specified period/,
    ],
  ]
  for (const [what, attempt, fault] of hostile)
    test(`with ${what} is refused, and nothing is imported`, async () => {
      await refused(attempt(), fault)
      const [{ count } = { count: -1n }] = await db.query<{ count: bigint }>(sql`
        select (select count(*) from statements) + (select count(*) from statement_lines) as count`)
      assert.equal(count, 0n)
    })

  test('names every bad line up to twenty', async () => {
    const error = await refused(withText(`${line({ amount: '-' })}\n`.repeat(30)), /^line 14 /)
    assert.deepEqual([error.details.length, error.details.at(-1)?.param], [20, 'line 33'])
  })

  test('that contradicts an earlier import is refused by line and file', async () => {
    await importText(await statementOf('m17'))
    await refused(
      importText((await statementOf('m17')).replace(',300.00,', ',300.01,')),
      /^line 2 differs from line 2 of statement.csv, which has the same id$/,
    )
  })

  test('reads semicolons, decimal commas, local times, byte order marks and quotes according to its mapping', async () => {
    const mapping: Mapping = {
      delimiter: ';',
      headingsLine: 2,
      columns: { id: 'No', time: 'Date', amount: 'Montant', reference: 'Libellé' },
      currency: 'XOF',
      amounts: { decimal: ',', group: ' ' },
      times: { format: 'DD/MM/YYYY HH:mm', offset: '+01:00' },
      directions: 'sign',
    }
    const text = [
      '\ufeffRelevé;;;',
      'No;Date;Montant;Libellé',
      '1;01/11/2026 00:30;1 234 567,00;"un ""texte"";\nde deux lignes"',
      '2;01/11/2026 00:31;-1\u202f500;=cmd|x',
    ].join('\r\n')
    assert.deepEqual(await counts(importText(text, 'mtn-bj', { mapping })), [2, 2])
    const { openItems } = await reconcile({ providerId: 'mtn-bj' })
    assert.deepEqual(
      openItems.items.map(({ direction, at, theirs, reference }) => [
        direction,
        at.toISOString(),
        theirs,
        reference,
      ]),
      [
        ['collection', '2026-10-31T23:30:00.000Z', { amount: 1_234_567n, currency: 'XOF' }, null],
        ['disbursement', '2026-10-31T23:31:00.000Z', { amount: 1_500n, currency: 'XOF' }, '=cmd|x'],
      ],
    )
  })
})

const headings = 'date,reference,external_id,type,amount,currency,account,status,transaction_id\n'

/** Returns a line in the simulator's format. */
function line(more: Record<string, string> = {}): string {
  const { date = rail.now().toISOString(), reference = 'x', type = 'collection' } = more
  const { amount = '300.00', currency = 'SLE', id = '4242' } = more
  const quoted = `"${reference.replaceAll('"', '""')}"`
  return `${date},${quoted},x,${type},${amount},${currency},23276123456,SUCCESSFUL,${id}`
}

const cell = (text: string, place: number) => text.split(',')[place]
const firstId = async () => cell((await statementOf('m17')).split('\n')[1]!, 8)!
const withText = async (more: string) => importText(`${await statementOf('m17')}${more}`)
const withLine = (more: Record<string, string>) => withText(line(more))

/** Fetches a provider's statement, with incoming money first. */
async function statementOf(providerId: string): Promise<string> {
  const period = { from, to: new Date(rail.now().getTime() + 1) }
  const text = await fetchStatement(`${t.baseUrl}/simulator`, seals, providerId, period)
  const [, ...lines] = text.trimEnd().split('\n')
  const sorted = lines.sort((a, b) => cell(a, 3)!.localeCompare(cell(b, 3)!))
  return headings + sorted.map((text) => `${text}\n`).join('')
}

type ImportMore = { mapping?: Mapping; from?: Date; until?: Date }

function importText(text: string, providerId = 'm17', more: ImportMore = {}) {
  const file = path.join(folder, 'statement.csv')
  writeFileSync(file, text)
  return importFile(file, providerId, more)
}

const importFile = (file: string, providerId = 'm17', more: ImportMore = {}) =>
  importStatement(db, {
    providerId,
    environment: 'test',
    file,
    mapping: simulatorMapping,
    at: rail.now(),
    ...more,
  })

const counts = async (imported: ReturnType<typeof importStatement>) => {
  const { lines, newLines } = await imported
  return [lines, newLines]
}

async function reconcile(extent: { providerId?: string; environment?: 'test' | 'live' } = {}) {
  await matchStatements(db, await findReconciled(), extent)
  return reportOn(db, await findReconciled(), extent, rail.now(), 1_000)
}

async function refused(attempt: Promise<unknown>, fault: RegExp): Promise<Refusal> {
  const error = await attempt.then(
    () => assert.fail('it was imported'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Refusal, `${error}`)
  const [{ param, errors } = { param: '', errors: [] }] = error.details
  assert.match(`${param} ${errors.join('; ')}`, fault)
  return error
}

async function forget(): Promise<void> {
  await db.transaction((tx) =>
    tx.run(
      sql`truncate statements, statement_lines, open_clearing_lines -- every space: what was reconciled`,
    ),
  )
}

/**
 * Makes payments and payouts by mobile money and by wallet, with every outcome, half of them in each Space, and
 * waits until they end.
 */
async function payEverything(): Promise<void> {
  for (const { scope } of merchants) await fund(t.app.parts, scope, 1_000_000)
  await Promise.all(
    Object.keys(endings).flatMap((digits, i) => [
      pay(merchants[i % 2]!, 'm17', { phone: `076123${digits}` }),
      pay(merchants[(i + 1) % 2]!, 'dw001', { walletId: `fatu${digits}` }),
    ]),
  )
  for (const [i, digits] of Object.keys(endings).entries()) {
    await payOut(merchants[i % 2]!, { type: 'momo', providerId: 'm17', phoneNumber: `076123${digits}` })
    await payOut(merchants[(i + 1) % 2]!, { type: 'wallet', providerId: 'dw001', walletId: `fatu${digits}` })
  }
  await submitted()
  await rail.advance(300)
  // A late success must fail first.
  await until(async () => !(await underWay()).some(({ account }) => account.endsWith('012')))
  await rail.advance(60_000)
  for (const ms of [5_000, 110_000]) for (const { scope } of merchants) await t.advance(scope, ms)
  await until(async () => (await underWay()).length === 0 && (await cleared()).length === 2 * linesThere)
}

async function payOut(merchant: Merchant, destination: object): Promise<void> {
  const amount = { currency: 'SLE', value: Number(paidOut) }
  assert.equal((await merchant.call('POST', '/v1/payouts', { amount, destination })).status, 200)
}

async function pay(merchant: Merchant, provider: string, account: Account) {
  const lineItems = [{ name: 'Cloth', price: { currency: 'SLE', value: Number(amount) } }]
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order', lineItems })).body
    .result
  assert.equal((await createPayer(session.redirectUrl).pay(provider, account)).status, 303)
  const payment = async () =>
    (await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body.result[0]
  return { payment }
}

/** Waits until the rail has received everything, so that its clock may be moved. */
const submitted = () =>
  until(async () => {
    const [waiting] = await db.query(sql`
      -- every space: the test reads what is in progress in both of them
      select 1 from instructions where state in ('created', 'submitting')`)
    return waiting === undefined
  })

const underWay = () =>
  db.query<{ account: string }>(sql`
    -- every space: both Spaces
    select ${encryptedColumn('payments.payer_account', { as: 'account' })} from payments
    where status in ('pending', 'processing')
    union all
    select ${encryptedColumn('payouts.payee_account')} from payouts where status in ('pending', 'processing')`)

const cleared = () =>
  db.query(sql`
    -- every space: both Spaces
    select 1 from ledger_lines line join ledger_accounts account on account.space_id = line.space_id
      and account.environment = line.environment and account.id = line.account_id
    where account.kind = 'clearing'`)

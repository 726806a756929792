import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { getDocumentProxy } from 'unpdf'
import { mainAccount, systemAccount } from '../../../../packages/server/src/ledger/accounts/accounts.ts'
import { post } from '../../../../packages/server/src/ledger/accounts/postings.ts'
import { newReference } from '../../../../packages/server/src/ledger/accounts/reference.ts'
import { accountIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import type { Scope } from '../../../../packages/server/src/platform/scope.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { asCsvRows, readSpreadsheet } from '../../../support/spreadsheet.ts'

const t = await startTestApp({ work: false })
after(() => t.close())
const { db, clock } = t.app.parts

const dayMs = 86_400_000
const ago = (ms: number) => new Date(Date.now() - ms)
const query = (from: Date, to: Date) => `from=${from.toISOString()}&to=${to.toISOString()}`

const get = (merchant: Merchant, path: string, headers: Record<string, string> = {}) =>
  fetch(t.baseUrl + path, {
    headers: { authorization: `Bearer ${merchant.token}`, 'service-space-id': merchant.spaceId, ...headers },
  })
const statementOf = async (merchant: Merchant, account: string, rest: string) => {
  const { status, body } = await merchant.call('GET', `/v1/financial-accounts/${account}/statement?${rest}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.result
}
/** Returns a statement with the lines of all its pages. */
const wholeStatementOf = async (merchant: Merchant, account: string, rest: string) => {
  const first = await statementOf(merchant, account, `${rest}&limit=50`)
  for (let { next } = first; next !== null; ) {
    const page = await statementOf(merchant, account, `${rest}&limit=50&after=${next}`)
    first.lines.push(...page.lines)
    next = page.next
  }
  return first
}
const asFile = async (merchant: Merchant, account: string, rest: string, accept: string, language = 'en') => {
  const path = `/v1/financial-accounts/${account}/statement?${rest}`
  const answer = await get(merchant, path, { accept, 'accept-language': language })
  assert.equal(answer.status, 200)
  return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const csvOf = async (merchant: Merchant, account: string, rest: string): Promise<Record<string, string>[]> =>
  parse((await asFile(merchant, account, rest, 'text/csv')).bytes, { columns: true })

/** Books lines in the past: amounts with their timestamps, in booking order. */
async function booked(scope: Scope, account: string, lines: { amount: bigint; at: Date }[]) {
  const accountId = readId(accountIds, account)!
  const { spaceId, environment } = scope
  await db.transaction(async (tx) => {
    await tx.run(sql`
      insert into ledger_lines (space_id, environment, id, account_id, seq, amount, currency, balance_after, reference,
        is_financial, owners, at)
      select a.space_id, a.environment, gen_random_uuid(), a.id, a.next_seq + n - 1, amount, a.currency,
        a.posted + sum(amount) over (order by n), 'in the past', true, '[]', at
      from ledger_accounts a
      cross join unnest(${lines.map(({ amount }) => amount)}::bigint[], ${lines.map(({ at }) => at)}::timestamptz[])
        with ordinality as line (amount, at, n)
      where a.space_id = ${spaceId} and a.environment = ${environment} and a.id = ${accountId}`)
    await tx.run(sql`
      update ledger_accounts set next_seq = next_seq + ${lines.length},
        posted = posted + ${lines.reduce((sum, { amount }) => sum + amount, 0n)}
      where space_id = ${spaceId} and environment = ${environment} and id = ${accountId}`)
  })
}

async function merchantWithAccount(currency = 'SLE', environment: 'test' | 'live' = 'test') {
  const merchant = await t.merchant({ environment })
  const { body } = await merchant.call('POST', '/v1/financial-accounts', { name: 'Till', currency })
  return { merchant, account: body.result.id as string }
}

/** Books ten days with a credit of 100 at noon and a debit of 30 an hour later. */
async function tenDays(currency = 'SLE') {
  const { merchant, account } = await merchantWithAccount(currency)
  const start = new Date(Math.floor(ago(12 * dayMs).getTime() / dayMs) * dayMs)
  const day = (n: number) => new Date(start.getTime() + n * dayMs)
  await booked(
    merchant.scope,
    account,
    Array.from({ length: 10 }, (_, n) => [
      { amount: 100n, at: new Date(day(n).getTime() + dayMs / 2) },
      { amount: -30n, at: new Date(day(n).getTime() + dayMs / 2 + 3_600_000) },
    ]).flat(),
  )
  return { merchant, account, day }
}

describe('GET /v1/financial-accounts/{id}/statement', () => {
  test('200 has the opening balance, the lines, their totals and the closing balance', async () => {
    const { merchant, account, day } = await tenDays()
    const money = (value: number) => ({ currency: 'SLE', value })
    const { lines, ...statement } = await statementOf(merchant, account, query(day(2), day(4)))
    assert.deepEqual(statement, {
      financialAccount: { id: account, uvan: statement.financialAccount.uvan },
      from: day(2).toISOString(),
      to: day(4).toISOString(),
      final: true,
      openingBalance: money(140),
      totals: { credits: money(200), debits: money(60), count: 4 },
      closingBalance: money(280),
      next: null,
    })
    assert.deepEqual(
      lines.map(({ type, amount, balance }: { type: string; amount: object; balance: object }) => [
        type,
        amount,
        balance,
      ]),
      [
        ['credit', money(100), money(240)],
        ['debit', money(30), money(210)],
        ['credit', money(100), money(310)],
        ['debit', money(30), money(280)],
      ],
    )
  })

  test('200 without totals is otherwise the same, and can be paged', async () => {
    const { merchant, account, day } = await tenDays()
    const range = query(day(2), day(4))
    const { totals, ...whole } = await statementOf(merchant, account, `${range}&limit=2`)
    assert.equal(totals.count, 4)
    const { next, ...without } = await statementOf(merchant, account, `${range}&limit=2&withTotals=false`)
    assert.deepEqual({ ...without, next: whole.next }, whole)
    const rest = await statementOf(merchant, account, `${range}&limit=2&withTotals=false&after=${next}`)
    assert.deepEqual([rest.lines.length, rest.next, 'totals' in rest], [2, null, false])
  })

  test('200 for a range without lines has equal opening and closing balances, before the first line and after the last', async () => {
    const { merchant, account, day } = await tenDays('XOF')
    for (const [from, to, balance] of [
      [day(-9), day(0), 0],
      [day(3), new Date(day(3).getTime() + 1), 210],
      [day(10), day(11), 700],
    ] as const) {
      const { openingBalance, closingBalance, totals, lines } = await statementOf(
        merchant,
        account,
        query(from, to),
      )
      assert.deepEqual([openingBalance, closingBalance], Array(2).fill({ currency: 'XOF', value: balance }))
      assert.deepEqual([totals.count, lines], [0, []])
    }
    const rows = await csvOf(merchant, account, query(day(3), day(4)))
    assert.deepEqual(
      rows.map((row) => row['balance.decimal']),
      ['210', '310', '280', '', '', '280'],
    )
  })

  test('200 has totals of any size, exact to the last unit', async () => {
    const { merchant, account } = await merchantWithAccount()
    const most = 9_223_372_036_854_775_807n
    const lines = [most, -most, most].map((amount) => ({ amount, at: ago(dayMs) }))
    await booked(merchant.scope, account, lines)
    const path = `/v1/financial-accounts/${account}/statement?${query(ago(2 * dayMs), ago(dayMs / 2))}`
    const text = await (await get(merchant, path)).text()
    assert.ok(text.includes(`"credits":{"currency":"SLE","value":${most * 2n}}`), text)
    const rows = await csvOf(merchant, account, query(ago(2 * dayMs), ago(dayMs / 2)))
    assert.equal(rows.at(-3)!['amount.value'], String(most * 2n))
  })

  test('200 includes lines at `from`, but not at `to`', async () => {
    const { merchant, account, day } = await tenDays()
    const noon = new Date(day(5).getTime() + dayMs / 2)
    const before = await statementOf(merchant, account, query(day(5), noon))
    const since = await statementOf(merchant, account, query(noon, day(6)))
    assert.deepEqual([before.totals.count, since.totals.count], [0, 2])
    assert.equal(since.openingBalance.value, before.closingBalance.value)
  })

  test('200 without a range covers the current month in the time zone of the Space', async () => {
    const merchant = await t.merchant({ country: 'CM' })
    const account = await fund(t.app.parts, merchant.scope, 500, { currency: 'XAF' })
    const { from, to, final, totals } = await statementOf(merchant, account, '')
    const local = (moment: string) =>
      new Date(moment).toLocaleString('en-GB', { timeZone: 'Africa/Douala', hourCycle: 'h23' })
    assert.match(local(from), /^01\/\d\d\/\d{4}, 00:00:00$/)
    assert.match(local(to), /^01\/\d\d\/\d{4}, 00:00:00$/)
    assert.ok(new Date(from) <= new Date() && new Date() < new Date(to))
    assert.deepEqual([final, totals.count], [false, 1])
  })

  test('200 has each line on one page only, with continuous balances', async () => {
    const { merchant, account, day } = await tenDays()
    const whole = await wholeStatementOf(merchant, account, query(day(0), day(10)))
    for (const limit of [1, 7, 19, 20]) {
      const lines: object[] = []
      for (let after = ''; ; ) {
        const page = await statementOf(
          merchant,
          account,
          `${query(day(0), day(10))}&limit=${limit}&after=${after}`,
        )
        assert.deepEqual(page.closingBalance, whole.closingBalance)
        lines.push(...page.lines)
        if (page.next === null) break
        assert.equal(page.lines.length, limit)
        after = page.next
      }
      assert.deepEqual(lines, whole.lines)
    }
  })

  test('200 for all time, in every notation', async () => {
    const { merchant, account } = await tenDays()
    for (const [from, to] of [
      ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
      ['1969-12-31T23:59:59.999%2B14:00', '2200-01-01T00:00:00-12:00'],
    ]) {
      const { openingBalance, closingBalance, totals } = await statementOf(
        merchant,
        account,
        `from=${from}&to=${to}`,
      )
      assert.deepEqual([openingBalance.value, closingBalance.value, totals.count], [0, 700, 20])
    }
    const answer = await get(
      merchant,
      `/v1/financial-accounts/${account}/statement?from=0000-01-01T00:00:00Z`,
    )
    assert.ok(answer.status < 500, `answered ${answer.status}`)
  })

  test('400 names the invalid parameters', async () => {
    const { merchant, account, day } = await tenDays()
    const call = (rest: string, headers = {}) =>
      get(merchant, `/v1/financial-accounts/${account}/statement?${rest}`, headers)
    const params = async (answer: Response) => {
      assert.equal(answer.status, 400)
      return ((await answer.json()) as { error: { details: { param: string }[] } }).error.details.map(
        ({ param }) => param,
      )
    }
    assert.deepEqual(await params(await call('from=yesterday')), ['from'])
    assert.deepEqual(await params(await call('from=2026-02-30T00:00:00Z')), ['from'])
    assert.deepEqual(await params(await call(query(day(2), day(2)))), ['to'])
    assert.deepEqual(await params(await call(query(day(2), day(1)))), ['to'])
    assert.deepEqual(await params(await call('limit=51')), ['limit'])
    assert.deepEqual(await params(await call('withTotals=maybe')), ['withTotals'])
    assert.deepEqual(await params(await call('until=now')), ['until'])
    for (const accept of ['text/csv', 'application/pdf', xlsx])
      for (const param of ['limit=5', 'after=x', 'withTotals=false'])
        assert.deepEqual(await params(await call(param, { accept })), [param.split('=')[0]])
    const { next } = await statementOf(merchant, account, `${query(day(0), day(9))}&limit=1`)
    const elsewhere = await call(`${query(day(0), day(8))}&after=${next}`)
    assert.match(await elsewhere.text(), /cursor_invalid/)
  })

  test('403 without permission to read balances, 404 for another Space or environment, in every form', async () => {
    const { merchant, account, day } = await tenDays()
    const strangers = [await t.merchant(), await t.merchant({ sameUserAs: merchant, environment: 'live' })]
    for (const accept of ['application/json', 'text/csv', 'application/pdf', xlsx]) {
      const path = `/v1/financial-accounts/${account}/statement?${query(day(0), day(1))}`
      for (const stranger of strangers) assert.equal((await get(stranger, path, { accept })).status, 404)
      for (const less of [
        await t.merchant({ sameUserAs: merchant, scopes: ['financial-transactions:read'] }),
        await t.merchant({ sameUserAs: merchant, scopes: ['balances:read'] }),
      ])
        assert.equal((await get(less, path, { accept })).status, 403)
    }
  })

  test('HEAD returns only headers', async () => {
    const { merchant, account } = await tenDays()
    const answer = await fetch(`${t.baseUrl}/v1/financial-accounts/${account}/statement`, {
      method: 'HEAD',
      headers: {
        authorization: `Bearer ${merchant.token}`,
        'service-space-id': merchant.spaceId,
        accept: 'application/pdf',
      },
    })
    assert.deepEqual([answer.status, await answer.text()], [200, ''])
  })
})

describe('a statement as a file', () => {
  test('as CSV has the opening balance, each line, the totals and the closing balance', async () => {
    const { merchant, account, day } = await tenDays()
    const { headers, bytes } = await asFile(merchant, account, query(day(1), day(2)), 'text/csv')
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(
      headers.get('content-disposition')!,
      /^attachment; filename="statement-\d{16}-[\d-]{21}\.csv"$/,
    )
    const rows: Record<string, string>[] = parse(bytes, { columns: true })
    assert.deepEqual(
      rows.map((row) => [row.type, row['amount.value'], row['balance.value'], row['balance.decimal']]),
      [
        ['opening', '', '70', '0.70'],
        ['credit', '100', '170', '1.70'],
        ['debit', '30', '140', '1.40'],
        ['credits', '100', '', ''],
        ['debits', '30', '', ''],
        ['closing', '', '140', '1.40'],
      ],
    )
  })

  test('as XLSX has the cells of the CSV, with amounts, dates and a bold frozen header', async () => {
    for (const currency of ['SLE', 'XOF']) {
      const { merchant, account, day } = await tenDays(currency)
      const rest = query(day(1), day(4))
      const { headers, bytes } = await asFile(merchant, account, rest, xlsx)
      assert.equal(headers.get('content-type'), xlsx)
      assert.match(
        headers.get('content-disposition')!,
        /^attachment; filename="statement-\d{16}-[\d-]{21}\.xlsx"$/,
      )
      const [sheet] = readSpreadsheet(bytes)
      const csv: string[][] = parse((await asFile(merchant, account, rest, 'text/csv')).bytes)
      assert.deepEqual(asCsvRows(sheet!), csv)
      assert.equal(sheet!.pane, '1 frozen')
      const decimals = Object.values(sheet!.rows[2]!).filter(({ format }) => format.startsWith('#'))
      assert.deepEqual(
        decimals.map(({ format }) => format),
        Array(2).fill(currency === 'SLE' ? '#,##0.00' : '#,##0'),
      )
    }
  })

  test('spans many batches of lines', async () => {
    const { merchant, account } = await merchantWithAccount()
    const first = ago(3 * dayMs).getTime()
    const lines = Array.from({ length: 1_234 }, (_, n) => ({ amount: 1n, at: new Date(first + n) }))
    await booked(merchant.scope, account, lines)
    const rows = await csvOf(merchant, account, query(new Date(first), new Date(first + 1_233)))
    assert.deepEqual(
      rows.slice(1, -3).map((row) => row['balance.value']),
      lines.slice(0, -1).map((_, n) => String(n + 1)),
    )
    assert.equal(rows.at(-1)!['balance.value'], '1233')
  })

  test('as PDF has the same content in English and French', async () => {
    const { merchant, account, day } = await tenDays('XOF')
    const text = async (language: string) => {
      const { headers, bytes } = await asFile(
        merchant,
        account,
        query(day(0), day(10)),
        'application/pdf',
        language,
      )
      assert.equal(headers.get('content-type'), 'application/pdf')
      const document = await getDocumentProxy(new Uint8Array(bytes))
      const { info } = await document.getMetadata()
      assert.match(
        String((info as { CreationDate: string }).CreationDate),
        new RegExp(`^D:${day(10).toISOString().slice(0, 10).replaceAll('-', '')}`),
      )
      const pages = await Promise.all(
        Array.from({ length: document.numPages }, async (_, i) => {
          const { items } = await (await document.getPage(i + 1)).getTextContent()
          return items.map((item) => ('str' in item ? item.str : '')).join(' ')
        }),
      )
      return pages.join(' ').replaceAll('\u00a0', ' ').replace(/\s+/g, ' ')
    }
    const english = await text('en')
    for (const part of [
      'Account statement',
      'Opening balance CFA 0',
      'Total credits CFA 1,000',
      'Total debits -CFA 300',
      'Closing balance CFA 700',
    ])
      assert.ok(english.includes(part), `${part}: ${english}`)
    assert.ok(!english.includes('Provisional'))
    const french = await text('fr-CI')
    for (const part of ['Relevé de compte', 'Solde de clôture 700 FCFA'])
      assert.ok(french.includes(part), french)
  })

  test('as PDF is refused if it would be too long, naming the range', async () => {
    const { merchant, account } = await merchantWithAccount()
    const first = ago(2 * dayMs).getTime()
    await booked(
      merchant.scope,
      account,
      Array.from({ length: 2_001 }, (_, n) => ({ amount: 1n, at: new Date(first + n) })),
    )
    const path = `/v1/financial-accounts/${account}/statement?${query(new Date(first), ago(dayMs))}`
    const answer = await get(merchant, path, { accept: 'application/pdf' })
    assert.equal(answer.status, 400)
    assert.match(await answer.text(), /"param":"to".*exceed 2000 lines/)
  })
})

describe('a final statement', () => {
  test('has the same bytes later, in every form, whatever is posted or renamed', async () => {
    const { merchant, account, day } = await tenDays()
    const rest = query(day(1), day(9))
    const print = async () => {
      const pages = await statementOf(merchant, account, rest)
      const files: string[] = []
      for (const accept of ['text/csv', 'application/pdf', xlsx])
        files.push((await asFile(merchant, account, rest, accept)).bytes.toString('base64'))
      return [JSON.stringify(pages), ...files]
    }
    const before = await print()
    for (let i = 0; i < 3; i++) await fund(t.app.parts, merchant.scope, 1_000, { account })
    await merchant.call('PATCH', `/v1/financial-accounts/${account}`, { name: 'Another', metadata: { a: 1 } })
    assert.deepEqual(await print(), before)
  })

  test('does not exist while a transaction is open that may have written into its range', async () => {
    const { merchant, account } = await merchantWithAccount()
    const client = await db.pool.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query('select now() as begun, pg_current_xact_id()')
      // The transaction may still send a posting that is two minutes old, and clocks may differ by one minute.
      const rest = query(ago(dayMs), new Date(rows[0].begun.getTime() - 180_000 + 1))
      const isFinal = async () => (await statementOf(merchant, account, rest)).final
      await until(async () => Date.now() > rows[0].begun.getTime() + 10)
      assert.equal(await isFinal(), false)
      const earlier = query(ago(dayMs), new Date(rows[0].begun.getTime() - 180_000))
      assert.equal((await statementOf(merchant, account, earlier)).final, true)
      await client.query('commit')
      assert.equal(await isFinal(), true)
    } finally {
      client.release()
    }
  })

  test('does not exist before its range ends, and a posting long after its timestamp is refused', async () => {
    const { merchant, account } = await merchantWithAccount()
    assert.equal((await statementOf(merchant, account, query(ago(dayMs), ago(-dayMs)))).final, false)
    const at = ago(130_000)
    const late = db.transaction(async (tx) => {
      const main = await mainAccount(tx, merchant.scope, 'SLE', clock.now(merchant.scope))
      const funding = await systemAccount(tx, merchant.scope, 'funding', 'SLE', clock.now(merchant.scope))
      const movements = [
        { accountId: funding, amount: -1n },
        { accountId: main, amount: 1n },
      ]
      await post(tx, merchant.scope, { reference: newReference(at), at, owners: [], movements })
    })
    await assert.rejects(late, { reason: 'service_unavailable' })
  })
})

describe('whatever the booking order of lines', () => {
  const span = 3_600_000
  const line = fc.record({
    amount: fc.integer({ min: -1_000, max: 1_000 }).filter((amount) => amount !== 0),
    gap: fc.oneof(fc.constant(0), fc.nat(600_000)),
    /** How long before its booking a line is dated. */
    delay: fc.oneof(fc.constant(0), fc.nat(120_000)),
  })

  const sums = async (
    merchant: Merchant,
    account: string,
    lines: { amount: bigint; at: Date }[],
    from: Date,
    to: Date,
  ) => {
    const within = lines.filter(({ at }) => at >= from && at < to)
    const sum = (some: { amount: bigint }[]) => Number(some.reduce((all, { amount }) => all + amount, 0n))
    const statement = await wholeStatementOf(merchant, account, query(from, to))
    assert.equal(statement.openingBalance.value, sum(lines.filter(({ at }) => at < from)))
    assert.equal(statement.closingBalance.value, sum(lines.filter(({ at }) => at < to)))
    assert.deepEqual(
      statement.lines.map(({ type, amount }: { type: string; amount: { value: number } }) =>
        type === 'credit' ? amount.value : -amount.value,
      ),
      within.map(({ amount }) => Number(amount)),
    )
    assert.equal(
      statement.lines.at(-1)?.balance.value ?? statement.openingBalance.value,
      statement.closingBalance.value,
    )
  }

  test('a line is in the range of its timestamp, and all totals match the rows', async () => {
    const { merchant } = await merchantWithAccount()
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 60 }),
        fc.nat(span * 4),
        fc.integer({ min: 1, max: span * 2 }),
        async (steps, after, length) => {
          const { body } = await merchant.call('POST', '/v1/financial-accounts', {
            name: 'x',
            currency: 'SLE',
          })
          const account = body.result.id
          const first = ago(5 * dayMs).getTime()
          let time = first
          const lines = steps.map(({ amount, gap, delay }) => {
            time += gap
            return { amount: BigInt(amount), at: new Date(time - delay) }
          })
          // The account may be overdrawn here; that check is tested elsewhere.
          await overdraftable(merchant.scope, account)
          if (lines.length > 0) await booked(merchant.scope, account, lines)
          const from = new Date(first - 60_000 + after)
          await sums(merchant, account, lines, from, new Date(from.getTime() + length))
        },
      ),
      { numRuns: 40 },
    )
  })

  test('even after a test clock was moved ahead and set back', async () => {
    const { merchant, account } = await merchantWithAccount()
    await merchant.call('POST', '/v1/test-clock', { advance: '2d' })
    await fund(t.app.parts, merchant.scope, 100, { account })
    await merchant.call('POST', '/v1/test-clock', { reset: true })
    await fund(t.app.parts, merchant.scope, 20, { account })
    const [today, later] = [
      await statementOf(merchant, account, query(ago(dayMs), ago(-dayMs))),
      await statementOf(merchant, account, query(ago(-dayMs), ago(-3 * dayMs))),
    ]
    assert.deepEqual(
      [today, later].map(({ openingBalance, closingBalance }) => [
        openingBalance.value,
        closingBalance.value,
      ]),
      [
        [0, 20],
        [20, 120],
      ],
    )
  })

  const overdraftable = ({ spaceId, environment }: Scope, account: string) =>
    db.pool.query(
      'update ledger_accounts set allows_negative = true where space_id = $1 and environment = $2 and id = $3',
      [spaceId, environment, readId(accountIds, account)],
    )
})

test('lines that do not add up make a statement fail', async () => {
  const { merchant, account, day } = await tenDays()
  const { spaceId, environment } = merchant.scope
  await db.pool.query('alter table ledger_lines disable trigger ledger_lines_append_only')
  await db.pool.query(
    `update ledger_lines set amount = amount + 1 where space_id = $1 and environment = $2 and account_id = $3 and seq = 5`,
    [spaceId, environment, readId(accountIds, account)],
  )
  await db.pool.query('alter table ledger_lines enable trigger ledger_lines_append_only')
  const answer = await get(merchant, `/v1/financial-accounts/${account}/statement?${query(day(1), day(5))}`)
  assert.equal(answer.status, 500)
  assert.match(await answer.text(), /internal_error/)
  await assert.rejects(t.verify(), /running balances are continuous/)
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { eventIds, webhookIds } from '../../../packages/server/src/events/resources.ts'
import { accountIds } from '../../../packages/server/src/ledger/accounts/resources.ts'
import { paymentIds } from '../../../packages/server/src/money/payments/resources.ts'
import { maxWalkedRows } from '../../../packages/server/src/platform/db/bounded-walk.ts'
import type { Reader } from '../../../packages/server/src/platform/db/database.ts'
import { withoutKeyedValues } from '../../../packages/server/src/platform/db/encryption.ts'
import type { Sql } from '../../../packages/server/src/platform/db/sql.ts'
import { walkPlannerSettings } from '../../../packages/server/src/platform/db/walk.ts'
import { querySchema } from '../../../packages/server/src/platform/http/lists/lists.ts'
import { showId } from '../../../packages/server/src/platform/ids.ts'
import { slices } from '../../../packages/server/src/slices.ts'
import { sessionIds } from '../../../packages/server/src/ways-to-pay/checkout/resources.ts'
import { codeIds } from '../../../packages/server/src/ways-to-pay/payment-codes/resources.ts'
import { createDatabaseOfMonths } from '../../support/database.ts'
import { type Entry, entriesOf, placeOf, type Shape } from '../../support/examples.ts'
import { startTestApp } from '../../support/harness.ts'

// One Space has a very large number of rows in every table, almost all alike; filters look for rare and old
// rows, or for none. Many small Spaces skew the planner's averages.
const many = 25_000
const few = 5
const smallSpaces = 40

// The calls of this test must not be among the rows.
const database = await createDatabaseOfMonths('2023-11-01', '2024-05-01')
const t = await startTestApp({ work: false, settings: { REQUEST_LOG: 'off' }, database })
// Only statements of the calls are examined, and not those with which the node looks for others.
await t.app.parts.nodes.stop()
const merchant = await t.merchant({ isOperator: true })
const big = merchant.scope.spaceId
const client = new pg.Client(t.database.connection)
await client.connect()
after(async () => {
  await client.end()
  await t.close()
})

const baseMs = 1_700_000_000_000
// The rows are in the order of their numbers, a millisecond apart, but each fifth of them is in a month of its own.
const months = 5
const monthMs = 30 * 86_400_000
const timeSql = `(${baseMs} + n + (n - 1) / ${many / months} * ${monthMs}::bigint)`
for (let month = 0; month < months; month++)
  await client.query('select create_api_request_partition(to_timestamp($1)::date)', [
    (baseMs + month * monthMs) / 1000,
  ])
/** Returns the id of row `n`, which is in the first month. */
const idOf = (n: number) =>
  `${(baseMs + n)
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}-7000-8000-000000000000`
const idSql = `(regexp_replace(lpad(to_hex(${timeSql}), 12, '0'), '^(.{8})', '\\1-') || '-7000-8000-000000000000')::uuid`
const [account, other] = [idOf(1), idOf(2)]
/** A few rows of each month. Columns that have very many values in production have at least two in a month. */
const isOfEachMonth = `n % ${many / months} between ${few} + 1 and ${2 * few}`
const typeSql = `case when n <= ${few} then 'payment.failed' else 'payment.created' end`
/** Numbers of facts and positions are unique across Spaces. */
const numberSql = `(${2 * many} * space + n)`
const atSql = `to_timestamp(${timeSql} / 1000.0)`

/**
 * Every table that a list reads: its columns apart from Space, environment and id, with their values in row
 * `n`. An empty `id` means that the table has none.
 */
const tables: Record<string, Record<string, string>> = {
  ledger_lines: {
    account_id: `'${account}'`,
    seq: 'n',
    amount: `case when n <= ${few} then -1 else 1 end`,
    currency: `'SLE'`,
    balance_after: 'n',
    reference: `to_char(${atSql} at time zone 'utc', 'YYYYMMDD-HH24MISSMS') || '-aaaaaa'`,
    is_financial: 'true',
    owners: `'[]'`,
    at: atSql,
  },
  internal_transfers: {
    status: `case when n <= ${few} then 'completed' else 'failed' end`,
    amount: '1',
    currency: `'SLE'`,
    source_account_id: `'${account}'`,
    destination_account_id: `case when n <= ${few} then '${other}' else '${idOf(3)}' end::uuid`,
    ledger_reference: `case when n <= ${few} then 'r' || n end`,
    failure_code: `case when n > ${few} then 'cancelled' end`,
    metadata: `'{}'`,
    created_at: atSql,
    updated_at: atSql,
  },
  payments: {
    status: `case when n <= ${few} then 'failed' else 'completed' end`,
    failure_code: `case when n <= ${few} then 'unknown' end`,
    amount: `case when n <= ${few} then 7 else 1 end`,
    currency: `'SLE'`,
    name: `''`,
    reference: `case when n <= ${few} then 'rare' when ${isOfEachMonth} then 'other' else 'common' end`,
    order_id: idSql,
    order_number: 'n',
    origin_type: `'payment_code'`,
    origin_id: `case when n <= ${few} then '${other}' when ${isOfEachMonth} then '${idOf(4)}' else '${account}' end::uuid`,
    financial_account_id: `case when n <= ${few} then '${other}' else '${account}' end::uuid`,
    channel_type: `'momo'`,
    provider_id: `case when n <= ${few} then 'm18' else 'm17' end`,
    payer_account: `case when n <= ${few} then '+23276000007' when ${isOfEachMonth} then '+23276000009' else '+23276123456' end`,
    payer_fingerprint: `'x'`,
    rail_reference: 'gen_random_uuid()',
    rail_transaction: `case when n <= ${few} then 'rail-rare' when ${isOfEachMonth} then 'rail-other' else 'rail-common' end`,
    ledger_reference: `case when n > ${few} then 'r' || n end`,
    metadata: `'{}'`,
    created_at: atSql,
    updated_at: atSql,
  },
  payouts: {
    status: `case when n <= ${few} then 'completed' else 'failed' end`,
    amount: `case when n <= ${few} then 7 else 1 end`,
    currency: `'SLE'`,
    financial_account_id: `'${account}'`,
    destination_type: `'momo'`,
    provider_id: `case when n <= ${few} then 'm18' else 'm17' end`,
    payee_account: `case when n <= ${few} then '+23276000007' else '+23276123456' end`,
    rail_reference: 'gen_random_uuid()',
    rail_transaction: 'n',
    hold_id: idSql,
    ledger_reference: `case when n <= ${few} then 'r' || n end`,
    failure_code: `case when n > ${few} then 'unknown' end`,
    created_by: idSql,
    batch_id: `case when n <= ${few} then '${other}' end::uuid`,
    batch_row: `case when n <= ${few} then n end`,
    metadata: `'{}'`,
    created_at: atSql,
    updated_at: atSql,
  },
  payment_codes: {
    reference: `case when n <= ${few} then 'rare' when ${isOfEachMonth} then 'other' else 'common' end`,
    number: `lpad(n::text, 10, '0')`,
    mode: `'one_time'`,
    status: `case when n <= ${few} then 'completed' else 'expired' end`,
    name: `''`,
    currency: `'SLE'`,
    enabled: 'true',
    financial_account_id: `'${account}'`,
    paid_count: '0',
    paid_total: '0',
    failed_count: '0',
    metadata: `'{}'`,
    expires_at: atSql,
    created_at: atSql,
    updated_at: atSql,
  },
  orders: {
    number: 'n',
    name: `''`,
    amount: '1',
    currency: `'SLE'`,
    created_at: atSql,
    entitlements: `'[]'`,
  },
  checkout_sessions: {
    status: `case when n <= ${few} then 'completed' else 'expired' end`,
    reference: `case when n <= ${few} then 'rare' when ${isOfEachMonth} then 'other' else 'common' end`,
    name: `''`,
    line_items: `'[]'`,
    payment_options: `'{}'`,
    financial_account_id: `'${account}'`,
    order_id: idSql,
    order_number: 'n',
    payment_link_id: `case when n <= ${few} then '${other}' end::uuid`,
    amount: '1',
    currency: `'SLE'`,
    metadata: `'{}'`,
    expires_at: atSql,
    created_at: atSql,
    updated_at: atSql,
  },
  financial_accounts: {
    name: `''`,
    currency: `'SLE'`,
    reference: `'r' || n`,
    uvan: `lpad(n::text, 16, '0')`,
    metadata: `'{}'`,
    created_at: atSql,
    updated_at: atSql,
  },
  ussd_otps: {
    status: `case when n <= ${few} then 'verified' else 'expired' end`,
    number: `'123456'`,
    phone_number: `'+23276123456'`,
    metadata: `'{}'`,
    expires_at: atSql,
    created_at: atSql,
  },
  webhooks: {
    name: `''`,
    api_release: `'baobab'`,
    url: `'https://shop.example/'`,
    subscriptions: `'{*}'`,
    enabled: 'false',
    headers: `'{}'`,
    alert_emails: `'{}'`,
    verification: `'HS256'`,
    secret: `''`,
    metadata: `'{}'`,
    created_at: atSql,
    updated_at: atSql,
    deleted_at: `case when n > ${few} then ${atSql} end`,
  },
  event_facts: {
    object_type: `'payment'`,
    object_id: `case when n <= ${few} then '${other}' else '${account}' end::uuid`,
    data: `'{}'`,
    at: atSql,
    types: `array[${typeSql}]`,
    number: numberSql,
  },
  sequenced_facts: {
    id: '',
    count: '1',
    position: numberSql,
    sequence: 'n',
    kind: `(select kind from fact_kinds where types = array[${typeSql}] and not has_lines)`,
    object_id: `case when n <= ${few} then '${other}' else '${account}' end::uuid`,
    fact_number: numberSql,
    at: atSql,
    latest_at: atSql,
  },
  webhook_deliveries: {
    webhook_id: `'${account}'`,
    position: numberSql,
    status: `case when n <= ${few} then 'delivered' else 'failed' end`,
    created_at: atSql,
  },
}

const entries = await entriesOf(t)
for (const { examples } of entries) Object.assign(tables, examples.rows)

before(async () => {
  await client.query(
    `insert into fact_kinds (types, has_lines) values ('{payment.created}', false), ('{payment.failed}', false)
     on conflict do nothing`,
  )
  const spaces = [[big, many], ...Array.from({ length: smallSpaces }, () => [randomUUID(), 20])] as const
  for (const [i, [space, rows]] of spaces.entries())
    for (const [table, own] of Object.entries(tables)) {
      const columns = Object.entries({ id: idSql, ...own }).filter(([, value]) => value !== '')
      const names = columns.map(([name]) => (name === 'position' ? '"position"' : name))
      await client.query(
        `insert into ${table} (space_id, environment, ${names.join(', ')})
         select '${space}', 'test', ${columns.map(([, value]) => value).join(', ')} 
         from generate_series(1, ${rows}) n cross join (values (${i + 1})) spaces (space)`,
      )
    }
  await client.query(
    `insert into payment_code_numbers (number, environment, space_id, payment_code_id)
     select number, environment, space_id, id from payment_codes where space_id = '${big}'`,
  )
  await client.query('analyze')
})

/** Values for filters, both rare and common ones. */
const values: Record<string, string[]> = {
  financialAccountId: [showId(accountIds, account), showId(accountIds, other)],
  sourceFinancialAccountId: [showId(accountIds, account)],
  destinationFinancialAccountId: [showId(accountIds, other)],
  reference: ['r7', '20231114-221320007-aaaaaa'],
  financialTransactionReference: ['r3'],
  sourceTransactionReference: ['r3'],
  destinationTransactionReference: ['7'],
  uvan: ['0000000000000007'],
  withBalance: ['true'],
  orderNumber: ['7'],
  bankReference: ['b7', 'none'],
  ussd_code: ['*715*0000000007#'],
  objectId: [showId(paymentIds, account), showId(paymentIds, other)],
  since: ['2023-11-14T22:13:30Z'],
  country: ['SL'],
  provider: ['m17', 'm18'],
  amount: ['1', '7'],
  phoneNumber: ['+23276123456', '+23276000007'],
  from: ['2023-11-14T22:13:20.002Z'],
  to: ['2023-11-14T22:13:30Z', '2023-11-14T22:13:20.004Z'],
  q: [
    ...['common', showId(codeIds, account), showId(paymentIds, other), showId(accountIds, account)],
    ...[paymentIds, accountIds, sessionIds, codeIds, eventIds].flatMap((ids) => [
      showId(ids, account),
      showId(ids, other),
    ]),
    ...['rare', 'nothing', 'rail-common', '7', 'r7', '20231114-221320007-aaaaaa', '0000000007'],
    ...['0000000000000007', '*715*0000000007#', randomUUID(), '076 000 007', '+23276123456'],
  ],
  text: ['common', 'rare', 'nothing'],
}
const enumOf = (name: string, shape: Shape): string[] => {
  const choices = /"enum":(\[[^\]]*\])/.exec(JSON.stringify(shape))?.[1]
  const all = (choices ? JSON.parse(choices) : []) as (string | null)[]
  const wanted = all.filter((value) => value !== null)
  return name === 'type' && wanted.length > 2
    ? ['payment.failed', 'payment.created', 'refund.created'].filter((v) => wanted.includes(v))
    : wanted
}

/** The number of values of one filter that are combined with each other filter. */
const inPairs = 4

/** Returns the queries of a list: without filters, with each filter, with each pair, and with all of them. */
function queriesOf(entry: Entry): string[] {
  const { route, examples } = entry
  const { limit, after, ...filters } = (querySchema(route) as Shape).properties ?? {}
  const each = Object.entries(filters).map(([name, shape]) => {
    const own = (route.query as Shape | undefined)?.properties?.[name] && examples.filters?.[name]
    const named = own ?? values[name] ?? enumOf(name, shape)
    const hint = `add its values to "filters" of ${placeOf(entry)}`
    assert.ok(named.length > 0, `${route.url} has the filter ${name}, which is unknown to this test: ${hint}`)
    return named.map((value) => `&${name}=${encodeURIComponent(value)}`)
  })
  const pairs = each.flatMap((ones, i) =>
    each
      .slice(i + 1)
      .flatMap((others) =>
        ones.slice(0, inPairs).flatMap((one) => others.slice(0, inPairs).map((other) => one + other)),
      ),
  )
  return ['', ...each.flat(), ...pairs, each.map(([one]) => one).join('')]
}

type RecordedStatement = { statement: Sql; isWalk: boolean }

/** Returns the statements that the service runs during `work`. */
async function statementsIn(work: () => Promise<unknown>): Promise<RecordedStatement[]> {
  const { db } = t.app.parts
  const recorded: RecordedStatement[] = []
  const watch = <R extends Reader>(reader: R, isWalk: boolean) => {
    const { query } = reader
    const watched: Reader['query'] = (statement) => {
      recorded.push({ statement, isWalk })
      return query(statement)
    }
    return Object.assign(reader, {
      query: watched,
      one: async (statement: Sql) => (await watched(statement))[0],
    })
  }
  const { query, one, snapshot } = db
  Object.assign(db, {
    snapshot: (read: (reader: Reader) => Promise<unknown>) => snapshot((reader) => read(watch(reader, true))),
  })
  watch(db, false)
  try {
    await work()
  } finally {
    Object.assign(db, { query, one, snapshot })
  }
  // Statements with binary arrays look up the page's rows by id.
  return recorded.filter(
    ({ statement }) =>
      statement.text !== walkPlannerSettings.text &&
      !statement.values.some((value) => Buffer.isBuffer(value)),
  )
}

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.join(',')}}`)
  return pg.escapeLiteral(String(value))
}

type Node = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Node[]
} & Record<string, unknown>

/** Returns the number of rows that a plan reads, including discarded ones. */
const lookedAt = (node: Node): number =>
  (node['Relation Name'] === undefined
    ? 0
    : (node['Actual Rows'] +
        Number(node['Rows Removed by Filter'] ?? 0) +
        Number(node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops']) + (node.Plans ?? []).reduce((sum, inner) => sum + lookedAt(inner), 0)

type Cost = { rows: number; plan: Node }
const costs = new Map<string, Promise<Cost>>()

/**
 * Returns the cost of a statement. Costs are cached, because calls share statements with the same values, and
 * no row changes in between.
 */
function costOf({ statement, isWalk }: RecordedStatement, mode: string): Promise<Cost> {
  const setting = isWalk ? walkPlannerSettings.text : `set local plan_cache_mode = ${mode}`
  const values = withoutKeyedValues(statement.values, t.app.parts.db.encryption)
  const given = values.map(literal).join(', ')
  const key = JSON.stringify([setting, statement.text, given])
  const cost = costs.get(key) ?? measure(setting, statement.text, given)
  costs.set(key, cost)
  return cost
}

async function measure(setting: string, text: string, given: string): Promise<Cost> {
  try {
    await client.query(`begin; ${setting}; prepare probe as ${text}`)
    const { rows } = await client.query(
      `explain (analyze, format json) execute probe${given && `(${given})`}`,
    )
    const plan = rows[0]['QUERY PLAN'][0].Plan
    return { rows: lookedAt(plan), plan }
  } finally {
    await client.query('rollback; deallocate all')
  }
}

/** Returns the months, of any table, of which a plan reads rows. */
const monthsIn = (node: Node): string[] => {
  const month = /_(\d{4}_\d\d)$/.exec(node['Relation Name'] ?? '')?.[1]
  const own = month !== undefined && lookedAt({ ...node, Plans: [] }) > 0 ? [month] : []
  return [...new Set([...own, ...(node.Plans ?? []).flatMap(monthsIn)])]
}

/** Returns the tables that a plan reads. A partition counts as its table. */
const tablesIn = ({ 'Relation Name': name, Plans = [] }: Node): string[] => [
  ...(name === undefined ? [] : [name.replace(/(_\d{4})?_\d+$|_before$|_after$/, '')]),
  ...Plans.flatMap(tablesIn),
]
/** Tables of which a list reads only a row or two, whatever its filters. */
const small = new Set([
  'fact_kinds',
  ...[
    'ledger_accounts',
    'event_counters',
    'event_sequencer',
    'event_partitions',
    'event_numbers',
    'payment_code_numbers',
    'payment_link_addresses',
    // One row per account and archived month, read by key.
    'carried_balances',
    // One row per day and provider, read in the order of the numbers.
    'statements',
  ],
  // Read by every call, or by background work.
  ...slices.flatMap(({ folder, tables = [], homeTables = [] }) =>
    ['platform', 'tenants/spaces', 'tenants/team', 'rails/routing'].includes(folder)
      ? [...homeTables, ...tables].filter((table) => table !== 'audit_entries')
      : [],
  ),
])

const enough = 400

test('a list reads the newest month that has rows for it, and no more rows than a page needs, or 10 000 if no index serves its filters', async (c) => {
  let tried = 0
  for (const entry of entries.filter(({ route }) => route.kind === 'list')) {
    const { route } = entry
    const url = route.url.replace(':id', route.idKind ? showId(route.idKind, account) : '')
    for (const query of queriesOf(entry)) {
      const recorded = await statementsIn(async () => {
        const { status, body } = await merchant.call('GET', `${url}?limit=3${query}`)
        assert.equal(status, 200, `${url}?${query}: ${JSON.stringify(body.error)}`)
        const { next } = body.pagination
        if (next)
          assert.equal((await merchant.call('GET', `${url}?limit=3${query}&after=${next}`)).status, 200)
      })
      for (const each of recorded)
        for (const mode of each.isWalk
          ? ['force_generic_plan']
          : ['force_generic_plan', 'force_custom_plan']) {
          tried++
          const { rows, plan } = await costOf(each, mode)
          for (const table of tablesIn(plan)) {
            const hint = `add its columns to "rows" of ${placeOf(entry)}`
            assert.ok(
              small.has(table) || tables[table],
              `${route.url} reads ${table}, which is empty here: ${hint}`,
            )
          }
          // The lines of an account are ordered by their numbers, so the last ones of each month are compared.
          if (!each.isWalk && !/order by seq/.test(each.statement.text))
            assert.ok(
              monthsIn(plan).length <= 1,
              `${url}?${query} reads ${monthsIn(plan)} (${mode}):\n${each.statement.text}\n${JSON.stringify(plan, null, 1)}`,
            )
          assert.ok(
            rows <= (each.isWalk ? maxWalkedRows + enough : enough),
            `${url}?${query} looks at ${rows} rows (${mode}):\n${each.statement.text}\n${JSON.stringify(plan, null, 1)}`,
          )
        }
    }
  }
  c.diagnostic(`${tried} plans, ${costs.size} of them different`)
})

test('a search looks up identifiers through indexes, and reads at most the newest 10 000 names of a type', async () => {
  const amounts = ['0.01', 'Le 0.07', '0,07 SLE', '1', '07']
  const names = ['Com', 'no such name', 'ware']
  for (const q of [...values.q!, ...amounts, ...names].filter((text) => text.length > 1)) {
    const recorded = await statementsIn(async () => {
      const { status, body } = await merchant.call('GET', `/v1/search?q=${encodeURIComponent(q)}`)
      assert.equal(status, 200, `${q}: ${JSON.stringify(body.error)}`)
    })
    for (const each of recorded)
      for (const mode of each.isWalk ? ['force_generic_plan'] : ['force_generic_plan', 'force_custom_plan']) {
        const { rows, plan } = await costOf(each, mode)
        for (const table of tablesIn(plan))
          assert.ok(
            small.has(table) || tables[table],
            `a search for ${q} reads ${table}, which is empty here`,
          )
        assert.ok(
          rows <= (each.isWalk ? maxWalkedRows + enough : enough),
          `a search for ${q} looks at ${rows} rows (${mode}):\n${each.statement.text}\n${JSON.stringify(plan, null, 1)}`,
        )
      }
  }
})

test('counting by status reads at most 100 rows of each status, along an index', async () => {
  for (const resource of ['payments', 'payouts', 'refunds']) {
    let counts: number[] = []
    const recorded = await statementsIn(async () => {
      const { status, body } = await merchant.call('GET', `/v1/${resource}/counts`)
      assert.equal(status, 200)
      counts = Object.values(body.result)
    })
    assert.equal(Math.max(...counts), 100, resource)
    assert.ok(counts.includes(few), `${resource}: ${counts}`)
    const plans: string[] = []
    for (const each of recorded)
      for (const mode of ['force_generic_plan', 'force_custom_plan']) {
        const { rows, plan } = await costOf(each, mode)
        plans.push(JSON.stringify(plan))
        assert.ok(
          rows <= 100 * counts.length,
          `${resource}: ${rows} rows (${mode}):\n${JSON.stringify(plan, null, 1)}`,
        )
      }
    assert.ok(plans.some((plan) => new RegExp(`${resource}_(\\d{4}_\\d\\d_)?status`).test(plan)))
  }
})

test('a filter without an index finds every match, however short the pages are', async () => {
  const account1 = showId(accountIds, account)
  // Lists that are read in their own order, and lists where one of two filters comes first.
  const [inOrder, led] = [2, 24]
  const lists: [string, number][] = [
    ['/v1/financial-transactions?type=debit', inOrder],
    [`/v1/financial-transactions?type=debit&financialAccountId=${account1}`, inOrder],
    ['/v1/reports/lines?type=debit', inOrder],
    ['/v1/internal-transfers?status=completed', inOrder],
    [
      `/v1/internal-transfers?sourceFinancialAccountId=${account1}&destinationFinancialAccountId=${showId(accountIds, other)}`,
      led,
    ],
    [`/v1/internal-transfers?status=completed&sourceFinancialAccountId=${account1}`, led],
    [`/v1/payouts?status=completed&sourceFinancialAccountId=${account1}`, led],
    [`/v1/webhooks/${showId(webhookIds, account)}/deliveries?status=delivered`, inOrder],
  ]
  for (const [url, empty] of lists) {
    const [seen, counts]: [string[], number[]] = [[], []]
    for (let after: string | null = ''; after !== null; ) {
      const { body } = await merchant.call('GET', `${url}&limit=2&after=${after}`)
      seen.push(...body.result.map(({ id }: { id: string }) => id))
      counts.push(body.pagination.count)
      after = body.pagination.next
    }
    const wanted = seen.length
    assert.equal(wanted, few, url)
    assert.deepEqual(seen, [...new Set(seen)].sort().reverse(), url)
    assert.deepEqual(counts, [...Array(empty).fill(0), 2, 2, 1], url)
  }
})

test('a case file reads only the rows that it shows, however many rows other objects have', async () => {
  for (const row of [account, other]) {
    const recorded = await statementsIn(async () => {
      const path = `/v1/payments/${showId(paymentIds, row)}/case-file`
      assert.equal((await merchant.call('GET', path)).status, 200)
    })
    assert.ok(recorded.length > 3)
    for (const each of recorded)
      for (const mode of ['force_generic_plan', 'force_custom_plan']) {
        const { rows, plan } = await costOf(each, mode)
        assert.ok(
          rows <= enough,
          `${rows} rows (${mode}):\n${each.statement.text}\n${JSON.stringify(plan, null, 1)}`,
        )
      }
  }
})

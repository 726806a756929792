import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import pg from 'pg'
import {
  type Archived,
  ArchiveError,
  archiveMonth,
} from '../../../../packages/server/src/finance/books/archive.ts'
import { selectBlocks } from '../../../../packages/server/src/finance/books/archive-block-store.ts'
import {
  dropMonth,
  exportMonth,
  refuseDropped,
  restoreMonth,
} from '../../../../packages/server/src/finance/books/archive-files.ts'
import { selectArchiveProof } from '../../../../packages/server/src/finance/books/archive-proof-store.ts'
import { findUnits } from '../../../../packages/server/src/finance/books/archive-units.ts'
import { proveBooks } from '../../../../packages/server/src/finance/books/verify.ts'
import {
  selectArchivedMonths,
  selectArchivedUntil,
} from '../../../../packages/server/src/platform/db/archived-months.ts'
import type { Tx } from '../../../../packages/server/src/platform/db/database.ts'
import { Sql, sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { findChecks } from '../../../../packages/server/src/slices.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { createPayer } from '../../../support/payer.ts'
import { price } from '../../../support/payment-code.ts'
import { remove, set } from './changes.ts'

// The test clock moves through three months. Each test continues where the one before it ended.

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const { db, seals, clock } = t.app.parts
after(() => t.close())

const dayMs = 86_400_000
const decider = { by: 'kadi@pesewa.example', reason: 'Older than 13 months' }

let merchant: Merchant
let months: string[]
let unfinished: Session
/** The state of its payment before its month is archived: the rail ends it if its clock is moved far enough. */
let stateOfUnfinished = ''
/** The first payout. */
let paidOut: string | undefined
/** A payment of each month, and one whose session was opened in the month before. */
const paid: Record<'first' | 'crossing' | 'second' | 'third', string> = {
  first: '',
  crossing: '',
  second: '',
  third: '',
}

before(async () => {
  merchant = await t.merchant()
  await fund(t.app.parts, merchant.scope, 1_000_000)
  months = (await findUnits(db)).map(({ month }) => month)
  paid.first = await trade()
  // The rail never reports its outcome.
  unfinished = await openSession()
  await createPayer(unfinished.redirectUrl).pay('m17', '076 123 003')
  await moveTo(0, 23)
  const session = await openSession()
  await t.advance(merchant.scope, 2 * 3_600_000)
  paid.crossing = await pay(session)
  paid.second = await trade()
  await moveTo(3, 12)
  paid.third = await trade()
  await t.verify()
  stateOfUnfinished = (await statusesOf(unfinished))[0]!
})

/** Moves the test clock to a day of the next month, at this hour. Day 0 is the last one of the current month. */
async function moveTo(day: number, hour: number): Promise<void> {
  const now = clock.now(merchant.scope)
  const at = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, day, hour)
  await t.advance(merchant.scope, at - now.getTime())
}

type Session = { id: string; orderNumber: string; redirectUrl: string }

async function openSession(): Promise<Session> {
  const body = { name: 'Concert', lineItems: [{ name: 'Seat', price: price(1_000) }], duration: '7d' }
  return (await merchant.call('POST', '/v1/checkout-sessions', body)).body.result
}

/** Returns the states of the payments of a session that the API knows. */
const statusesOf = async ({ orderNumber }: Session): Promise<string[]> =>
  (await merchant.call('GET', `/v1/payments?orderNumber=${orderNumber}`)).body.result.map(
    ({ status }: { status: string }) => status,
  )

/** Pays a session, and returns the id of the payment. */
async function pay({ orderNumber, redirectUrl }: Session): Promise<string> {
  const payer = createPayer(redirectUrl)
  await payer.pay('m17', '076 123 456')
  await until(async () => (await payer.status()) === 'done' || rail.advance(300))
  const { body } = await merchant.call('GET', `/v1/payments?orderNumber=${orderNumber}`)
  return body.result[0].id
}

/** A payment, a payout and a partial refund, all of them completed. Returns the id of the payment. */
async function trade(): Promise<string> {
  const paymentId = await pay(await openSession())
  const destination = { type: 'momo', providerId: 'm17', phoneNumber: '076123456' }
  const payout = await merchant.call('POST', '/v1/payouts', { amount: price(100), destination })
  paidOut ??= payout.body.result.id
  const refund = { paymentId, amount: price(300), reason: 'other' }
  assert.equal((await merchant.call('POST', '/v1/refunds', refund)).status, 200)
  await until(async () => {
    await rail.advance(300)
    const isOpen = await db.one(sql`
      -- every space: there is one
      select 1 from instructions
      where (state not in ('succeeded', 'failed') or due_at is not null) and account <> '+23276123003'
      union all select 1 from refunds where status in ('pending', 'processing')`)
    // Failed instructions are queried again within an hour.
    if (isOpen) await t.advance(merchant.scope, 600_000)
    return !isOpen
  })
  // A range of lines that is chained in the next month is kept.
  await until(
    async () =>
      !(await db.one(sql`
    -- every space: there is one
    select 1 from unchained
    union all
    select 1 from ledger_accounts account
    where next_seq > 1 + coalesce((select max(seq_to) from book_ranges range where range.account_id = account.id), 0)`)),
  )
  return paymentId
}

const options = {
  ...{ findChecks, seals, decider, refundWindowMs: 0, afterMonths: 13 },
  now: new Date(Date.now() + 3_000 * dayMs),
}

const archive = (month: string | undefined): Promise<Archived> => archiveMonth(db, String(month), options)

const statusOf = async (url: string) => (await merchant.call('GET', url)).status

class Undone extends Error {}

/** Makes changes as a superuser, returns what `find` finds then, and rolls everything back. */
async function foundAfter<T>(change: string, find: (tx: Tx) => Promise<T>): Promise<T> {
  let found: T | undefined
  await db
    .transaction(async (tx) => {
      await tx.run(sql`set transaction isolation level repeatable read`)
      await tx.run(sql`set local session_replication_role = replica`)
      for (const statement of change.split(';')) await tx.run(new Sql(statement, []))
      found = await find(tx)
      throw new Undone()
    })
    .catch((error) => {
      if (!(error instanceof Undone)) throw error
    })
  return found as T
}

const failedChecks = async (tx: Tx) =>
  (await proveBooks(tx, findChecks, { seals })).checks
    .filter(({ differences }) => differences.length > 0)
    .map(({ name }) => name)

test('a month is archived only after the months before it, and only when nothing needs it', async () => {
  await assert.rejects(
    archive(months[1]),
    new ArchiveError(`Months are archived in order. The next one is ${months[0]}.`),
  )
  await assert.rejects(
    archive('1999-12'),
    new ArchiveError(`There is no month 1999-12. The next one to archive is ${months[0]}.`),
  )
  const session = await openSession()
  const id = session.id
  assert.ok(id)
  const now = new Date()
  await assert.rejects(
    archiveMonth(db, String(months[0]), {
      findChecks,
      seals,
      decider,
      refundWindowMs: 0,
      afterMonths: 13,
      now,
    }),
    new RegExp(`${months[0]} can be archived from \\d{4}-\\d\\d-01 on, 13 months after it has ended`),
  )
  await merchant.call('DELETE', `/v1/checkout-sessions/${id}`)
  await assert.rejects(
    archiveMonth(db, String(months[0]), { ...options, refundWindowMs: 4_000 * dayMs }),
    new RegExp(`${months[0]} is still needed by \\d+ payments that can still be refunded .such as pay-`),
  )
  // An object that is unfinished in live blocks its month.
  const inLive = await foundAfter(
    set('instructions', "environment = 'live', due_at = now()", "state = 'succeeded'"),
    async (tx) => {
      const [unit] = await findUnits(tx)
      assert.ok(unit)
      return (await selectBlocks(tx, unit, options)).map(({ reason }) => reason)
    },
  )
  assert.deepEqual(inLive, ['instructions without an outcome'])
})

test('archiving waits for long transactions, and nobody waits for it in the meantime', async () => {
  const client = new pg.Client(t.database.connection)
  const other = new pg.Client(t.database.connection)
  await Promise.all([client.connect(), other.connect()])
  await client.query('begin')
  await client.query('select count(*) from payments')
  // The attempts to lock the tables end long before this.
  await other.query(`set lock_timeout = '1s'`)
  let isDone = false
  const archiving = archive(months[0]).finally(() => {
    isDone = true
  })
  let longestMs = 0
  const holding = until(() =>
    db.one(sql`select 1 from pg_locks where not granted and mode = 'AccessExclusiveLock'`),
  ).then(() => client.query('commit'))
  while (!isDone) {
    const beganAt = performance.now()
    await other.query('begin; lock table payments, ledger_lines, audit_entries in row exclusive mode; commit')
    longestMs = Math.max(longestMs, performance.now() - beganAt)
    await sleep(1)
  }
  await holding
  const { month, blockedMs } = await archiving
  assert.equal(month, months[0])
  console.log(`longest wait ${longestMs.toFixed(0)} ms, tables locked for ${blockedMs.toFixed(0)} ms`)
  await Promise.all([client.end(), other.end()])
})

test('archived payments are unknown, and those of later months are as before, with their sessions', async () => {
  await t.verify()
  assert.equal(await statusOf(`/v1/payments/${paid.first}`), 404)
  for (const id of [paid.crossing, paid.second, paid.third])
    assert.equal(await statusOf(`/v1/payments/${id}`), 200)
  const { body } = await merchant.call('GET', `/v1/payments/${paid.crossing}`)
  const sessionId = body.result.ownershipGraph.owner.id
  assert.equal(await statusOf(`/v1/checkout-sessions/${sessionId}`), 200)
  assert.deepEqual(await statusesOf(unfinished), stateOfUnfinished === 'processing' ? ['processing'] : [])
  const refund = { paymentId: paid.first, amount: price(100), reason: 'other' }
  assert.equal((await merchant.call('POST', '/v1/refunds', refund)).status, 400)
})

test('statements, reports and months that begin in an archived month are refused', async () => {
  const [account] = (await merchant.call('GET', '/v1/financial-accounts')).body.result
  const begin = (await selectArchivedUntil(db))?.toISOString() ?? ''
  const [before, now] = [`2026-01-01T00:00:00Z`, clock.now(merchant.scope).toISOString()]
  for (const [url, status] of [
    [`/v1/financial-accounts/${account.id}/statement?from=${before}&to=${now}`, 400],
    [`/v1/financial-accounts/${account.id}/statement?from=${begin}&to=${now}`, 200],
    [`/v1/reports/fees?from=${before}&to=${now}`, 400],
    [`/v1/reports/fees?from=${begin}&to=${now}`, 200],
    [`/v1/reports/settlement?from=${begin}&to=${now}`, 200],
    [`/v1/reports/balances?from=${begin}&to=${now}`, 200],
    [`/v1/month-end?month=${months[0]}`, 400],
    [`/v1/month-end?month=${months[1]}`, 200],
    ['/v1/financial-transactions', 200],
    [`/v1/financial-transactions?financialAccountId=${account.id}&from=${before}`, 200],
  ] as const)
    assert.equal(await statusOf(url), status, url)
})

test('a payout whose bookings were archived can no longer be recalled', async () => {
  const { body } = await merchant.call('POST', '/v1/recalls', { payoutId: paidOut, reason: 'wrong_payee' })
  assert.equal(body.error?.reason ?? JSON.stringify(body), 'state_conflict')
})

test('payments and refunds go on, and the next month is archived', async () => {
  await trade()
  assert.equal(
    (
      await merchant.call('POST', '/v1/refunds', {
        paymentId: paid.second,
        amount: price(100),
        reason: 'other',
      })
    ).status,
    200,
  )
  await trade()
  await t.verify()
  await archive(months[1])
  await t.verify()
  assert.equal(await statusOf(`/v1/payments/${paid.second}`), 404)
  assert.equal(await statusOf(`/v1/payments/${paid.third}`), 200)
})

const inArchived = 'what was archived of the books'
const left = 'the seals and audit entries that links have left'
const unchanged = 'every ledger line is unchanged since it was chained'
const inLink = 'every link matches the lines, audit entries and seals'

/** Changes by a superuser, and the check that finds them. */
const tamperings: [change: string, found: string][] = [
  [set('carried_balances', 'balance = balance + 1'), 'every carried balance matches'],
  [set('carried_balances', 'seq = seq - 1', 'seq > 1'), 'every carried balance matches'],
  [
    `update carried_balances set balance = balance + 1;
     update carried_balances carried set digest = carried_digest(carried)`,
    inArchived,
  ],
  [
    `update carried_balances set balance = balance + 1;
     update carried_balances carried set digest = carried_digest(carried);
     update archived_books set digest = archived_books_digest(space_id, environment, until_id)`,
    inArchived,
  ],
  [remove('carried_balances'), inArchived],
  [set('archived_links', 'kept = null', 'kept is not null'), inArchived],
  [set('archived_links', 'archived = null', 'archived is not null'), inArchived],
  ['delete from archived_links', inLink],
  ['delete from archived_books', 'every carried balance matches'],
  ['delete from archived_months', inArchived],
  [set('book_seals', `terms = '\\x00'`, `object_type = 'payout' and object_id < archived_until()`), left],
  [`delete from book_seals where object_type = 'payout' and object_id < archived_until()`, left],
  [`delete from audit_entries where action = 'space.archive'`, inArchived],
  [set('ledger_lines', 'balance_after = balance_after + 1', 'id >= archived_until()'), 'running balances'],
  [
    set('payments', 'amount = amount + 1', `id >= archived_until() and status = 'completed'`),
    'every payment matches',
  ],
  [
    `insert into ledger_lines select (jsonb_populate_record(line, jsonb_build_object(
       'id', '00000000-0000-7000-8000-000000000000', 'seq', account.next_seq, 'balance_after', line.balance_after + line.amount))).*
     from ledger_lines line join ledger_accounts account on account.id = line.account_id
     where line.seq = account.next_seq - 1 and purpose = 'main'`,
    'every line of an archived month is one that was kept',
  ],
  // A month that was deleted, not archived.
  ['delete from ledger_lines where id >= archived_until()', unchanged],
  [
    `insert into archived_months (until_id, month, archived_at, archived_by, tables)
     select month_start('2100-01-01'), '2099-12', now(), 'thief', '{}';
     delete from ledger_lines`,
    unchanged,
  ],
]

for (const [change, found] of tamperings)
  test(`verification finds: ${change.replaceAll(/\s+/g, ' ').slice(0, 90)}`, async () => {
    const names = await foundAfter(change, failedChecks)
    assert.ok(
      names.some((name) => name.startsWith(found)),
      JSON.stringify(names),
    )
  })

/** Columns whose changes the guide excludes. */
const unproved = /^(archived_at|archived_by|tables|dropped_at|dropped_by)$/
const otherValue: Record<string, string> = {
  text: "% || 'x'",
  bigint: '% + 1',
  uuid: 'gen_random_uuid()',
  bytea: "coalesce(%, '') || 'x'",
  environment: "case %::text when 'test' then 'live' else 'test' end::environment",
}

for (const table of ['archived_months', 'archived_books', 'archived_links', 'carried_balances'])
  test(`every change to a row of ${table} is found`, async () => {
    const columns = await db.query<{ name: string; type: string }>(sql`
      select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0`)
    const passed = []
    for (const { name, type } of columns.filter((column) => !unproved.test(column.name))) {
      const found = await foundAfter(
        set(table, `${name} = ${otherValue[type]?.replaceAll('%', name)}`),
        failedChecks,
      ).catch((error) => String(error).match(/violates/))
      if (!found || found.length === 0) passed.push(name)
    }
    assert.deepEqual(passed, [])
  })

test('archived months are proved, and changes of their rows are found', async () => {
  const archived = await selectArchivedMonths(db)
  assert.deepEqual(
    archived.map(({ month }) => month),
    months.slice(0, 2),
  )
  for (const month of archived) {
    const prove = (change: string) =>
      foundAfter(change, async (tx) => (await selectArchiveProof(tx, month)).differences)
    const of = (table: string) => `archive.${table}_${month.month.replace('-', '_')}`
    assert.deepEqual(await prove('select 1'), [])
    for (const change of [
      set(of('ledger_lines'), 'amount = amount + 1'),
      set(of('payments'), 'amount = amount + 1', `status = 'completed'`),
      set(of('book_seals'), `outcome = '\\x00'`, `object_type = 'payment'`),
      remove(of('ledger_lines')),
      remove(of('orders')),
    ])
      assert.notDeepEqual(await prove(change), [], change)
  }
})

test('an archived month is exported, dropped, and restored with the same contents', async (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-archive-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const [month] = await selectArchivedMonths(db)
  assert.ok(month)
  await assert.rejects(exportMonth(db, month, path.join(folder, 'none')), ArchiveError)
  const { folder: exported, rows } = await exportMonth(db, month, folder)
  assert.ok(rows > 0)
  assert.equal(statSync(exported).mode & 0o077, 0, 'others can read the folder')
  await assert.rejects(exportMonth(db, month, folder), ArchiveError)
  await assert.rejects(restoreMonth(db, exported), ArchiveError)
  assert.deepEqual(await dropMonth(db, month, exported, decider), { month: month.month, rows })
  await t.verify()
  await assert.rejects(dropMonth(db, month, exported, decider), ArchiveError)
  await assert.rejects(refuseDropped(db, month), ArchiveError)
  await restoreMonth(db, exported)
  await refuseDropped(db, month)
  assert.deepEqual((await db.transaction((tx) => selectArchiveProof(tx, month))).differences, [])
  await assert.rejects(restoreMonth(db, exported), ArchiveError)
  const [file] = readdirSync(exported).filter((name) => name.startsWith('ledger_lines'))
  writeFileSync(path.join(exported, `${file}`), 'altered')
  await assert.rejects(dropMonth(db, month, exported, decider), ArchiveError)
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type pg from 'pg'
import { openApp } from '../../packages/server/src/app.ts'
import { progressBar } from '../../packages/server/src/cli/operator/progress-bar.ts'
import { publish } from '../../packages/server/src/events/events.ts'
import { proofJobs, recordProof } from '../../packages/server/src/finance/books/proofs.ts'
import {
  type FindChecks,
  type Progress,
  type Proof,
  verifyBooks,
} from '../../packages/server/src/finance/books/verify.ts'
import { mainAccount } from '../../packages/server/src/ledger/accounts/accounts.ts'
import { openAccount } from '../../packages/server/src/ledger/accounts/new-account.ts'
import { post } from '../../packages/server/src/ledger/accounts/postings.ts'
import { newReference } from '../../packages/server/src/ledger/accounts/reference.ts'
import { type Database, openDatabase, type Tx } from '../../packages/server/src/platform/db/database.ts'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { newId, readId } from '../../packages/server/src/platform/ids.ts'
import { createLog, type Log } from '../../packages/server/src/platform/log.ts'
import type { Scope } from '../../packages/server/src/platform/scope.ts'
import { createSeals } from '../../packages/server/src/platform/seals.ts'
import { calendar, findChecks, jobsOf, type Parts, readSettings } from '../../packages/server/src/slices.ts'
import { spaceIds } from '../../packages/server/src/tenants/spaces/resources.ts'
import { openCommandLine } from '../support/command-line.ts'
import { until } from '../support/harness.ts'
import { addJob } from '../support/jobs.ts'
import {
  ask,
  assertOneLine,
  makeDatabase,
  makeFolder,
  makeShop,
  pay,
  payOut,
  programSecret,
  startProgram,
} from '../support/program.ts'

const { runCommand } = openCommandLine()

/** Damage by an attacker, a bug or a broken disk, by the first words that the check reports when it finds it. */
const tamperings: Record<string, string> = {
  'the lines of every reference sum to zero': `update ledger_lines set amount = amount + 1 where id = (select id from ledger_lines where amount > 0 limit 1)`,
  'every line id has the timestamp': `update internal_transfers set ledger_reference = '20200101-000000000-aaaaaa'
     where status = 'completed';
     update ledger_lines set reference = '20200101-000000000-aaaaaa' where owners -> 0 ->> 'type' = 'internal_transfer'`,
  'running balances are continuous': `update ledger_lines set balance_after = balance_after + 1
     where id = (select id from ledger_lines where is_financial order by seq limit 1)`,
  'every balance equals the sum': `update ledger_accounts set posted = posted + 1 where purpose = 'main'`,
  'every case moved its money into': `insert into ledger_cases (space_id, environment, id, kind, object_type, object_id, direction, amount, currency, reference, opened_at)
     select space_id, environment, 'ffffffff-ffff-7fff-bfff-ffffffffffff', 'success_after_failure', 'payment', id, 'collection', amount, currency, 'none', now()
     from payments where status = 'failed'`,
  'every completed internal transfer has one posting': `update internal_transfers set amount = amount + 1 where status = 'completed'`,
  'no posting belongs to a payment that is not completed': `update payments set status = 'failed', failure_code = 'unknown', ledger_reference = null where status = 'completed'`,
  'collection clearing at each provider equals': `update payments set provider_id = 'm18' where status = 'completed'`,
  'every payout in progress holds': `update ledger_holds set released = 0 where captured = 0 and owner ->> 'type' = 'payout'`,
}

/** A time before the first posting. */
const beginning = new Date()
let scope: Scope
let clean: string

before(async () => {
  const database = await makeDatabase()
  const given = { DATABASE_URL: database.url, DATA_DIR: makeFolder(), RATE_LIMITS: 'off' }
  const program = await startProgram(['serve', '--work'], given)
  const shop = await makeShop(given, program.baseUrl)
  assert.equal((await pay(program, shop, 30_000)).status, 'completed')
  assert.equal((await pay(program, shop, 20_000, '076 123 001')).status, 'failed')
  assert.equal((await payOut(program, shop, '+23276123456')).status, 'completed')
  assert.equal((await payOut(program, shop, '+23276123001')).status, 'failed')
  await program.stop()
  scope = { spaceId: readId(spaceIds, shop.spaceId)!, environment: 'test' }
  await withBooks(database.connection, moveAndHold)
  clean = database.connection.database!
})

describe('pesewa verify', () => {
  test('finds nothing in intact books, and checks all of them', async () => {
    const { code, stdout } = await runCommand(['verify', '--json'], { DATABASE_URL: (await copy()).url })
    const { ok, checks, seconds, since } = JSON.parse(stdout)
    assert.deepEqual([code, ok, typeof seconds, since], [0, true, 'number', undefined])
    assert.deepEqual(examinedOf({ checks }), [8, 8, 6, 0, 2, 2, 2, 1])
  })

  test('has the same result with small chunks', async () => {
    const { connection } = await copy()
    await withBooks(connection, async (db) => {
      const { checks } = await verifyBooks(db, findChecks)
      for (const chunkSize of [1, 2, 3, 6])
        assert.deepEqual(
          (await verifyBooks(db, findChecks, { chunkSize })).checks,
          checks,
          `chunks of ${chunkSize}`,
        )
    })
  })

  test('the append-only trigger prevents tampering until it is removed', async () => {
    const { connection } = await copy()
    await assert.rejects(ask(connection, `update ledger_lines set amount = 1`), /append only/)
    await assert.rejects(ask(connection, `delete from ledger_lines`), /append only/)
  })

  for (const [start, statement] of Object.entries(tamperings))
    test(`detects violations of "${start} …", including in new rows`, async () => {
      const { connection } = await copy()
      await tamper(connection, statement)
      await withBooks(connection, async (db) => {
        for (const options of [
          {},
          { chunkSize: 3 },
          { since: beginning },
          { since: beginning, chunkSize: 3 },
        ]) {
          const { ok, checks } = await verifyBooks(db, only(start), options)
          assert.equal(ok, false)
          const [difference, ...more] = differencesOf(checks, start)
          assert.ok((difference as { spaceId?: string })?.spaceId, 'a difference names its location')
          assert.equal(
            new Set([difference, ...more].map((each) => JSON.stringify(each))).size,
            more.length + 1,
          )
        }
      })
    })

  test('finds a wrong balance wherever a chunk begins', async () => {
    const { connection } = await copy()
    const lines = await ask(connection, `alter table ledger_lines disable trigger user; select 1`).then(() =>
      ask(connection, `select id from ledger_lines`),
    )
    await withBooks(connection, async (db) => {
      for (const { id } of lines) {
        await ask(connection, `update ledger_lines set balance_after = balance_after + 1 where id = '${id}'`)
        for (const chunkSize of [1, 2, 3, 4]) {
          const { checks } = await verifyBooks(db, only('running balances'), { chunkSize })
          assert.notDeepEqual(
            differencesOf(checks, 'running balances'),
            [],
            `${id} in chunks of ${chunkSize}`,
          )
        }
        await ask(connection, `update ledger_lines set balance_after = balance_after - 1 where id = '${id}'`)
      }
      assert.equal((await verifyBooks(db, findChecks)).ok, true)
    })
  })

  test('reports at most 20 differences per check', async () => {
    const { connection } = await copy()
    await tamper(
      connection,
      `insert into internal_transfers select space_id, environment, gen_random_uuid(), status, amount, currency,
         source_account_id, destination_account_id, description, execute_at, 'none ' || n, failure_code, metadata,
         created_at, updated_at from internal_transfers, generate_series(1, 50) n where status = 'completed'`,
    )
    await withBooks(connection, async (db) => {
      for (const chunkSize of [3, 1_000]) {
        const { checks } = await verifyBooks(db, only('every completed internal transfer'), { chunkSize })
        assert.equal(differencesOf(checks, 'every completed internal transfer').length, 20)
      }
    })
  })

  test('reports no false differences while money moves', async () => {
    const { connection } = await copy()
    await withBooks(connection, async (db) => {
      const moves: Promise<void>[] = []
      const onProgress = () => void moves.push(moveSomething(db, 1))
      for (const options of [{}, { since: beginning }]) {
        const { checks } = await verifyBooks(db, findChecks, { ...options, chunkSize: 3, onProgress })
        assert.deepEqual(
          checks.filter(({ differences }) => differences.length > 0),
          [],
        )
        await Promise.all(moves)
      }
      const { ok, checks } = await verifyBooks(db, findChecks)
      assert.deepEqual([ok, Number(checks[0]!.examined)], [true, 8 + 2 * moves.length])
    })
  })

  test('says in one sentence that all checks passed, and lists them if --verbose is given', async () => {
    const env = { DATABASE_URL: (await copy()).url, SECRET_KEY: programSecret }
    const { checks } = JSON.parse((await runCommand(['verify', '--json'], env)).stdout)
    const passed = String.raw`All ${checks.length} checks passed in \d+\.\d s`
    const elsewhere = await runCommand(['verify'], {
      ...env,
      SECRET_KEY: 'another secret of 32 characters or more',
    })
    assert.match(
      elsewhere.stdout,
      /^\d+ checks that decrypt numbers and names were skipped, .*\nAll \d+ checks passed/,
    )
    const brief = await runCommand(['verify'], env)
    assert.deepEqual([brief.code, brief.stderr], [0, ''])
    assert.match(brief.stdout, new RegExp(String.raw`^${passed}\.\n$`))
    const verbose = await runCommand(['verify', '--verbose'], env)
    assert.match(
      verbose.stdout,
      new RegExp(String.raw`^(ok {3}.* \(\d+\)\n){${checks.length}}${passed}\.\n$`),
    )
    const recent = await runCommand(['verify', '--since', '1d'], env)
    assert.match(recent.stdout, new RegExp(String.raw`^${passed}, for what was added since 2\S+Z\.\n$`))
  })

  test('exits with 1 and prints the differences, as text and as JSON', async () => {
    const { connection, url } = await copy()
    await ask(connection, tamperings['every balance equals the sum']!)
    const env = { DATABASE_URL: url, SECRET_KEY: programSecret }
    const inJson = await runCommand(['verify', '--json'], env)
    const { ok, checks } = JSON.parse(inJson.stdout)
    assert.deepEqual([inJson.code, inJson.stderr, ok], [1, '', false])
    assert.deepEqual(
      checks
        .filter(({ differences }: { differences: [] }) => differences.length > 0)
        .map(({ name }: { name: string }) => name),
      ['every balance equals the sum of its account’s lines'],
    )
    const { code, stdout, stderr } = await runCommand(['verify'], env)
    assert.deepEqual([code, stderr], [1, ''])
    assert.match(
      stdout,
      new RegExp(
        String.raw`^FAIL every balance equals the sum of its account’s lines \(\d+\)\n( {7}\{"spaceId":.*\n)+` +
          String.raw`1 of ${checks.length} checks failed in \d+\.\d s: the books do not balance\.\n$`,
      ),
    )
  })

  test('finds a removed line, a payment and a transfer booked twice, and lines without an owner', async () => {
    const removed = await copy()
    await tamper(removed.connection, `delete from ledger_lines where is_financial and amount > 0`)
    assert.equal((await runCommand(['verify'], { DATABASE_URL: removed.url })).code, 1)
    for (const again of [
      `select reference from ledger_lines where owners -> 0 ->> 'type' = 'payment'`,
      `select reference from ledger_lines where owners -> 0 ->> 'type' = 'internal_transfer'`,
    ]) {
      const { connection, url } = await copy()
      await withBooks(connection, async (db) => {
        const lines = await ask(connection, `select * from ledger_lines where reference = (${again} limit 1)`)
        const at = new Date()
        await db.transaction((tx) =>
          post(tx, scope, {
            reference: newReference(at),
            at,
            owners: lines[0].owners,
            movements: lines.map(({ account_id, amount }) => ({
              accountId: account_id,
              amount: BigInt(amount),
            })),
          }),
        )
      })
      assert.equal((await runCommand(['verify'], { DATABASE_URL: url })).code, 1)
      assert.equal((await runCommand(['verify', '--since', '1d'], { DATABASE_URL: url })).code, 1)
    }
  })
})

describe('pesewa verify --since', () => {
  test('verifies new rows and ignores older ones', async () => {
    const { connection, url } = await copy()
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const asked = (when: string) => runCommand(['verify', '--since', when, '--json'], { DATABASE_URL: url })
    const all = JSON.parse((await asked(inHours(-1))).stdout)
    assert.deepEqual(examinedOf(all), [8, 8, 7, 0, 2, 1, 2, 1])
    await tamper(connection, tamperings['running balances are continuous']!)
    for (const when of ['1h', inHours(-1)]) assert.equal((await asked(when)).code, 1, when)
    const { code, stdout } = await asked('0s')
    const { ok, since, checks } = JSON.parse(stdout)
    assert.deepEqual([code, ok, typeof since], [0, true, 'string'])
    assert.deepEqual(new Set(examinedOf({ checks })), new Set([0]))
  })

  test('finds postings of a Space whose clock is ahead', async () => {
    const { connection } = await copy()
    await withBooks(connection, async (db) => {
      await moveSomething(db, 100, new Date(Date.now() + 90 * 86_400_000))
      const { ok, checks } = await verifyBooks(db, findChecks, { since: new Date() })
      assert.deepEqual([ok, Number(checks[0]!.examined)], [true, 2])
    })
  })

  test('refuses in one line a value that is neither a time nor a duration', async () => {
    const { url } = await makeDatabase({ isEmpty: true })
    const bad = [
      '',
      'yesterday',
      '24',
      '24 h',
      '-1h',
      '2026-13-01',
      '2026-02-30',
      '2026-01-01T10:00',
      '99999999d',
    ]
    for (const when of bad) {
      const { code, stdout, stderr } = await runCommand(['verify', '--since', when], { DATABASE_URL: url })
      assert.deepEqual([code, stdout], [1, ''], when)
      assertOneLine(stderr, /must be a time such as 2026-11-21T02:00:00Z or a duration such as 24h/)
    }
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const { code, stderr } = await runCommand(['verify', '--since', later], { DATABASE_URL: url })
    assert.equal(code, 1)
    assertOneLine(stderr, /must not be in the future/)
  })
})

describe('the nightly verification', () => {
  test('is in the calendar, and every job of the calendar exists', async () => {
    const parts = { settings: readSettings({}) } as Parts
    const jobs = await jobsOf(parts, new AbortController().signal)
    assert.ok(Object.values(calendar).includes('books.verify'))
    for (const job of Object.values(calendar)) assert.ok(jobs[job], job)
  })

  test('records its result, which every node exposes as metrics', async () => {
    const { connection } = await copy()
    const settings = readSettings({
      ...{ METRICS_PORT: '0', DATA_DIR: makeFolder(), LOG_LEVEL: 'fatal', SECRET_KEY: programSecret },
    })
    const app = await openApp({ ...settings, port: 0 }, connection)
    const prove = async () => {
      const [last] = await ask(connection, `select coalesce(max(id), 0) as id from proofs`)
      await ask(connection, addJob('books.verify'))
      return until(async () => (await ask(connection, `select * from proofs where id > ${last.id}`))[0])
    }
    const shown = async () => {
      const text = await app.parts.metrics.registry.metrics()
      return Object.fromEntries(
        [...text.matchAll(/^pesewa_books_(\w+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
      )
    }
    try {
      await app.work()
      assert.deepEqual(await shown(), {}, 'no metrics exist before the first verification')
      const proof = await prove()
      assert.deepEqual([proof.is_ok, proof.lines, proof.differences], [true, '8', 0])
      assert.ok(proof.started_at <= proof.ended_at)
      const { verify_seconds, ...rest } = await shown()
      const verified_timestamp_seconds = proof.ended_at.getTime() / 1000
      assert.ok(Math.abs(rest.verified_timestamp_seconds! - verified_timestamp_seconds) < 0.001)
      assert.deepEqual(
        { ...rest, verified_timestamp_seconds: 0 },
        { ok: 1, differences: 0, verified_timestamp_seconds: 0 },
      )
      assert.ok(verify_seconds! >= 0)
      await tamper(connection, tamperings['every balance equals the sum']!)
      const found = await prove()
      assert.deepEqual([found.is_ok, found.differences], [false, 2])
      const { ok, differences } = await shown()
      assert.deepEqual([ok, differences], [0, 2])
    } finally {
      await app.close()
    }
  })

  test('logs differences, and nothing when the books balance', async () => {
    const { connection } = await copy()
    await withBooks(connection, async (db) => {
      const logged: { check: string; differences: object[] }[] = []
      const log: Log = {
        ...createLog('fatal'),
        error: (found: (typeof logged)[0]) => void logged.push(found),
      }
      const prove = proofJobs(
        { db, log, seals: createSeals('s'.repeat(32)), findChecks },
        new AbortController().signal,
      )['books.verify']!
      const payload = { spaceId: '', environment: 'test' } as const
      await prove(payload)
      assert.equal(logged.length, 0)
      await tamper(connection, tamperings['every balance equals the sum']!)
      await prove(payload)
      const [{ check, differences }] = logged as [(typeof logged)[0]]
      assert.deepEqual([logged.length, differences.length], [1, 2])
      assert.match(check, /^every balance equals/)
    })
  })

  test('ends when its node stops, and records nothing', async () => {
    const { connection } = await copy()
    await withBooks(connection, async (db) => {
      const stopping = AbortSignal.abort(new Error('stopping'))
      const prove = proofJobs(
        { db, seals: createSeals('s'.repeat(32)), log: createLog('fatal'), findChecks },
        stopping,
      )['books.verify']!
      await assert.rejects(prove({ spaceId: '', environment: 'test' }), /stopping/)
      assert.deepEqual(await ask(connection, `select * from proofs`), [])
    })
  })

  test('is recorded like a manual one; a partial one is not, and a standby records none', async () => {
    const { connection, url } = await copy()
    const count = async () => (await ask(connection, `select count(*)::int as count from proofs`))[0].count
    assert.equal((await runCommand(['verify'], { DATABASE_URL: url })).code, 0)
    assert.equal(await count(), 1)
    assert.equal((await runCommand(['verify', '--since', '1h'], { DATABASE_URL: url })).code, 0)
    assert.equal(await count(), 1)
    await ask(connection, `alter database ${connection.database} set default_transaction_read_only = on`)
    const { code, stderr } = await runCommand(['verify'], { DATABASE_URL: url })
    assert.deepEqual([code, stderr, await count()], [0, '', 1])
  })

  test('keeps the last 400 results', async () => {
    const { connection } = await copy()
    await ask(
      connection,
      `insert into proofs (started_at, ended_at, is_ok, lines, differences)
       select now(), now(), true, 0, 0 from generate_series(1, 410)`,
    )
    await withBooks(connection, async (db) => {
      const proof = await verifyBooks(db, findChecks)
      await db.transaction((tx) => recordProof(tx, proof))
    })
    assert.deepEqual(await ask(connection, `select count(*)::int, max(id)::int as last from proofs`), [
      { count: 400, last: 411 },
    ])
  })
})

describe('the progress bar', () => {
  const fresh = '\r\x1b[K'
  const drawn = (isTTY: boolean, ...steps: Progress[]) => {
    let text = ''
    const bar = progressBar({ isTTY, write: (more: string | Uint8Array) => Boolean((text += more)) })
    for (const step of steps) bar.show(step)
    bar.clear()
    return text
  }

  test('is drawn in place on a terminal, and removed at the end', () => {
    const text = drawn(true, { done: 25_000, total: 100_000 })
    assert.equal(text, `${fresh}[${'#'.repeat(8)}${'.'.repeat(22)}] 25 %  25,000 rows${fresh}`)
  })

  test('only counts if the total is unknown', () => {
    assert.equal(drawn(true, { done: 1_000, total: undefined }), `${fresh}1,000 rows${fresh}`)
  })

  test('is never full before the end, and prints nothing without a terminal', () => {
    assert.match(drawn(true, { done: 500, total: 100 }), / 99 % /)
    assert.equal(drawn(false, { done: 50, total: 100 }), '')
  })

  test('follows a full verification, which ends near its estimate', async () => {
    const { connection } = await copy()
    await ask(connection, 'analyze')
    const steps: Progress[] = []
    await withBooks(connection, (db) =>
      verifyBooks(db, findChecks, { chunkSize: 2, onProgress: (step) => steps.push(step) }),
    )
    const { done, total } = steps.at(-1)!
    assert.ok(steps.length > 10 && done > 0 && done <= total!)
  })
})

/** Adds what payments do not cover: a transfer, a failed transfer, and a partly captured hold. */
async function moveAndHold(db: Database): Promise<void> {
  const at = new Date()
  await db.transaction(async (tx) => {
    const savings = await openAccount(tx, scope, { name: 'Savings', currency: 'SLE' }, at)
    const main = await mainAccount(tx, scope, 'SLE', at)
    await tx.run(sql`
      insert into ledger_holds (space_id, environment, id, account_id, amount, captured, released, owner, created_at,
        updated_at)
      values (${scope.spaceId}, ${scope.environment}, ${newId(at)}, ${savings.id}, 50, 20, 10, '{}', ${at}, ${at})`)
    const failed = await insertTransfer(tx, { from: main, to: savings.id, amount: 100, at }, 'failed', null)
    await publish(tx, scope, { types: ['internal_transfer.failed'], objectId: failed, data: {}, at })
  })
  await moveSomething(db)
  await db.transaction((tx) => tx.run(sql`update ledger_accounts set held = 20 where posted = 100`))
}

/** Makes a completed transfer from the main account to a savings account. */
const moveSomething = (db: Database, amount = 100, at = new Date()) =>
  db.transaction(async (tx) => {
    const from = await mainAccount(tx, scope, 'SLE', at)
    const to = (await tx.one<{ id: string }>(sql`select id from financial_accounts where name = 'Savings'`))!
      .id
    const reference = newReference(at)
    const id = await insertTransfer(tx, { from, to, amount, at }, 'completed', reference)
    const movements = [
      { accountId: from, amount: BigInt(-amount) },
      { accountId: to, amount: BigInt(amount) },
    ]
    await post(tx, scope, { reference, at, owners: [{ id, type: 'internal_transfer' }], movements })
  })

async function insertTransfer(
  tx: Tx,
  { from, to, amount, at }: { from: string; to: string; amount: number; at: Date },
  status: 'completed' | 'failed',
  reference: string | null,
): Promise<string> {
  const id = newId(at)
  await tx.run(sql`
    insert into internal_transfers (space_id, environment, id, status, amount, currency, source_account_id,
      destination_account_id, ledger_reference, failure_code, metadata, created_at, updated_at)
    values (${scope.spaceId}, ${scope.environment}, ${id}, ${status}, ${amount}, 'SLE', ${from}, ${to}, ${reference},
      ${status === 'failed' ? 'fund_insufficient' : null}, '{}', ${at}, ${at})`)
  return id
}

async function withBooks<T>(connection: pg.ClientConfig, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(connection, { maxConnections: 4, onIdleError: () => {} })
  return work(db).finally(() => db.close())
}

/**
 * Counts the rows that some checks examined: lines, postings, accounts, cases, transfers, payments, payouts and
 * rail payouts.
 */
const examinedOf = ({ checks }: Pick<Proof, 'checks'>) =>
  [
    'the lines of every reference sum',
    'running balances',
    'every balance equals',
    'every case moved its money',
    'every completed internal transfer',
    'every completed payment has one',
    'every completed payout',
    'disbursement clearing',
  ].map((start) => Number(checks.find(({ name }) => name.startsWith(start))!.examined))

const differencesOf = (checks: Proof['checks'], start: string) =>
  checks.find(({ name }) => name.startsWith(start))!.differences

/** Runs only the relevant checks; another test covers all of them together. */
const only =
  (start: string): FindChecks =>
  async (seals) =>
    (await findChecks(seals)).filter(({ name }) => name.startsWith(start))

const copy = () => makeDatabase({ like: clean })

const tamper = (connection: pg.ClientConfig, statement: string) =>
  ask(connection, `alter table ledger_lines disable trigger user; ${statement}`)

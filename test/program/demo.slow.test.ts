import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import {
  ask,
  call,
  makeDatabase,
  makeFolder,
  type Program,
  readDemo,
  runProgram,
  spawnProgram,
  startProgram,
  waitUntil,
} from '../support/program.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of ad-hoc queries and JSON from the wire
type Rows = any[]

describe('the month of the demo shop', () => {
  const dataDir = path.join(makeFolder(), 'data')
  let database: Awaited<ReturnType<typeof makeDatabase>>
  let program: Program
  const settings = () => ({
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
  })
  before(async () => {
    database = await makeDatabase()
    program = await startProgram(['start'], settings())
  })
  after(() => program.stop())

  const query = (text: string, ...values: unknown[]): Promise<Rows> => ask(database.connection, text, values)
  const get = async (url: string) => (await call(readDemo(dataDir), 'GET', url)).body.result

  test('has about 400 payments over six providers and thirty days, in all ways to pay', async () => {
    const [found] = await query(`
      select count(*)::int as payments, count(distinct provider_id)::int as providers,
        count(distinct created_at::date)::int as days,
        count(*) filter (where status = 'completed')::int as completed,
        count(distinct failure_code)::int as causes,
        count(*) filter (where origin_type = 'payment_code')::int as dialled
      from payments`)
    assert.ok(found.payments >= 350 && found.payments <= 500, `${found.payments} payments`)
    assert.equal(found.providers, 6)
    assert.ok(found.days >= 30)
    assert.ok(found.completed > 0.8 * found.payments && found.completed < 0.97 * found.payments)
    assert.ok(found.causes >= 2)
    assert.ok(found.dialled > 40)
    for (const link of await get('/v1/payment-links')) assert.ok(link.paymentCount > 5, link.name)
  })

  test('has refunds, paid batches, and a payout that only a second person can approve', async () => {
    const refunds: Rows = await get('/v1/refunds')
    assert.ok(refunds.length >= 5 && refunds.every(({ status }) => status === 'completed'))
    const batches: Rows = await get('/v1/payout-batches')
    assert.ok(batches.length >= 4 && batches.every(({ status }) => status === 'completed'))
    const [payout]: Rows = await get('/v1/payouts?limit=1')
    assert.deepEqual([payout.status, payout.approval.status], ['pending', 'required'])
    const users = await query('select email, id from users order by email')
    assert.deepEqual(
      users.map(({ email }) => email),
      ['demo@pesewa.example', 'finance@pesewa.example', 'support@pesewa.example'],
    )
    const [waiting] = await query(`select created_by from payouts where approval = 'required'`)
    assert.equal(waiting.created_by, users[1].id)
  })

  test('has an open case, and a webhook that fails for a reason that its deliveries show', async () => {
    assert.equal((await query('select 1 from ledger_cases where closed_at is null')).length, 1)
    await waitUntil(program, async () => (await get('/v1/webhooks'))[0].failingSinceTime !== null)
    const [{ id, url }]: Rows = await get('/v1/webhooks')
    const deliveries: Rows = await get(`/v1/webhooks/${id}/deliveries`)
    const attempted = deliveries.filter(({ attempts }) => attempts.length > 0)
    assert.ok(attempted.length > 0 && attempted.every(({ attempts }) => attempts[0].statusCode === 404))
    assert.match(url, /\/demo\/stok$/)
  })

  test('has statements for three weeks, of which the first two are closed, and one line is missing on a statement', async () => {
    const days = await query(`
      select provider_id, count(*)::int as days, sum(stated_in - booked_in)::int as differs
      from closed_days group by 1 order by 1`)
    const providers = ['card', 'dw001', 'm17', 'm18', 'slb001', 'slb004']
    assert.deepEqual(
      days,
      providers.map((provider_id) => ({ provider_id, days: 14, differs: 0 })),
    )
    assert.equal((await query('select 1 from statement_lines where space_id is null')).length, 0)
    const months: string[] = (
      await query('select distinct to_char(booked_at, $1) as month from open_clearing_lines', 'YYYY-MM')
    ).map(({ month }) => month)
    const ends = await Promise.all(months.map((month) => get(`/v1/month-end?month=${month}`)))
    const differences = ends.flatMap((end) => end.differences)
    assert.deepEqual(
      differences.map(({ count }: { count: number }) => count),
      [1],
    )
  })

  test('has a settlement that no statement shows yet', async () => {
    const [{ valueDate }]: Rows = await get('/v1/settlements')
    const { settlements } = await get(`/v1/month-end?month=${valueDate.slice(0, 'yyyy-mm'.length)}`)
    const [{ provider, booked, stated }] = settlements
    assert.deepEqual([provider, booked.count, stated.count], ['m17', 1, 0])
  })

  test('was booked in order of time on every account', async () => {
    const disordered = await query(`
      select 1 from ledger_lines line join ledger_lines before
        on before.account_id = line.account_id and before.seq = line.seq - 1
      where before.at > line.at`)
    assert.deepEqual(disordered, [])
  })

  test('can be refunded at every provider', async () => {
    for (const provider of ['m17', 'm18', 'dw001', 'slb001', 'slb004', 'card']) {
      const [{ id }] = await query(
        `select id from payments where provider_id = $1 and status = 'completed' and refund_count = 0
         order by created_at limit 1`,
        provider,
      )
      const { showId } = await import('../../packages/server/src/platform/ids.ts')
      const { paymentIds } = await import('../../packages/server/src/money/payments/resources.ts')
      // Small enough to need nobody's approval.
      const amount = { currency: 'SLE', value: 500 }
      const body = { paymentId: showId(paymentIds, id), amount, reason: 'requested_by_customer' }
      const { status, body: refunded } = await call(readDemo(dataDir), 'POST', '/v1/refunds', body)
      assert.equal(status, 200, JSON.stringify(refunded))
      const { result } = refunded
      await waitUntil(program, async () => (await get(`/v1/refunds/${result.id}`))?.status === 'completed')
    }
  })

  test('passes every check of verify', async () => {
    const { code, stdout, stderr } = await runProgram(['verify'], settings())
    assert.equal(code, 0, stdout + stderr)
  })

  test('is not written a second time by a restart', async () => {
    const count = 'select (select count(*) from spaces)::int as spaces, count(*)::int as orders from orders'
    const counted = await query(count)
    await program.stop()
    program = await startProgram(['start'], settings())
    assert.deepEqual(await query(count), counted)
  })
})

test('a start that is killed while it writes the month leaves none of it, and the next one writes all of it', async () => {
  const { connection, url } = await makeDatabase()
  const settings = { DATABASE_URL: url, DATA_DIR: path.join(makeFolder(), 'data') }
  const holder = new pg.Client(connection)
  await holder.connect()
  // The signed days are written last, so everything else has been written by then.
  await holder.query('begin; lock table closed_days in exclusive mode')
  const killed = spawnProgram(['start'], settings)
  const waiting = `
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and application_name = 'pesewa'`
  await waitUntil(killed, async () => (await ask(connection, waiting)).length > 0)
  await killed.stop('SIGKILL')
  await holder.query('rollback')
  await holder.end()
  assert.deepEqual(await ask(connection, 'select id from ledger_accounts'), [])
  assert.deepEqual(await ask(connection, 'select id from payments'), [])

  const program = await startProgram(['start'], settings)
  const [{ count }] = await ask(connection, 'select count(*)::int from payments')
  assert.ok(count > 350)
  assert.equal((await ask(connection, 'select id from spaces')).length, 1)
  const demo = readDemo(settings.DATA_DIR)
  assert.equal((await call(demo, 'GET', `/v1/financial-accounts/${demo.financialAccountId}`)).status, 200)
  const { code, stdout, stderr } = await runProgram(['verify'], settings)
  assert.equal(code, 0, stdout + stderr)
  await program.stop()
})

test('only start offers sign-ins: serve does not, even on the database of a demo', async () => {
  const { url } = await makeDatabase()
  const shared = { DATABASE_URL: url, SECRET_KEY: 'the same secret on both nodes of this test' }
  const enter = (program: Program) =>
    fetch(`${program.baseUrl}/demo/sign-in/owner`, {
      method: 'POST',
      headers: { origin: program.baseUrl },
      redirect: 'manual',
    })
  const start = await startProgram(['start'], { ...shared, DATA_DIR: makeFolder() })
  const entered = await enter(start)
  assert.equal(entered.status, 303)
  assert.ok(entered.headers.get('location')?.startsWith(`${start.baseUrl}/console/sign-in#link=`))
  await start.stop()
  const serve = await startProgram(['serve'], { ...shared, DATA_DIR: makeFolder() })
  assert.equal((await enter(serve)).status, 404)
  const page = await fetch(serve.baseUrl, { headers: { accept: 'text/html' } })
  assert.doesNotMatch(await page.text(), /\/demo\//)
  await serve.stop()
})

import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { advanceTestClock } from '../../packages/server/src/platform/clock.ts'
import { type Database, openDatabase } from '../../packages/server/src/platform/db/database.ts'
import { readId } from '../../packages/server/src/platform/ids.ts'
import { spaceIds } from '../../packages/server/src/tenants/spaces/resources.ts'
import { freePort } from '../support/free-port.ts'
import { queuedJobs } from '../support/jobs.ts'
import { createPayer } from '../support/payer.ts'
import {
  ask,
  assertOneLine,
  call,
  type Environment,
  makeDatabase,
  makeFolder,
  makeShop,
  order,
  type Program,
  runProgram,
  type Shop,
  startProgram,
  waitUntil,
} from '../support/program.ts'
import { draw, rounds } from './rounds.ts'
import { startSurvivor } from './stand.ts'

let connection: Awaited<ReturnType<typeof makeDatabase>>['connection']
let given: Environment
let shop: Shop
let program: Program
let db: Database

before(async () => {
  const database = await makeDatabase()
  connection = database.connection
  db = openDatabase(connection, { maxConnections: 2, onIdleError: () => {} })
  given = {
    DATABASE_URL: database.url,
    DATA_DIR: makeFolder(),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    PORT: String(await freePort()),
  }
  program = await start()
  await startSurvivor(given, program)
  shop = await makeShop(given, program.baseUrl)
})
after(() => db.close())

const start = (more: Environment = {}) => startProgram(['serve', '--work'], { ...given, ...more })
const kill = () => program.stop('SIGKILL')

/** Uses the payer's simulated handset. */
async function onHandset(what: 'mode' | 'answer', body: object): Promise<void> {
  const answer = await fetch(`${program.baseUrl}/simulator/handsets/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ number: '+23276123456', ...body }),
  })
  assert.ok(answer.ok, await answer.text())
}

const rows = (text: string, values: unknown[] = []) => ask(connection, text, values)

describe('a program killed with kill -9', () => {
  test('between the prompt and the callback completes the payment once after the restart', async (t) => {
    const session = await createSession(15_000)
    // The payer takes a while to respond to the prompt, and the callback is sent only afterwards.
    await onHandset('mode', { mode: 'ask' })
    await createPayer(session.redirectUrl).pay('m17', '076 123 456')
    await waitUntil(program, async () => (await rows(`select from simulator_collections`)).length === 1)
    await kill()
    assert.deepEqual(await rows(`select status from payments`), [{ status: 'processing' }])
    program = await start()
    const [prompt] = await rows(`select reference from simulator_collections`)
    await onHandset('answer', { reference: prompt!.reference, answer: 'approve' })
    await onHandset('mode', { mode: 'approve' })
    await completesOnce(t, session)
  })

  test('while the rail’s response to the prompt is on its way lets the next node find the outcome', async (t) => {
    await kill()
    const rail = await holdAnswers(given.PORT!)
    program = await start({ SIMULATOR_URL: rail.url })
    const session = await createSession(16_000)
    await createPayer(session.redirectUrl).pay('m17', '076 123 456')
    await rail.reached
    await kill()
    rail.close()
    program = await start()
    await completesOnce(t, session)
  })

  test('during requests with idempotency keys carries out each request at most once, and completely or not at all', async () => {
    const keys = Array.from({ length: 40 }, () => randomUUID())
    const before = await countSessions()
    const answers = new Map<string, string>()
    const firstAnswer = Promise.withResolvers<void>()
    const sent = Promise.allSettled(
      keys.map(async (key) => {
        const { status, body } = await postSession(1_000, key)
        assert.equal(status, 200)
        answers.set(key, body.result.id)
        firstAnswer.resolve()
      }),
    )
    await firstAnswer.promise
    await kill()
    await sent
    assert.ok(answers.size > 0)
    program = await start()
    const retried = await Promise.all(keys.map((key) => postSession(1_000, key)))
    assert.ok(retried.every(({ status }) => status === 200))
    retried.forEach(({ body, headers }, i) => {
      const known = answers.get(keys[i]!)
      if (!known) return
      assert.equal(body.result.id, known)
      assert.equal(headers.get('service-idempotent-replay'), 'true')
    })
    assert.equal(new Set(retried.map(({ body }) => body.result.id)).size, keys.length)
    assert.equal((await countSessions()) - before, keys.length)
  })

  test('at random moments, repeatedly, completes every payment once, and the books match the rail’s', async (t) => {
    const phones = ['076 123 456', '076 123 005', '076 123 007', '076 123 006', '076 123 789']
    for (let round = 0; round < rounds; round += roundsAtOnce) {
      const wanted: Wanted[] = []
      for (let i = round; i < Math.min(round + roundsAtOnce, rounds); i++) {
        const orders = phones.map((phone) => ({ key: randomUUID(), value: randomInt(1_000, 99_999), phone }))
        wanted.push(...orders)
        const dead = killAfter(draw(20, 600))
        await Promise.allSettled(orders.map(payOnce))
        await dead
        program = await start()
      }
      const sessions = await Promise.all(
        wanted.map(async ({ key, value }) => (await postSession(value, key)).body.result),
      )
      const begun = Date.now()
      await settle(wanted, sessions)
      t.diagnostic(`${wanted.length} payments had all ended ${Date.now() - begun} ms after the last restart`)
      for (const session of sessions) await paidOnce(session)
    }
  })
})

describe('after all that', () => {
  test('the simulated rail’s payments match the books, and every check passes', async () => {
    const [moved] = await rows(
      `select count(*)::int, coalesce(sum(amount_minor), 0)::text as total from simulator_collections where moved_at is not null`,
    )
    const [booked] = await rows(
      `select count(*)::int, sum(amount)::text as total from payments where status = 'completed'`,
    )
    assert.deepEqual(moved, booked)
    const [accounts] = await rows(
      `select sum(posted) filter (where kind = 'clearing')::text as clearing,
         sum(posted) filter (where kind <> 'clearing')::text as others from ledger_accounts`,
    )
    assert.deepEqual(accounts, { clearing: `-${moved.total}`, others: moved.total })
    assert.deepEqual(await rows(`select * from ledger_cases`), [])
    const { code, stdout } = await runProgram(['verify'], given)
    assert.equal(code, 0, stdout)
  })

  test('every event was published once, and no jobs are left', async () => {
    assert.deepEqual(
      await rows(`select type, object_id, count(*) from event_facts, unnest(types) as type
        where type in ('payment.completed', 'checkout_session.completed', 'checkout_session.created')
        group by 1, 2 having count(*) > 1`),
      [],
    )
    await waitUntil(program, async () => (await rows(`select from ${queuedJobs}`)).length === 0)
    const { code, stderr } = await program.stop()
    assert.equal(code, 0)
    assertOneLine(stderr, /"msg":"ready"/)
  })
})

/** The number of rounds after which their payments are awaited together. */
const roundsAtOnce = 6

type Wanted = { key: string; value: number; phone: string }
type Session = { id: string; redirectUrl: string; orderNumber: string }

const postSession = (value: number, key: string) =>
  call(shop, 'POST', '/v1/checkout-sessions', order(value), { 'idempotency-key': key })

const createSession = async (value: number): Promise<Session> =>
  (await postSession(value, randomUUID())).body.result

const countSessions = async () => (await rows(`select count(*)::int from checkout_sessions`))[0].count

async function killAfter(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
  await kill()
}

async function payOnce({ key, value, phone }: Wanted): Promise<void> {
  const session = (await postSession(value, key)).body.result
  await createPayer(session.redirectUrl).pay('m17', phone)
}

/** Reloads every payer's page, and pays again if the page still offers to, until everything is paid. */
async function settle(wanted: { phone: string }[], sessions: Session[]): Promise<void> {
  const spaceId = readId(spaceIds, shop.spaceId)!
  let calmSince = Date.now()
  let leftBefore = sessions.length
  await waitUntil(
    program,
    async () => {
      const results = await Promise.all(
        sessions.map(async ({ redirectUrl }, i) => {
          const payer = createPayer(redirectUrl)
          // The order matters: a page loaded before its attempt failed would have no form, although the payment
          // is unpaid.
          const isWaiting = (await payer.status()) === 'waiting'
          const asksToPay = (await payer.look()).text.includes('name="formToken"')
          if (asksToPay) await payer.pay('m17', wanted[i]!.phone)
          return !isWaiting && !asksToPay
        }),
      )
      const left = results.filter((isDone) => !isDone).length
      if (left !== leftBefore) [leftBefore, calmSince] = [left, Date.now()]
      // A prompt that never reached the rail is resolved as failed only after a minute by the Space's clock,
      // and when no request can still be on its way.
      if (left > 0 && Date.now() - calmSince > 2_000) {
        await db.transaction((tx) => advanceTestClock(tx, spaceId, 60_000))
        calmSince = Date.now()
      }
      return left === 0
    },
    90_000,
  )
}

async function completesOnce(t: { diagnostic(text: string): void }, session: Session): Promise<void> {
  const begun = Date.now()
  await waitUntil(program, async () => (await createPayer(session.redirectUrl).status()) === 'done')
  t.diagnostic(`the payment had ended ${Date.now() - begun} ms later`)
  await paidOnce(session)
}

async function paidOnce(session: Session): Promise<void> {
  await waitUntil(program, async () => {
    const { body } = await call(shop, 'GET', `/v1/checkout-sessions/${session.id}`)
    return body.result.status === 'completed'
  })
  const { result } = (await call(shop, 'GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body
  const completed = result.filter(({ status }: { status: string }) => status === 'completed')
  assert.equal(completed.length, 1)
  assert.ok(result.every(({ status }: { status: string }) => status === 'completed' || status === 'failed'))
  const lines = (
    await call(
      shop,
      'GET',
      `/v1/financial-transactions?reference=${completed[0].financialTransactionReference}`,
    )
  ).body.result
  const gross = lines.filter(({ originatingFee }: { originatingFee: unknown }) => originatingFee === null)
  assert.deepEqual(
    gross.map(({ amount }: { amount: object }) => amount),
    [completed[0].amount],
  )
}

/** Starts a proxy to the simulator that forwards everything, but withholds the response to the first prompt. */
async function holdAnswers(port: string) {
  const reached = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const {
      host: _,
      connection: __,
      'content-length': ___,
      ...headers
    } = request.headers as Record<string, string>
    const body = request.method === 'POST' ? { body: Buffer.concat(chunks) } : {}
    const answer = await fetch(`http://127.0.0.1:${port}/simulator${request.url}`, {
      method: request.method!,
      headers,
      ...body,
    })
    if (request.url!.endsWith('/requesttopay')) return reached.resolve()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    reached: reached.promise,
    close,
  }
}

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventIds } from '../../packages/server/src/events/resources.ts'
import { showId } from '../../packages/server/src/platform/ids.ts'
import { freePort } from '../support/free-port.ts'
import { type Hook, startHook } from '../support/hook.ts'
import { createPayer } from '../support/payer.ts'
import {
  ask,
  call,
  type Environment,
  makeDatabase,
  makeFolder,
  makeShop,
  order,
  type Program,
  pay,
  type Shop,
  startProgram,
  waitUntil,
} from '../support/program.ts'
import { draw, rounds } from './rounds.ts'
import { startSurvivor } from './stand.ts'

let given: Environment
let shop: Shop
let program: Program
let rows: (text: string, values?: unknown[]) => ReturnType<typeof ask>
const hooks: Hook[] = []

before(async () => {
  const database = await makeDatabase()
  rows = (text, values = []) => ask(database.connection, text, values)
  given = {
    DATABASE_URL: database.url,
    DATA_DIR: makeFolder(),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
    PORT: String(await freePort()),
  }
  program = await start()
  await startSurvivor(given, program)
  shop = await makeShop(given, program.baseUrl)
})
after(() => Promise.all(hooks.map((hook) => hook.close())))

const start = () => startProgram(['serve', '--work'], given)
const atOnce = 12

/** Creates one session after another, with a payer for some of them, until the crash. */
async function work(nth: number): Promise<void> {
  for (let i = nth; ; i++) {
    const { body } = await call(shop, 'POST', '/v1/checkout-sessions', order(1_000))
    if (i % 3 === 0) await createPayer(body.result.redirectUrl).pay('m17', '076 123 456')
    if (i % 3 === 1) await call(shop, 'DELETE', `/v1/checkout-sessions/${body.result.id}`)
  }
}

const events =
  'sequenced_facts cross join lateral fact_events(space_id, environment, fact_number, line_ids) event'

test('when the program is killed at any moment under load, every fact has its events in one sequence, and every endpoint receives them', async (t) => {
  const subscribed = { all: ['*'], payments: ['payment.*'] }
  for (const events of Object.values(subscribed)) {
    const hook = await startHook()
    hooks.push(hook)
    const webhook = { name: 'Shop', url: hook.url, events }
    assert.equal((await call(shop, 'POST', '/v1/webhooks', webhook)).status, 200)
  }
  for (let round = 0; round < rounds; round++) {
    const dead = new Promise((resolve) => setTimeout(resolve, draw(100, 1_500))).then(() =>
      program.stop('SIGKILL'),
    )
    await Promise.allSettled(Array.from({ length: atOnce }, (_, nth) => work(nth)))
    await dead
    program = await start()
  }
  await pay(program, shop, 2_000)
  await waitUntil(program, isAllTold)
  const published = await rows(
    `select event.id, (sequence + nth)::int as sequence, type from ${events} order by sequence`,
  )
  assert.ok(published.some(({ type }) => type === 'payment.completed'))
  assert.deepEqual(
    published.map(({ sequence }) => sequence),
    published.map((_, i) => i + 1),
  )
  const ids = new Set(published.map(({ id }) => id))
  assert.equal(ids.size, published.length)

  for (const [i, hook] of hooks.entries()) {
    const wanted = published.filter(({ type }) => i === 0 || type.startsWith('payment.'))
    const received = new Map<string, string>()
    await waitUntil(program, () => {
      for (const { id, text } of hook.received) {
        // A message that is sent again after a crash is byte-for-byte identical.
        assert.equal(received.get(id) ?? text, text)
        received.set(id, text)
      }
      return wanted.every(({ id }) => received.has(showId(eventIds, id)))
    })
    // Payments interrupted by the last crash continue.
    const known = new Set(
      (await rows(`select event.id from ${events}`)).map(({ id }) => showId(eventIds, id)),
    )
    for (const [id, text] of received) assert.ok(known.has(id) && JSON.parse(text).id === id)
    t.diagnostic(`${received.size} events in ${hook.received.length} messages`)
  }
})

/** Asserts that every committed fact has all of its events. */
async function isAllTold(): Promise<boolean> {
  const missing = await rows(`
    select f.id from event_facts f
    where coalesce((select count from sequenced_facts s where s.fact_number = f.number), 0) <> cardinality(f.types)
      + (select count(*) from ledger_lines l where l.reference = f.posting and l.is_financial)`)
  return missing.length === 0
}

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@pesewa/embedded-postgres'
import { advanceTestClock } from '../../packages/server/src/platform/clock.ts'
import { openDatabase } from '../../packages/server/src/platform/db/database.ts'
import { migrate } from '../../packages/server/src/platform/db/migrate.ts'
import { readId } from '../../packages/server/src/platform/ids.ts'
import { spaceIds } from '../../packages/server/src/tenants/spaces/resources.ts'
import { freePort } from '../support/free-port.ts'
import { queuedJobs } from '../support/jobs.ts'
import { createPayer } from '../support/payer.ts'
import {
  ask,
  call,
  makeFolder,
  makeShop,
  order,
  type Program,
  pay,
  runProgram,
  type Shop,
  spawnProgram,
  startProgram,
  urlOf,
  waitUntil,
} from '../support/program.ts'

/** A dedicated database server, because it is stopped and started while the program runs. */
const dataDir = makeFolder()
const startPostgres = () =>
  startEmbeddedPostgres({ dataDir, settings: { fsync: 'off', shared_buffers: '16MB' } })

const secretKey = 'planted secret key of more than 32 characters'
const planted = {
  metadata: 'planted-metadata-marker',
  callbackState: 'planted-callback-state',
  name: 'planted-order-name',
  failedBody: 'planted-broken-body',
  faultyValue: 'planted-faulty-value',
  header: 'psw_test_plantedHeader0000000000000000000000',
  query: 'planted-query-value',
  formPhone: 'planted-phone-text',
  account: '0011223344',
  wallet: 'planted-wallet-id',
  cardNumber: '4111111111111111',
}
const phones = {
  paying: '+23276111222',
  failing: '+23276333001',
  lost: '+23276444007',
  refused: '+23276555008',
  lookedUp: '+23276666000',
}

let postgres: EmbeddedPostgres
let program: Program
let shop: Shop
let given: Record<string, string>
let metricsPort: number

before(async () => {
  postgres = await startPostgres()
  await migrate(postgres.connection)
  given = { DATABASE_URL: urlOf(postgres.connection), DATA_DIR: makeFolder(), SECRET_KEY: secretKey }
  metricsPort = await freePort()
  const settings = { LOG_LEVEL: 'debug', RATE_LIMITS: 'off', METRICS_PORT: String(metricsPort) }
  program = await startProgram(['serve', '--work'], { ...given, ...settings })
  shop = await makeShop(given, program.baseUrl)
})
after(async () => {
  await program.stop()
  await postgres.stop()
})

const session = (more: object = {}) => {
  const { metadata, callbackState, name } = planted
  return order(15_000, {
    name,
    metadata: { marker: metadata, nested: { marker: metadata } },
    callbackState,
    ...more,
  })
}
const create = (body: unknown, headers = {}) => call(shop, 'POST', '/v1/checkout-sessions', body, headers)

describe('a database that goes down', () => {
  test('causes 503 with Retry-After, never 500, and everything resumes when it is back', async () => {
    assert.equal((await create(session())).status, 200)
    const watched = { stop: false, statuses: new Map<string, number>() }
    const watchers = Array.from({ length: 4 }, () => watch(watched))
    const inFlight = await Promise.all(['076 123 456', '076 123 005', '076 123 006'].map(startPaying))
    await postgres.stop()
    await waitUntil(program, () => watched.statuses.get('503 service_unavailable 1'))
    assert.match(program.stderr(), /"cause":{"type":"[^"]+","message":"[^"]+".+"msg":"request failed"/, 'why')
    const health = await fetch(`${program.baseUrl}/healthz`)
    const ready = await fetch(`${program.baseUrl}/readyz`)
    assert.deepEqual([health.status, ready.status], [200, 503])
    const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
    assert.match(await metrics.text(), /^pesewa_ready 0$/m)
    assert.equal((await fetch(program.baseUrl)).status, 200)
    const page = await createPayer(`${program.baseUrl}/pay/AAAA`).look()
    assert.ok(page.status < 500)

    postgres = await startPostgres()
    await waitUntil(program, async () => (await fetch(`${program.baseUrl}/readyz`)).ok)
    await waitUntil(program, async () => (await create(session())).status === 200)
    watched.stop = true
    await Promise.all(watchers)
    assert.deepEqual(
      [...watched.statuses.keys()].filter((seen) => !/^(200|503 service_unavailable 1)$/.test(seen)),
      [],
    )
    assert.equal((await pay(program, shop, 12_000)).status, 'completed', 'jobs continue, too')
    await waitUntil(
      program,
      async () => (await ask(postgres.connection, `select from ${queuedJobs}`)).length === 0,
    )
    // If the response to a push was lost with the database, the payment fails once the push can no longer be in
    // progress: after half a minute.
    let movedAt = 0
    const isOver = async (payer: (typeof inFlight)[0]) => {
      if ((await payer.status()) === 'done') return true
      if (Date.now() > movedAt + 2_000) await advance(70_000).then(() => (movedAt = Date.now()))
      return false
    }
    for (const payer of inFlight) await waitUntil(program, () => isOver(payer), 60_000)
    const { code, stdout } = await runProgram(['verify'], given)
    assert.equal(code, 0, stdout)
  })

  test('may lose all its connections at any time', async () => {
    const watched = { stop: false, statuses: new Map<string, number>() }
    const watchers = Array.from({ length: 4 }, () => watch(watched))
    for (let i = 0; i < 5; i++) {
      const seen = watched.statuses.get('200') ?? 0
      await waitUntil(program, () => (watched.statuses.get('200') ?? 0) > seen + 8)
      await ask(
        postgres.connection,
        `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and application_name = 'pesewa'`,
      )
    }
    watched.stop = true
    await Promise.all(watchers)
    assert.deepEqual(
      [...watched.statuses.keys()].filter((seen) => !/^(200|503 service_unavailable 1)$/.test(seen)),
      [],
    )
    assert.equal((await pay(program, shop, 11_000)).status, 'completed')
  })
})

describe('the log at its most verbose level', () => {
  test('contains none of the data entrusted by payers, merchants and operators', async () => {
    for (const phone of Object.values(phones)) await startPaying(phone)
    await pay(program, shop, 15_000, phones.paying)
    await pay(program, shop, 15_000, phones.failing)
    await provokeRefusals()
    const holder = await lookUp(phones.lookedUp)
    await provokeBugs()
    await waitUntil(program, () =>
      /"msg":"failed to record the outcome of a provider call"/.test(program.stderr()),
    )
    const { code } = await program.stop()
    assert.equal(code, 0, program.stderr().slice(-3000))
    // A timestamp may contain the digits of a number by chance.
    const logged = (program.stdout() + program.stderr()).replaceAll(/"time":\d+/g, '')
    assert.match(logged, /"level":20|"level":30/, 'something was logged')
    assert.match(logged, /"msg":"request failed"/, 'an error was logged')
    const password = String(postgres.connection.password)
    const secrets = { ...planted, holder, secretKey, password, token: shop.testToken, bearer: 'Bearer ' }
    const ofPhones = Object.values(phones).flatMap((phone) => [
      phone,
      phone.slice(1),
      phone.slice(4),
      phone.slice(-6),
    ])
    for (const [what, secret] of [
      ...Object.entries(secrets),
      ...ofPhones.map((phone) => ['a phone number', phone]),
    ])
      assert.ok(!logged.includes(secret!), `${what} is in the log: ${lineWith(logged, secret!)}`)
  })

  test('a failed start logs none either', async () => {
    const noDatabase = given.DATABASE_URL!.replace(/\/pesewa$/, '/no_such_database')
    const { code, stdout, stderr } = await spawnProgram(['serve'], { ...given, DATABASE_URL: noDatabase })
      .ended
    assert.equal(code, 1)
    for (const secret of [secretKey, String(postgres.connection.password)])
      assert.ok(!(stdout + stderr).includes(secret))
  })
})

async function startPaying(phone: string) {
  const { redirectUrl } = (await create(session())).body.result
  const payer = createPayer(redirectUrl)
  await payer.pay('m17', phone)
  return payer
}

/** Looks up an account holder, and an account that the rail does not know. */
async function lookUp(phone: string): Promise<string> {
  const at = (account: string) => `/v1/provider-kyc/m17?accountId=${encodeURIComponent(account)}`
  assert.equal((await call(shop, 'GET', at('076123010'))).status, 404)
  const { status, body } = await call(shop, 'GET', at(phone))
  assert.equal(status, 200)
  return body.result.account.holderName
}

async function provokeRefusals(): Promise<void> {
  assert.equal((await create(`{"name": "${planted.failedBody}"`)).status, 400)
  assert.equal((await create({ [planted.faultyValue]: planted.faultyValue })).status, 400)
  assert.equal((await call({ ...shop, testToken: planted.header }, 'GET', '/v1/payments')).status, 401)
  assert.equal((await call(shop, 'GET', `/v1/payments?bogus=${planted.query}`)).status, 400)
  assert.equal((await call(shop, 'GET', `/v1/payments?orderNumber=${planted.query}`)).status, 200)
  assert.equal((await call(shop, 'GET', `/v1/${planted.query}`)).status, 404)
  const { redirectUrl } = (await create(session())).body.result
  const payer = createPayer(redirectUrl)
  assert.equal((await payer.pay('m17', planted.formPhone)).status, 422)
  const { account, wallet, cardNumber } = planted
  assert.equal((await payer.pay('slb001', { accountNumber: cardNumber })).status, 422)
  assert.equal((await payer.pay('dw001', { walletId: cardNumber })).status, 422)
  assert.equal((await payer.look(`/return?state=${planted.query}`)).status, 303)
  for (const [provider, given] of [
    ['slb001', { accountNumber: account }],
    ['dw001', { walletId: wallet }],
  ] as const) {
    const { redirectUrl: other } = (await create(session())).body.result
    assert.equal((await createPayer(other).pay(provider, given)).status, 303)
  }
  const callback = `${program.baseUrl}/callbacks/payments/${planted.query}`
  assert.equal(
    (
      await fetch(callback, {
        method: 'PUT',
        body: JSON.stringify({ payer: phones.paying }),
        headers: { 'content-type': 'application/json' },
      })
    ).status,
    404,
  )
}

/** Removes columns that statements need, to cause unexpected errors that contain data from rows. */
async function provokeBugs(): Promise<void> {
  const { redirectUrl } = (await create(session())).body.result
  await ask(
    postgres.connection,
    `alter table checkout_sessions add constraint planted check (name is null) not valid`,
  )
  assert.equal((await create(session())).status, 500)
  await ask(
    postgres.connection,
    `alter table payments add constraint planted check (status in ('pending', 'processing')) not valid`,
  )
  await createPayer(redirectUrl).pay('m17', phones.paying)
}

async function advance(ms: number): Promise<void> {
  const db = openDatabase(postgres.connection, { maxConnections: 1, onIdleError: () => {} })
  await db
    .transaction((tx) => advanceTestClock(tx, readId(spaceIds, shop.spaceId)!, ms))
    .finally(() => db.close())
}

/** Creates sessions one after the other and counts the responses. */
async function watch(watched: { stop: boolean; statuses: Map<string, number> }): Promise<void> {
  while (!watched.stop) {
    const { status, body, headers } = await create(session())
    const seen = status === 200 ? '200' : `${status} ${body.error.reason} ${headers.get('retry-after')}`
    watched.statuses.set(seen, (watched.statuses.get(seen) ?? 0) + 1)
  }
}

const lineWith = (text: string, what: string) =>
  text
    .split('\n')
    .find((line) => line.includes(what))
    ?.slice(0, 600)

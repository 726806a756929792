import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minorDigits } from '../../src/countries/money.ts'
import { paymentIds } from '../../src/payments/resources.ts'
import { payoutIds } from '../../src/payouts/resources.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { readId } from '../../src/platform/ids.ts'
import type { Scope } from '../../src/platform/scope.ts'
import { loadCatalogue } from '../../src/providers/catalogue.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { spaceIds } from '../../src/spaces/resources.ts'
import { endings } from '../endings.ts'
import { fund } from '../money.ts'
import { createPayer, wordsOf } from '../payer.ts'
import { phoneOf } from '../phones.ts'
import {
  call,
  type Environment,
  freePort,
  makeDatabase,
  makeFolder,
  makeShop,
  order,
  type Program,
  runProgram,
  type Shop,
  startProgram,
  waitUntil,
} from '../program.ts'
import { startTestSimulator, type TestSimulator } from '../simulator.ts'
import { draw } from './rounds.ts'

// The rails are elsewhere: they go on while the program is dead, and their time is the test's.
let simulator: TestSimulator
let given: Environment
let program: Program
let db: Database
let shop: Shop
let scope: Scope

before(async () => {
  const database = await makeDatabase()
  db = openDatabase(database.connection, { maxConnections: 4, onIdleError: () => {} })
  const port = String(await freePort())
  simulator = await startTestSimulator({ baseUrl: `http://127.0.0.1:${port}` })
  given = {
    DATABASE_URL: database.url,
    DATA_DIR: makeFolder(),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'fatal',
    PORT: port,
    SIMULATOR_URL: simulator.url,
    SECRET_KEY: simulator.secretKey,
  }
  program = await start()
  shop = await makeShop(given, program.baseUrl)
  scope = { spaceId: readId(spaceIds, shop.spaceId)!, environment: 'test' }
  for (const currency of new Set(providers.map(currencyOf)))
    await fund({ db, clock: realTime }, scope, 100_000_000, { currency })
})
after(async () => {
  await simulator.close()
  await db.close()
})

const start = () => startProgram(['serve', '--work'], given)
const realTime = {
  now: () => new Date(),
  aheadMs: () => 0,
  moved: () => [],
  follow: async () => {},
  onMoved: () => {},
  close: async () => {},
}

/** One of each protocol whose payers approve on a phone; what has pages is in `instructions.test.ts`. */
const providers = [
  ...new Map(
    loadCatalogue()
      .list('momo')
      .filter(({ featureSet }) => featureSet.payment.schemes.includes('push'))
      .toReversed()
      .map((provider) => [provider.protocol, provider]),
  ).values(),
]

const currencyOf = ({ currencies: [currency = ''] }: Provider) => currency
/** A hundred of the currency: no rail has fractions of all of them. */
const amountOf = (provider: Provider) => {
  const currency = currencyOf(provider)
  return { currency, value: 100 * 10 ** minorDigits(currency) }
}

/** `npm test` kills once on each rail. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 1)

type Row = {
  id: string
  providerId: string
  reference: string
  orderNumber: string | null
  status: string
  state: string
}

async function pay(provider: Provider, digits: string): Promise<string> {
  const price = amountOf(provider)
  const made = await call(
    shop,
    'POST',
    '/v1/checkout-sessions',
    order(0, { lineItems: [{ name: 'Cloth', price }] }),
  )
  const session = made.body.result
  const { status, text } = await createPayer(session.redirectUrl).pay(
    provider.providerId,
    phoneOf(provider, digits),
  )
  assert.equal(status, 303, `${provider.providerId}: ${wordsOf(text)}`)
  const { result } = (await call(shop, 'GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body
  return readId(paymentIds, result[0].id)!
}

async function payOut(provider: Provider, digits: string): Promise<string> {
  const { providerId } = provider
  const destination = { type: 'momo', providerId, phoneNumber: phoneOf(provider, digits) }
  const made = await call(shop, 'POST', '/v1/payouts', { amount: amountOf(provider), destination })
  return readId(payoutIds, made.body.result.id)!
}

const rowsOf = (ids: string[]) =>
  db.query<Row>(sql`
    select instruction.id, instruction.provider_id, instruction.reference, instruction.order_number, object.status, instruction.state
    from instructions instruction
    join (
      select id, status from payments where space_id = ${scope.spaceId} and environment = 'test'
      union all
      select id, status from payouts where space_id = ${scope.spaceId} and environment = 'test'
    ) object using (id)
    where instruction.space_id = ${scope.spaceId} and instruction.environment = 'test' and instruction.id = any(${ids}::uuid[])`)

/** How often the rails moved the money of each, by our reference, or by the order where a rail is given no reference. */
async function movesOf(rows: Row[]): Promise<Map<string, number>> {
  // every space: the simulator is the outside world
  const moved = await simulator.db.query<{ reference: string; externalId: string }>(sql`
    select reference, external_id from simulator_disbursements where moved_at is not null
    union all
    select reference, external_id from simulator_collections where moved_at is not null`)
  const countOf = ({ reference, orderNumber }: Row) =>
    moved.filter((one) => one.reference === reference || one.externalId === orderNumber).length
  return new Map(rows.map((row) => [row.id, countOf(row)]))
}

const casesOf = async (ids: string[]) =>
  new Set(
    (
      await db.query<{ objectId: string }>(sql`
        select object_id from ledger_cases where space_id = ${scope.spaceId} and object_id = any(${ids}::uuid[])`)
    ).map(({ objectId }) => objectId),
  )

/** Rails that nobody can query without a reference of theirs, which may be lost for good: a person ends such a payment. */
const forPeople = ['mpesa-daraja']
const looksForPeople = 30

const hasEnded = ({ status }: Row) => status === 'completed' || status === 'failed'

/** What nobody recorded is called failed only when really nothing can be on its way any more: no clock is moved for that. */
const conclusiveMs = 90_000

for (const provider of providers)
  for (let round = 1; round <= rounds; round++)
    test(`${provider.protocol}, killed at any moment, round ${round}: of every ending the money moves once or never, and the books say so`, async () => {
      const digits = Object.keys(endings)
      const begun = digits.flatMap((each) => [
        pay(provider, each),
        ...(provider.featureSet.payout.canPayTo ? [payOut(provider, each)] : []),
      ])
      const ids = await Promise.all(begun)
      await new Promise((resolve) => setTimeout(resolve, draw(0, 400)))
      await program.stop('SIGKILL')
      program = await start()
      let looks = 0
      const rows = await waitUntil(
        program,
        async () => {
          looks += 1
          await simulator.clock.advance(10_000)
          await call(shop, 'POST', '/v1/test-clock', { advance: '10m' })
          const rows = await rowsOf(ids)
          const isLeftToPeople = forPeople.includes(provider.protocol) && looks > looksForPeople
          return (rows.every(hasEnded) || isLeftToPeople) && rows
        },
        conclusiveMs,
      )
      assert.equal(rows.length, ids.length)
      const settled = rows.filter(hasEnded)
      assert.ok(settled.length > ids.length / 2, `${ids.length - settled.length} have not ended`)
      const moves = await movesOf(rows)
      const hasMoved = ({ id }: Row) => moves.get(id) === 1
      const isLate = (row: Row) => row.status === 'failed' && hasMoved(row)
      const cases = await waitUntil(program, async () => {
        const open = await casesOf(ids)
        return rows.filter(isLate).every(({ id }) => open.has(id)) && open
      })
      for (const row of rows) {
        assert.ok((moves.get(row.id) ?? 0) <= 1, `${row.reference} moved more than once`)
        if (row.status === 'completed') assert.ok(hasMoved(row), `${row.reference} completed without money`)
        assert.equal(cases.has(row.id), isLate(row))
      }
    })

test('the books add up after all that', async () => {
  const { code, stdout } = await runProgram(['verify'], { DATABASE_URL: given.DATABASE_URL! })
  assert.equal(code, 0, stdout)
})

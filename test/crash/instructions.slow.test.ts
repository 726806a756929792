import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { importStatement } from '../../packages/server/src/finance/reconciliation/imports.ts'
import { simulatorMapping } from '../../packages/server/src/finance/reconciliation/mapping.ts'
import { matchStatements } from '../../packages/server/src/finance/reconciliation/matching.ts'
import { reportOn } from '../../packages/server/src/finance/reconciliation/report.ts'
import { paymentIds } from '../../packages/server/src/money/payments/resources.ts'
import { payoutIds } from '../../packages/server/src/money/payouts/resources.ts'
import { refundIds } from '../../packages/server/src/money/refunds/resources.ts'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { readId, showId } from '../../packages/server/src/platform/ids.ts'
import { findReconciled } from '../../packages/server/src/slices.ts'
import { endings, payees, payers } from '../support/endings.ts'
import { createPayer, wordsOf } from '../support/payer.ts'
import { call, makeFolder, order, waitUntil } from '../support/program.ts'
import { fetchStatement, realTime } from '../support/simulator.ts'
import { passOn, startTransferProxy, type Transfer } from '../support/transfer-proxy.ts'
import { draw } from './rounds.ts'
import { hasSurvivor, openStand, type Stand } from './stand.ts'

const rail = await startTransferProxy()
let stand: Stand
let startedAt: Date
let mainId: string

before(async () => {
  stand = await openStand({ rail })
  startedAt = stand.simulator.clock.now()
  mainId = await stand.fund(funds)
})
after(async () => {
  await stand.close()
  rail.close()
})

type Row = {
  id: string
  kind: 'collect' | 'disburse' | 'refund'
  status: string
  railState: string
  code: string | null
  reference: string
}
/** Maps the ids of payments, payouts and refunds to the digits that decide their outcomes. */
type Wave = Map<string, string>

const funds = 1_000_000
const value = 100
/** The fee of each payment. */
const fee = 1

/** Prepares a payment. Returns a function that begins it and returns its id. */
async function collect({ providerId, account }: ReturnType<typeof payers>[number], amount = value) {
  const session = (await call(stand.shop, 'POST', '/v1/checkout-sessions', order(amount))).body.result
  const payer = createPayer(session.redirectUrl)
  const formToken = await payer.formToken()
  return async () => {
    const { status, text } = await payer.post('', { provider: providerId, ...account, formToken })
    assert.equal(status, 303, `the form was rejected: ${wordsOf(text)}`)
    const { result } = (await call(stand.shop, 'GET', `/v1/payments?orderNumber=${session.orderNumber}`)).body
    return readId(paymentIds, result[0].id)!
  }
}

const payOut = async (destination: ReturnType<typeof payees>[number]) => async () => {
  const payout = { amount: { currency: 'SLE', value }, destination }
  return readId(payoutIds, (await call(stand.shop, 'POST', '/v1/payouts', payout)).body.result.id)!
}

/** Payers of the payments to refund. Their providers get no payouts here, so that refunds have their own queues. */
const refunded = [
  { providerId: 'm18', account: { phone: '077 123 456' } },
  { providerId: 'dw001', account: { walletId: 'fatu456' } },
]
/** Ids of completed payments, one for each payer. All refunds of a wave are parts of them. */
let originals: string[] = []

const original = value * (Object.keys(endings).length + 1)
const originalFee = original / 100

async function payOriginals(): Promise<void> {
  const ids = await Promise.all(refunded.map(async (payer) => (await collect(payer, original))()))
  await waitUntil(stand.program, async () => {
    await approvePages()
    await stand.simulator.clock.advance(300)
    const rows = await rowsOf(new Map(ids.map((id) => [id, '456'])))
    return rows.every(({ status }) => status === 'completed')
  })
  originals = ids.map((id) => showId(paymentIds, id))
}

const giveBack = (payerMessage: string) => async (paymentId: string) => async () => {
  const amount = { currency: 'SLE', value }
  const refund = { paymentId, amount, payerMessage, reason: 'order_cancelled' }
  return readId(refundIds, (await call(stand.shop, 'POST', '/v1/refunds', refund)).body.result.id)!
}

/**
 * Begins payments, payouts and refunds with every outcome at the same time, on rails of both protocols; some
 * rails time out.
 */
async function beginEach(): Promise<Wave> {
  const ready = await Promise.all(
    Object.keys(endings).flatMap((digits) =>
      [
        ...payers(digits).map((payer) => collect(payer)),
        ...payees(digits).map(payOut),
        ...originals.map(giveBack(digits)),
      ].map(async (one) => [await one, digits] as const),
    ),
  )
  return new Map(await Promise.all(ready.map(async ([begin, digits]) => [await begin(), digits] as const)))
}

const rowsOf = (wave: Wave) =>
  stand.db.query<Row>(sql`
    select instruction.id, instruction.kind, object.status, instruction.state as rail_state, object.code, instruction.reference
    from instructions instruction
    join (
      select id, status, failure_code as code from payments
      where space_id = ${stand.scope.spaceId} and environment = 'test'
      union all
      select id, status, failure_code from payouts where space_id = ${stand.scope.spaceId} and environment = 'test'
      union all
      select id, status, failure_code from refunds where space_id = ${stand.scope.spaceId} and environment = 'test'
    ) object using (id)
    where instruction.space_id = ${stand.scope.spaceId} and instruction.environment = 'test'
      and instruction.id = any(${[...wave.keys()]}::uuid[])`)

/** The size of a wave: for each outcome, the payments, the payouts, and a refund for each payer. */
const count = [...payers(''), ...payees(''), ...refunded].length * Object.keys(endings).length
const hasEnded = ({ status }: Row) => status === 'completed' || status === 'failed'

/**
 * An unrecorded call is resolved as failed only when no request can still be on its way, which takes this much
 * wall-clock time.
 */
const conclusiveMs = 60_000
const never: (typeof endings)[string] = { status: 'failed', moves: false, code: 'unknown' }
const providers = new Set([...payers(''), ...payees(''), ...refunded].map(({ providerId }) => providerId))
/** The number of kills at random moments. `npm run test:all` kills only at the four chosen moments. */
const rounds = Number(process.env.CRASH_ROUNDS ?? 0)

/** Approves every payment on its rail's page. */
async function approvePages(): Promise<void> {
  // every space: the simulator is the outside world
  const pages = await stand.simulator.db.query<{ providerId: string; reference: string }>(sql`
    select provider_id, reference from simulator_collections
    where protocol = 'rest' and asks_until is not null and status = 'PENDING'`)
  const body = new URLSearchParams({ answer: 'approve' })
  for (const { providerId, reference } of pages) {
    const page = `${stand.simulator.url}/rest/${providerId}/pages/${reference}`
    const { status } = await fetch(page, { method: 'POST', redirect: 'manual', body })
    assert.equal(status, 303)
  }
}

/** Moves the clocks of the Space and the rails until everything has ended. */
async function settle(wave: Wave): Promise<void> {
  // Moved through the API, so that the program's clock has followed: what it creates next must not be dated far
  // in the past.
  const advance = (duration: string) => call(stand.shop, 'POST', '/v1/test-clock', { advance: duration })
  // Payments that end in 012 must be reported as failed before the rail changes its mind, if the rail has them
  // at all.
  let known = -1
  await waitUntil(
    stand.program,
    async () => {
      await approvePages()
      const { size } = await movesOf((await rowsOf(wave)).map(({ reference }) => reference))
      if (size > known) await stand.simulator.clock.advance(300)
      known = size
      await advance('5s')
      return (await rowsOf(wave)).every(
        (row) => row.railState !== 'created' && (wave.get(row.id) !== '012' || hasEnded(row)),
      )
    },
    conclusiveMs,
  )
  await waitUntil(
    stand.program,
    async () => {
      await stand.simulator.clock.advance(10_000)
      // The service's queries are up to an hour apart.
      await advance('10m')
      return (await rowsOf(wave)).every(hasEnded)
    },
    conclusiveMs,
  )
}

/** Returns how much of the original payments can no longer be refunded. */
async function givenBack(): Promise<number> {
  const payments = await Promise.all(originals.map((id) => call(stand.shop, 'GET', `/v1/payments/${id}`)))
  return payments.reduce((sum, { body }) => sum + original - body.result.refund.refundable.value, 0)
}

const casesOf = (wave: Wave) =>
  stand.db.query(sql`
    select object_id from ledger_cases
    where space_id = ${stand.scope.spaceId} and object_id = any(${[...wave.keys()]}::uuid[])`)

async function importStatementOf(providerId: string): Promise<void> {
  const period = { from: startedAt, to: new Date(stand.simulator.clock.now().getTime() + 1) }
  const file = path.join(makeFolder(), 'statement.csv')
  writeFileSync(file, await fetchStatement(stand.simulator.url, stand.simulator.seals, providerId, period))
  const at = realTime.now()
  await importStatement(stand.db, { providerId, environment: 'test', file, mapping: simulatorMapping, at })
}

/** Returns how often the rails have moved the money of each reference. */
async function movesOf(references: string[]): Promise<Map<string, number>> {
  // every space: the simulator is the outside world
  const rows = await stand.simulator.db.query<{ reference: string; moved: boolean }>(sql`
    select reference, moved_at is not null as moved from simulator_disbursements
    where reference = any(${references}::uuid[])
    union all
    select reference, moved_at is not null from simulator_collections
    where reference = any(${references}::uuid[])`)
  return new Map(rows.map(({ reference, moved }) => [reference, moved ? 1 : 0]))
}

/**
 * Begins a wave and kills the program at some moment. `hadThem` is whether the rails had all instructions by
 * then, if that is certain.
 */
type Crash = () => Promise<{ wave: Wave; hadThem?: boolean }>

/** Moments that depend on what the node is doing. */
const chosen: Record<string, Crash> = {
  'before the call': async () => {
    const reached = everyTransfer(() => undefined)
    const wave = await beginEach()
    await reached
    await stand.kill()
    return { wave, hadThem: false }
  },
  'during the call, when the rail has received it and its response is on its way': async () => {
    const reached = everyTransfer(({ forward }) => forward())
    const wave = await beginEach()
    await reached
    await stand.kill()
    return { wave, hadThem: true }
  },
  'between response and commit': async () => {
    const answers: (() => void)[] = []
    const reached = everyTransfer(async ({ forward, answer }) => {
      const given = await forward()
      answers.push(() => answer(given))
    })
    const wave = await beginEach()
    await reached
    await stand.db.transaction(async (tx) => {
      await tx.query(sql`select id from instructions where space_id = ${stand.scope.spaceId} for update`)
      for (const answer of answers) answer()
      await waitUntil(stand.program, async () => (await blocked()) > 0n)
      await stand.kill()
    })
    assert.deepEqual(new Set((await rowsOf(wave)).map(({ railState }) => railState)), new Set(['submitting']))
    return { wave, hadThem: true }
  },
  'after the call, when its response is recorded and the callbacks are lost': async () => {
    rail.onTransfer = passOn
    const wave = await beginEach()
    await waitUntil(stand.program, async () =>
      (await rowsOf(wave)).every(({ railState }) => ['submitted', 'unknown'].includes(railState)),
    )
    await stand.kill()
    await approvePages()
    await stand.simulator.clock.advance(300)
    return { wave, hadThem: true }
  },
}

const random: Record<string, Crash> = Object.fromEntries(
  Array.from({ length: rounds }, (_, i) => [
    `at any moment, round ${i + 1}`,
    async () => {
      rail.onTransfer = passOn
      const wave = await beginEach()
      await new Promise((resolve) => setTimeout(resolve, draw(0, 400)))
      await stand.kill()
      return { wave }
    },
  ]),
)
const crashes = hasSurvivor ? random : { ...chosen, ...random }

/** Handles every transfer of a wave with this function. The promise resolves when all of them are handled. */
function everyTransfer(work: (transfer: Transfer) => unknown): Promise<void> {
  const all = Promise.withResolvers<void>()
  let done = 0
  rail.onTransfer = async (transfer) => {
    await work(transfer)
    if (++done === count) all.resolve()
  }
  return all.promise
}

const blocked = async () =>
  (await stand.db.one<{ count: bigint }>(sql`
    select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`))!
    .count

describe('a program killed with kill -9', () => {
  let [lines, balance] = [0, funds]
  for (const [moment, crash] of Object.entries(crashes))
    test(`${moment}: for every outcome, the money moves at most once, and payments, payouts and refunds end correctly`, async () => {
      rail.onTransfer = passOn
      await payOriginals()
      const { wave, hadThem } = await crash()
      rail.onTransfer = passOn
      await stand.start()
      await settle(wave)

      const rows = await rowsOf(wave)
      const moves = await movesOf(rows.map(({ reference }) => reference))
      assert.equal(rows.length, count)
      const ended = rows.map((row) => {
        const digits = wave.get(row.id)!
        const has = hadThem ?? moves.has(row.reference)
        const { status, moves: isMoved, code = null, payerCode = code } = has ? endings[digits]! : never
        const expected = { status, moves: isMoved ? 1 : 0, code: row.kind === 'collect' ? payerCode : code }
        return { ...row, digits, expected, isLate: has && digits === '012' }
      })
      for (const { digits, status, code, reference, expected } of ended)
        assert.deepEqual({ digits, status, code, moves: moves.get(reference) ?? 0 }, { digits, ...expected })
      const late = ended.filter(({ isLate }) => isLate)
      await waitUntil(stand.program, async () => (await casesOf(wave)).length === late.length)
      const completed = rows.filter(({ status }) => status === 'completed')
      lines += originals.length + completed.length + late.length
      balance += originals.length * (original - originalFee)
      for (const { kind } of completed) balance += kind === 'collect' ? value - fee : -value
      const sentBack = ended.filter(({ kind, expected }) => kind === 'refund' && expected.moves === 1)
      assert.equal(await givenBack(), sentBack.length * value)
      const main = (await call(stand.shop, 'GET', `/v1/financial-accounts/${mainId}?withBalance=true`)).body
        .result
      assert.deepEqual([main.balance.held.value, main.balance.available.value], [0, balance])
    })

  test('has books that add up and agree with the rails', async () => {
    await stand.verify()
    for (const providerId of providers) await importStatementOf(providerId)
    await matchStatements(stand.db, await findReconciled(), {})
    const { openItems, linesMatched, proof } = await reportOn(
      stand.db,
      await findReconciled(),
      {},
      realTime.now(),
      1_000,
    )
    assert.deepEqual([openItems.items, proof.differences], [[], []])
    // Completed amounts, and the money of the cases.
    assert.equal(linesMatched, BigInt(lines))
  })
})

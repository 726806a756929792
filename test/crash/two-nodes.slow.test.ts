import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { advanceTestClock } from '../../packages/server/src/platform/clock.ts'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { type Account, createPayer } from '../support/payer.ts'
import {
  call,
  makeFolder,
  order,
  type Program,
  partsOf,
  spawnProgram,
  startProgram,
  waitUntil,
} from '../support/program.ts'
import { passOn, startTransferProxy, type TransferProxy } from '../support/transfer-proxy.ts'
import { openStand, type Stand } from './stand.ts'

// Two nodes on one database. Each reaches the same rails through its own proxy, which shows which node sent a
// request.
let stand: Stand
let [railOfA, railOfB]: TransferProxy[] = []
let proxy: DatabaseProxy
let main: string
let b: Program

const funds = 100_000

beforeEach(async () => {
  ;[railOfA, railOfB] = [await startTransferProxy(), await startTransferProxy()]
  stand = await openStand({
    rail: railOfA,
    settings: { LOG_LEVEL: 'warn' },
    hasOwnNodes: true,
    databaseUrl: async ({ connection }) => {
      proxy = await startDatabaseProxy(connection)
      return proxy.url
    },
  })
  railOfB.simulatorUrl = stand.simulator.url
  main = await stand.fund(funds)
})
afterEach(async () => {
  proxy.close()
  await b?.stop('SIGKILL')
  await stand.close()
  for (const rail of [railOfA, railOfB]) rail?.close()
})

const settingsOfB = async () => ({
  ...stand.settings,
  PORT: String(await freePort()),
  // The rails may call back this node.
  BASE_URL: stand.shop.baseUrl,
  DATABASE_URL: stand.database.url,
  DATA_DIR: makeFolder(),
  SIMULATOR_URL: railOfB!.url,
})

type Row = { status: string; code: string | null; railState: string; railReference: string }

/** Selects the Space's payouts and payments. */
const rows = () =>
  stand.db.query<Row>(sql`
    select object.status, object.code, instruction.state as rail_state, instruction.reference as rail_reference
    from instructions instruction
    join (
      select id, status, failure_code as code from payouts
      where space_id = ${stand.scope.spaceId} and environment = 'test'
      union all
      select id, status, failure_code from payments where space_id = ${stand.scope.spaceId} and environment = 'test'
    ) object using (id)
    where instruction.space_id = ${stand.scope.spaceId} and instruction.environment = 'test'`)

const wallet = (walletId: string) => ({ type: 'wallet', providerId: 'dw001', walletId })

const payOut = (destination: object, as = stand.shop) =>
  call(as, 'POST', '/v1/payouts', { amount: { currency: 'SLE', value: 100 }, destination })

async function collect(
  [provider, account]: [string, Account],
  { baseUrl }: { baseUrl: string } = stand.shop,
) {
  const session = (await call({ ...stand.shop, baseUrl }, 'POST', '/v1/checkout-sessions', order(100))).body
    .result
  await createPayer(session.redirectUrl.replace(stand.shop.baseUrl, baseUrl)).pay(provider, account)
}

/** Returns what the rails have recorded about these objects. */
async function atTheRails(): Promise<string[]> {
  const references = (await rows()).map(({ railReference }) => railReference)
  // every space: the simulator is the outside world
  const found = await stand.simulator.db.query<{ reference: string }>(sql`
    select reference from simulator_disbursements where reference = any(${references}::uuid[])
    union all select reference from simulator_collections where reference = any(${references}::uuid[])`)
  return found.map(({ reference }) => reference)
}

async function balance() {
  const url = `/v1/financial-accounts/${main}?withBalance=true`
  const { available, held } = (await call({ ...stand.shop, baseUrl: b.baseUrl }, 'GET', url)).body.result
    .balance
  return { available: available.value, held: held.value }
}

/**
 * How long a request may still be on its way, in wall-clock time: the time limit for sending, the longest call,
 * and two seconds.
 */
const conclusiveMs = 60_000

describe('of two nodes', () => {
  test('a node that learns late that its transaction was committed sends nothing, and the other finds that no money moved', async () => {
    const commits = proxy.holdCommits(/pay(out|ment)\.processing/)
    // Queued instructions are claimed in a separate transaction; those within the rail's capacity are sent
    // after the transaction that creates them.
    const serving = await startProgram(['serve'], await settingsOfB())
    await Promise.all([
      payOut(wallet('fatu456'), { ...stand.shop, baseUrl: serving.baseUrl }),
      collect(['dw001', { walletId: 'kofi456' }], serving),
    ])
    await waitUntil(stand.program, () => commits.count() === 2)
    await serving.stop()
    const unanswered = [
      payOut({ type: 'momo', providerId: 'm17', phoneNumber: '076000456' }),
      collect(['m17', { phone: '076000456' }]),
    ].map((posted) => posted.catch(() => {}))
    await waitUntil(stand.program, () => commits.count() === 4)
    b = await startProgram(['serve', '--work'], await settingsOfB())
    // The clock of the merchant's Space does not matter.
    await waitUntil(
      b,
      async () => {
        await stand.db.transaction((tx) => advanceTestClock(tx, stand.scope.spaceId, 60_000))
        return (await rows()).every(({ status }) => status === 'failed')
      },
      conclusiveMs,
    )
    commits.release()
    // Either the node reports that it was too late or that it has stopped waiting for the commit, or it was not too late.
    await waitUntil(
      stand.program,
      async () =>
        (stand.program.stderr().match(/"why":"not sent|was not confirmed in time/g) ?? []).length >= 4 ||
        (await atTheRails()).length > 0,
    )
    assert.deepEqual(await atTheRails(), [])
    for (const { status, code } of await rows())
      assert.deepEqual({ status, code }, { status: 'failed', code: 'unknown' })
    assert.deepEqual(await balance(), { available: funds, held: 0 })
    await stand.verify()
    await Promise.all(unanswered)
  })

  test('a node whose clock is minutes ahead does not fail orders that the other is sending, and sends nothing itself', async () => {
    const [metricsPort, each] = [String(await freePort()), 8]
    b = spawnProgram(
      ['serve', '--work'],
      { ...(await settingsOfB()), CLOCK_SHIFT_MS: '130000', METRICS_PORT: metricsPort },
      { nodeFlags: ['--import', fileURLToPath(new URL('../support/shifted-clock.ts', import.meta.url))] },
    )
    const ready = async () => {
      const answer = await fetch(`${b.baseUrl}/readyz`).catch(() => undefined)
      return answer && `${answer.status} ${await answer.text()}`
    }
    await waitUntil(b, async () => (await ready())?.startsWith('503') || (await ready())?.startsWith('200'))
    // The rail takes so long that the other node queries it before the rail has received the order.
    const queried = new Set<string>()
    const held = new Map<string, () => void>()
    const sendHeld = () => {
      if (held.size < 2 * each || ![...held.keys()].every((reference) => queried.has(reference))) return
      for (const send of held.values()) send()
      held.clear()
    }
    for (const rail of [railOfA!, railOfB!])
      rail.onQuery = (reference) => {
        queried.add(reference)
        sendHeld()
      }
    railOfA!.onTransfer = (transfer) => {
      held.set(transfer.reference, () => void passOn(transfer))
      sendHeld()
    }
    let sentByB = 0
    railOfB!.onTransfer = (transfer) => {
      sentByB++
      void passOn(transfer)
    }
    for (let i = 0; i < each; i++)
      await Promise.all([payOut(wallet('fatu456')), collect(['dw001', { walletId: 'kofi456' }])])
    await waitUntil(b, async () => (await atTheRails()).length === 2 * each)
    await waitUntil(b, async () => {
      await stand.simulator.clock.advance(300)
      await stand.db.transaction((tx) => advanceTestClock(tx, stand.scope.spaceId, 5_000))
      return (await rows()).every(({ status }) => status === 'completed' || status === 'failed')
    })
    assert.deepEqual(
      (await rows()).map(({ status }) => status),
      Array(2 * each).fill('completed'),
    )
    assert.equal(new Set(await atTheRails()).size, 2 * each)
    assert.equal(sentByB, 0)
    await stand.verify()

    assert.deepEqual(
      await ready(),
      '503 {"status":"unavailable","reason":"this node’s clock differs from the database’s by more than a second"}',
    )
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    assert.match(metrics, /^pesewa_clock_difference_seconds (129\.[5-9]|130\.[0-5])/m)
    assert.match(b.stderr(), /this node’s clock differs from the database’s by more than a second/)

    await stand.program.stop()
    // Its clock is corrected, and then runs normally.
    for (const pid of [b.process.pid!, ...partsOf(b)]) process.kill(pid, 'SIGUSR2')
    await waitUntil(b, async () => (await ready())?.startsWith('200'))
    await payOut(wallet('fatu456'), { ...stand.shop, baseUrl: b.baseUrl })
    await waitUntil(b, () => sentByB === 1)
    await waitUntil(b, async () => {
      await stand.simulator.clock.advance(300)
      return (await rows()).every(({ status }) => status === 'completed')
    })
  })
})

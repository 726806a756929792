import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts'
import { freePort } from '../support/free-port.ts'
import { type Environment, makeFolder, type Program, spawnProgram, waitUntil } from '../support/program.ts'
import { isSubmit, pass, type RailMessage, type RailProxy, startRailProxy } from '../support/rail-proxy.ts'
import { loadOfRails } from '../support/rails.ts'
import type { SecretRail } from '../support/secret-rail.ts'
import { createRailOrders, type Order, ownConnection, type RailOrders } from './rail-orders.ts'
import { hasEnded, type Judged } from './rail-truth.ts'
import { someOfDay } from './rounds.ts'
import { assertRight, openSettling } from './settling.ts'
import { openStand, type Stand } from './stand.ts'
import { ways } from './ways.ts'

// Node A has the bad days. The other node, the program of the stand, keeps running, and the rails report to its
// URL. Each node reaches the same rails through its own proxy, and A also reaches the database through one.
let stand: Stand
let [proxyOfA, proxyOfB]: RailProxy[] = []
let proxy: DatabaseProxy
let a: Program
let settingsOfA: Environment
let orders: RailOrders
let time: ReturnType<typeof openSettling>

before(async () => {
  ;[proxyOfA, proxyOfB] = [await startRailProxy(), await startRailProxy()]
  stand = await openStand({ rail: proxyOfB, hasOwnNodes: true })
  proxyOfA.simulatorUrl = stand.simulator.url
  proxy = await startDatabaseProxy(stand.database.connection)
  settingsOfA = {
    ...stand.settings,
    PORT: String(await freePort()),
    BASE_URL: stand.shop.baseUrl,
    DATABASE_URL: proxy.url,
    DATA_DIR: makeFolder(),
    SIMULATOR_URL: proxyOfA.url,
  }
  for (const currency of new Set(ways.map((way) => way.currency))) await stand.fund(1_000_000_000, currency)
  orders = createRailOrders(stand, `http://localhost:${settingsOfA.PORT}`)
  time = openSettling(stand, orders)
  a = await startA()
  await Promise.all((await orders.first()).map(({ begin }) => begin()))
  await time.settle()
})
/** The rails respond normally again. Unfinished work is not awaited here, but together at the end. */
afterEach(() => {
  for (const each of [proxyOfA, proxyOfB]) each!.onMessage = (message) => void pass(message)
})
after(async () => {
  await a.stop('SIGKILL')
  await stand.close()
  proxy.close()
  for (const each of [proxyOfA, proxyOfB]) each?.close()
})

async function startA(more: Environment = {}): Promise<Program> {
  const nodeFlags = ['--import', fileURLToPath(new URL('../support/shifted-clock.ts', import.meta.url))]
  const clock = { CLOCK_SHIFT_MS: '0', ...more }
  const program = spawnProgram(['serve', '--work'], { ...settingsOfA, ...clock }, { nodeFlags })
  const isUp = () => fetch(`${program.baseUrl}/healthz`, { headers: ownConnection }).catch(() => undefined)
  await waitUntil(program, async () => (await isUp())?.ok)
  return program
}

async function restartA(more: Environment = {}): Promise<void> {
  await a.stop('SIGKILL')
  a = await startA(more)
}

/** Begins randomly drawn payments, payouts and refunds at node A; either node may learn their outcomes. */
async function begin(): Promise<{ begun: Order[]; responses: Promise<unknown> }> {
  const { payments, payouts, refunds } = await orders.draw({ payments: 2, payouts: 2, refunds: 1 })
  const begun = [...refunds, ...payouts, ...payments]
  // Clients retry after a dropped connection, or a 503 from a node without its database.
  return { begun, responses: Promise.allSettled(begun.map((one) => one.begin())) }
}

/** Returns a filter for everything that is created after this call. */
async function newSince() {
  const known = new Set((await time.judged()).map(({ id }) => id))
  return ({ id }: Judged) => !known.has(id)
}

const repeat = (begun: Order[]) => Promise.all(begun.map(({ again }) => again?.()))

const idsIn = async (state: string) =>
  (
    await stand.db.query<{ id: string }>(sql`
      select id from instructions
      where space_id = ${stand.scope.spaceId} and environment = 'test' and state = ${state}`)
  ).map(({ id }) => id)
const countIn = async (state: string) => (await idsIn(state)).length

const secretRails = [...(await loadOfRails<{ secrets: SecretRail }>('secrets')).values()]

/**
 * The rails for which it is soonest certain that no request is still on its way. For the others, A may still be
 * allowed to send.
 */
const soonest = ['rest', 'acquirer', 'pawapay'].flatMap((protocol) =>
  ways.flatMap(({ provider }) => (provider.protocol === protocol ? [provider.providerId] : [])),
)
const endsSoonest = ({ providerId }: Judged) => soonest.includes(providerId)

/** Ways to stop node A and let it continue, while the second node keeps working. */
const stops = {
  'is paused': {
    stop: () => void a.process.kill('SIGSTOP'),
    resume: () => void a.process.kill('SIGCONT'),
  },
  'loses its database': { stop: () => proxy.cut(), resume: () => proxy.mend() },
}

type Day = { what: string; comes: () => Promise<void> }
const daysOfNode: Day[] = []
const ofNode = (what: string, comes: Day['comes']) => void daysOfNode.push({ what, comes })

for (const [what, { stop, resume: goOn }] of Object.entries(stops)) {
  ofNode(`${what} between prepare and send does not send what the other node has found missing`, async () => {
    const commits = proxy.holdCommits(/(payment|payout|refund)\.processing/)
    const { begun, responses: heard } = await begin()
    await waitUntil(a, async () => (await countIn('submitting')) > 2)
    stop()
    commits.release()
    const before = await time.judged()
    const prepared = before.filter((one) => !hasEnded(one) && one.status !== 'pending' && one.had === 0)
    assert.ok(prepared.length > 0)
    await time.settle(endsSoonest)
    goOn()
    await heard
    await repeat(begun)
    const now = new Map((await time.judged()).map((one) => [one.id, one]))
    for (const { id } of prepared.filter(endsSoonest))
      assert.deepEqual([now.get(id)?.status, now.get(id)?.had], ['failed', 0])
  })

  ofNode(`${what} between send and record finds the outcome that the other node has recorded`, async () => {
    const held: (() => void)[] = []
    let [sent, sentByOther] = [0, 0]
    // On a slow machine, the other node takes over some work that A has not reached.
    proxyOfB!.onMessage = (message) => {
      if (isSubmit(message)) sentByOther++
      void pass(message)
    }
    proxyOfA!.onMessage = async (message) => {
      if (!isSubmit(message)) return pass(message)
      const response = await message.forward()
      sent++
      if (response) held.push(() => message.response.writeHead(response.status).end(response.body))
    }
    const left = new Set(await idsIn('submitting'))
    const { begun, responses: heard } = await begin()
    const prepared = async () => (await idsIn('submitting')).filter((id) => !left.has(id)).length
    const mostAreSent = () => sent > 0 && sent + sentByOther > begun.length / 2
    await waitUntil(a, async () => mostAreSent() && sent >= (await prepared()))
    stop()
    for (const answer of held) answer()
    await time.settle(endsSoonest)
    goOn()
    proxyOfA!.onMessage = (message) => void pass(message)
    await heard
    await repeat(begun)
  })
}

for (const [what, clock] of Object.entries({
  'is ten minutes fast': { CLOCK_SHIFT_MS: '600000' },
  'is ten minutes slow': { CLOCK_SHIFT_MS: '-600000' },
}))
  ofNode(`${what} accepts and submits nothing, while the other node does`, async () => {
    await restartA(clock)
    let sent = 0
    proxyOfA!.onMessage = (message) => {
      if (isSubmit(message)) sent++
      void pass(message)
    }
    const { begun, responses: heard } = await begin()
    await heard
    await waitUntil(stand.program, async () => (await countIn('created')) === 0)
    assert.equal(sent, 0)
    await restartA()
    await repeat(begun)
  })

for (const jumpMs of [600_000, -600_000])
  ofNode(`jumps by ${jumpMs / 60_000} minutes during its calls records their outcomes`, async () => {
    await restartA({ CLOCK_JUMP_MS: String(jumpMs) })
    let sent = 0
    proxyOfA!.onMessage = (message) => {
      if (isSubmit(message) && ++sent === 10) a.process.kill('SIGUSR2')
      void pass(message)
    }
    const { begun, responses: heard } = await begin()
    await waitUntil(a, () => sent >= 10)
    await heard
    await waitUntil(stand.program, async () => (await countIn('created')) === 0)
    await restartA()
    await repeat(begun)
  })

/** Unintelligible responses. The rail may or may not have processed the message. */
const misbehaviours: Record<string, (response: RailMessage['response'], body: string) => void> = {
  'never responds': () => {},
  'drips bytes': (response, body) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length + 1_000 })
    const dripping = setInterval(() => response.write(' '), 200)
    response.on('close', () => clearInterval(dripping))
  },
  'closes early': (response, body) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length + 10 })
    response.write(body.slice(0, body.length / 2), () => response.destroy())
  },
  redirects: (response) => response.writeHead(307, { location: `${proxyOfB!.url}/elsewhere` }).end(),
}

const daysOfRail: Day[] = []
const ofRail = (what: string, comes: Day['comes']) => void daysOfRail.push({ what, comes })

for (const [what, misbehave] of Object.entries(misbehaviours))
  ofRail(
    `${what}, whether or not it received the message, does not slow other rails, and nothing is lost when it recovers`,
    async () => {
      const [sick, well] = [ways.filter((_, i) => i % 2 === 0), ways.filter((_, i) => i % 2 === 1)]
      const idsOf = (some: typeof ways) => some.map(({ provider }) => provider.providerId)
      let [redirected, messages] = [0, 0]
      const onMessage = async (message: RailMessage) => {
        if (message.path.includes('/elsewhere')) redirected++
        const isSick = idsOf(sick).some((providerId) => message.path.includes(`/${providerId}/`))
        if (!isSick) return pass(message)
        const response = ++messages % 2 === 0 ? await message.forward() : undefined
        misbehave(message.response, response?.body ?? '{}')
      }
      for (const each of [proxyOfA, proxyOfB]) each!.onMessage = (message) => void onMessage(message)
      const isNew = await newSince()
      const { responses: heard } = await begin()
      await heard
      const meanwhile = await time.settle((one) => isNew(one) && idsOf(well).includes(one.providerId))
      const isSick = (one: Judged) => isNew(one) && idsOf(sick).includes(one.providerId)
      assert.ok(
        meanwhile.some((one) => isSick(one) && !hasEnded(one)),
        'some payments should still be waiting for it',
      )
      assert.equal(redirected, 0)
    },
  )

ofRail('issues no tokens for an hour is sent no orders, and does not slow other rails', async () => {
  let [refused, sent] = [0, 0]
  const needToken = secretRails.flatMap(({ secrets }) => (secrets.tokenPath ? [secrets.protocol] : []))
  const providerIds = ways.flatMap(({ provider }) =>
    needToken.includes(provider.protocol) ? [provider.providerId] : [],
  )
  // No node may still have a token from before.
  await a.stop('SIGKILL')
  await stand.kill()
  for (const each of [proxyOfA, proxyOfB])
    each!.onMessage = (message) => {
      const isConcerned = providerIds.some((providerId) => message.path.includes(`/${providerId}/`))
      if (!isConcerned) return pass(message)
      if (isSubmit(message)) sent++
      refused++
      message.response.writeHead(503).end()
    }
  await stand.start()
  a = await startA()
  const isNew = await newSince()
  const { responses: heard } = await begin()
  await heard
  for (let minutes = 0; minutes < 60; minutes += 10) await time.passTimes(10_000, '10m')
  await time.settle((one) => isNew(one) && !providerIds.includes(one.providerId))
  assert.ok(refused > 0)
  assert.equal(sent, 0)
})

describe('a node that', () => {
  for (const { what, comes } of someOfDay(daysOfNode, 1)) test(what, comes)
})

describe('a rail that', () => {
  for (const { what, comes } of someOfDay(daysOfRail, 1)) test(what, comes)
})

test('in the end, everything is resolved automatically, and the money is where the rails and the books say', {
  timeout: 300_000,
}, async () => {
  for (const one of await time.settle()) assertRight(one)
  await stand.verify()
})

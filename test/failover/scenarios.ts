import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../packages/server/src/platform/db/database.ts'
import { readId } from '../../packages/server/src/platform/ids.ts'
import { spaceIds } from '../../packages/server/src/tenants/spaces/resources.ts'
import { draw } from '../crash/rounds.ts'
import { fund } from '../support/money.ts'
import { call, makeShop, runProgram, type Shop } from '../support/program.ts'
import { realTime } from '../support/simulator.ts'
import { type Clients, compare, compareWithRails, openClients } from './clients.ts'
import { type Cluster, type Lab, psql, until, urlAt } from './cluster.ts'
import { failOverLikeCompose } from './compose.ts'
import { install } from './files.ts'
import { createMachine, createNetwork, cut, mend } from './machines.ts'
import { installManualProxy, type ManualCluster, startManualCluster } from './manual.ts'
import { type Nodes, startNodes } from './nodes.ts'
import { type PatroniCluster, startPatroniCluster } from './patroni.ts'

// Failovers under load, in a network of simulated machines. `inside.ts` starts this file in namespaces of its own.

const [kills = 0, lags = 0, patroniKills = 0, switchovers = 0, partitions = 0] = [
  'KILLS',
  'LAGS',
  'PATRONI',
  'SWITCHOVERS',
  'PARTITIONS',
].map((name) => Number(process.env[`FAILOVER_${name}`] ?? 0))
const folder = process.env.FAILOVER_FOLDER!

createNetwork()
const [db1, db2, app1, app2] = await Promise.all([
  createMachine(folder, 'db1', 11),
  createMachine(folder, 'db2', 12),
  createMachine(folder, 'app1', 21),
  createMachine(folder, 'app2', 22),
])
const lab: Lab = { db1, db2, app1, app2 }

/** The longest that a test waits for an outcome that a rail must be asked about. */
const settleMs = 150_000

type Round = {
  scenario: string
  acknowledged: number
  refused: number
  repeated: number
  /** Responses with status 503, and requests without a response. */
  unavailable: number
  unanswered: number
  outageMs: number
  /** From the promotion to the first acknowledged write. */
  firstMs: number
  /** From the promotion, or the end of a partition, until each node has acknowledged a write. */
  servedMs: Record<string, number>
  /** The longest time that a client waited for a response. */
  longestMs: number
}

/** Everything that a scenario needs, apart from the database servers. */
type Site = { nodes: Nodes; shop: Shop; clients: Clients }

async function openSite(cluster: Cluster, nodes: Nodes): Promise<Site> {
  const connectionString = urlAt(cluster.primary.address)
  const shop = await makeShop({ DATABASE_URL: connectionString }, nodes.urls.app1)
  const db = openDatabase({ connectionString }, { maxConnections: 1, onIdleError: () => {} })
  const scope = { spaceId: readId(spaceIds, shop.spaceId)!, environment: 'test' } as const
  const source = await fund({ db, clock: realTime }, scope, 10 ** 9)
  await db.close()
  const made = await call(shop, 'POST', '/v1/financial-accounts', { name: 'Rent', currency: 'SLE' })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  const clients = openClients({ shop, nodes: nodes.urls, source, destination: made.body.result.id })
  return { nodes, shop, clients }
}

/** Returns when the first write was acknowledged after a moment, by one node or by any. */
const firstWriteAfter = ({ seen }: Clients, since: number, node?: string): number | undefined =>
  seen.find(
    (one) =>
      one.isWrite && one.status < 400 && one.status > 0 && one.at > since && (!node || one.node === node),
  )?.at

/** Runs the clients during a failover, and compares what they believe with the rows of the new primary. */
async function failOver(
  scenario: string,
  { nodes, clients }: Site,
  cluster: Cluster,
  {
    fail,
    recover,
  }: {
    /** Makes the primary fail. */
    fail(): Promise<void>
    /** Returns when the standby was promoted, once it has been, and when `app2` was no longer cut off. */
    recover(failedAt: number): Promise<{ promotedAt: number; mendedAt?: number }>
  },
): Promise<void> {
  const seenBefore = clients.seen.length
  const knownBefore = clients.beliefs.length
  clients.start()
  await until('every node acknowledges writes', () =>
    Object.keys(nodes.urls).every((node) => firstWriteAfter(clients, startOf(seenBefore, clients), node)),
  )
  await sleep(draw(300, 1_500))
  const failedAt = performance.now()
  await fail()
  const { promotedAt, mendedAt = promotedAt } = await recover(failedAt)
  const firstAt = await until('a write is acknowledged', () => firstWriteAfter(clients, promotedAt))
  const servedMs: Record<string, number> = {}
  for (const node of Object.keys(nodes.urls)) {
    // The node that was cut off can serve only once the network is whole.
    const since = node === 'app2' ? mendedAt : promotedAt
    const servedAt = await until(`${node} acknowledges a write`, () => firstWriteAfter(clients, since, node))
    servedMs[node] = Math.round(servedAt - since)
  }
  await sleep(draw(300, 800))
  await clients.stop()
  const repeated = await clients.repeatUnknown()
  // Servers may restart when the network is whole again.
  const connection = { connectionString: urlAt(cluster.primary.address) }
  const compared = await until('the rows are compared', () => compare(clients, connection))
  const seen = clients.seen.slice(seenBefore)
  const lastBefore = Math.max(
    ...seen
      .filter(({ at, status, isWrite }) => isWrite && status === 200 && at < firstAt)
      .map(({ at }) => at),
  )
  const beliefs = clients.beliefs.slice(knownBefore)
  const round: Round = {
    scenario,
    acknowledged: beliefs.filter(({ state }) => state === 'acknowledged').length,
    refused: beliefs.filter(({ state }) => state === 'refused').length,
    repeated,
    unavailable: seen.filter(({ status }) => status === 503).length,
    unanswered: seen.filter(({ status }) => status === 0).length,
    outageMs: Math.round(firstAt - lastBefore),
    firstMs: Math.round(firstAt - promotedAt),
    servedMs,
    longestMs: Math.round(Math.max(...seen.map(({ sentAt, at }) => at - sentAt))),
  }
  console.log(`round ${JSON.stringify(round)}`)
  assertRight(compared, clients)
}

const startOf = (count: number, { seen }: Clients) => seen[count - 1]?.at ?? 0

function assertRight(
  { lost, doubled, unwanted }: Awaited<ReturnType<typeof compare>>,
  clients: Clients,
): void {
  assert.deepEqual({ lost, doubled, unwanted }, { lost: [], doubled: [], unwanted: [] })
  assert.deepEqual(clients.vanished, [], 'acknowledged objects that the same node did not find')
  const wrong = clients.seen.filter(
    ({ status, retryAfter }) => (status >= 500 && status !== 503) || (status === 503 && !retryAfter),
  )
  assert.deepEqual(wrong, [], 'server errors, or 503 without Retry-After')
  const unanswered = clients.seen.filter(({ status }) => status === 0)
  assert.deepEqual(unanswered, [], 'requests without a response')
}

/** Asserts that the books balance, and that the rails moved money exactly once for what the books show. */
async function assertSettled({ nodes, shop }: Site, cluster: Cluster, isPatient: boolean): Promise<void> {
  const connection = { connectionString: urlAt(cluster.primary.address) }
  const compareRails = () =>
    until('the rails are compared', () => compareWithRails(nodes.simulator, connection))
  let found = await compareRails()
  const since = performance.now()
  while (found.open > 0 && performance.now() < since + (isPatient ? settleMs : 5_000)) {
    await nodes.simulator.clock.advance(300)
    await call(shop, 'POST', '/v1/test-clock', { advance: '5s' }).catch(() => undefined)
    await sleep(100)
    found = await compareRails()
  }
  console.log(`rails ${JSON.stringify(found)}`)
  assert.deepEqual({ twice: found.twice, wrong: found.wrong }, { twice: [], wrong: [] })
  if (isPatient) assert.equal(found.open, 0)
  const { code, stdout, stderr } = await runProgram(['verify'], { DATABASE_URL: connection.connectionString })
  assert.equal(code, 0, stdout + stderr)
}

/** Makes the installation a live one. */
const liveToken = `insert into tokens (id, user_id, environment, name, hash, scopes, created_at)
  select gen_random_uuid(), user_id, 'live', name, 'live', scopes, created_at from tokens limit 1`

/** Lets simulated payers approve payments while the clients run. */
function passTime({ simulator }: Nodes): () => void {
  const timer = setInterval(() => void simulator.clock.advance(500).catch(() => {}), 500)
  return () => clearInterval(timer)
}

describe('without Patroni', { skip: kills + lags === 0 }, () => {
  let cluster: ManualCluster
  let site: Site
  let stopTime: () => void

  before(async () => {
    cluster = await startManualCluster(lab)
    const nodes = await startNodes(lab, (machine) => installManualProxy(machine, cluster))
    stopTime = passTime(nodes)
    site = await openSite(cluster, nodes)
  })
  after(async () => {
    stopTime?.()
    await site?.nodes.stop()
    await cluster?.stop()
  })

  /** Makes the former primary the standby, as the guide describes. */
  async function restore(): Promise<void> {
    await site.nodes.restartProxy()
    await cluster.rebuildStandby()
  }

  test(`after ${kills} kills of the primary, each followed by a promotion, everything acknowledged exists once`, {
    skip: kills === 0,
  }, async () => {
    for (let i = 0; i < kills; i++) {
      await failOver('kill', site, cluster, {
        fail: () => cluster.killPrimary(),
        async recover() {
          await sleep(draw(0, 1_000))
          const promotedAt = performance.now()
          cluster.promote()
          return { promotedAt }
        },
      })
      await restore()
    }
    await assertSettled(site, cluster, kills > 1)
  })

  test(`while the standby does not respond, nothing is acknowledged, and ${lags} failovers to it lose nothing`, {
    skip: lags === 0,
  }, async () => {
    for (let i = 0; i < lags; i++) {
      await failOver('lag', site, cluster, {
        async fail() {
          const { seen } = site.clients
          const thaw = cluster.freezeStandby()
          const frozenAt = performance.now()
          await until('a node refuses requests', () =>
            seen.some(({ at, status }) => at > frozenAt && status === 503),
          )
          await sleep(draw(1_000, 30_000))
          await cluster.killPrimary()
          const killedAt = performance.now()
          thaw()
          // A response may have been on its way when the standby was frozen.
          const late = seen.filter(
            ({ at, isWrite, status }) => isWrite && status === 200 && at > frozenAt + 500 && at < killedAt,
          )
          assert.deepEqual(late, [], 'writes that no standby had')
        },
        async recover() {
          const promotedAt = performance.now()
          cluster.promote()
          return { promotedAt }
        },
      })
      await restore()
    }
    await assertSettled(site, cluster, lags > 1)
  })

  test('doctor warns if commits do not wait for a standby, and reports a problem if they wait for one that is missing', async () => {
    const { primary } = cluster
    psql(primary, liveToken, 'pesewa')
    const standby = async () => {
      const given = { DATABASE_URL: urlAt(primary.address), SECRET_KEY: site.nodes.simulator.secretKey }
      const { stdout } = await runProgram(['doctor', '--json', '--offline'], given)
      const { checks } = JSON.parse(stdout) as { checks: { check: string; status: string; says: string }[] }
      return checks.find(({ check }) => check === 'standby')!
    }
    const { status, says } = await standby()
    assert.equal(status, 'ok', says)
    assert.match(says, /^db\d is streaming \(synchronous, \d+\.\d s behind\)$/)
    for (const [names, expected, reason] of [
      [`''`, 'warning', 'synchronous_standby_names is empty'],
      [`'db3'`, 'problem', 'commits wait for a synchronous one: synchronous_standby_names is db3'],
    ] as const) {
      psql(primary, `alter system set synchronous_standby_names = ${names}`)
      psql(primary, 'select pg_reload_conf()')
      const warned = await until(reason, async () => {
        const found = await standby()
        return found.says.includes(reason) && found
      })
      assert.equal(warned.status, expected)
    }
  })
})

test('with compose, commits wait for the standby, and it can be promoted', () => failOverLikeCompose(lab))

describe('with Patroni', { skip: patroniKills + partitions + switchovers === 0 }, () => {
  let cluster: PatroniCluster
  let site: Site
  let stopTime: () => void

  before(async () => {
    cluster = await startPatroniCluster(lab)
    const nodes = await startNodes(lab, (machine) =>
      install(machine, 'haproxy.cfg', '/etc/haproxy/haproxy.cfg'),
    )
    stopTime = passTime(nodes)
    site = await openSite(cluster, nodes)
  })
  after(async () => {
    stopTime?.()
    await site?.nodes.stop()
    await cluster?.stop()
  })

  /** Waits until Patroni has promoted the standby, and returns when it did. */
  async function promotion(failedAt: number): Promise<number> {
    ;[cluster.primary, cluster.standby] = [cluster.standby, cluster.primary]
    return until('Patroni promotes the standby', () => cluster.promotedAt(cluster.primary, failedAt), 60_000)
  }

  test(`after ${patroniKills} kills of Patroni and the primary, everything acknowledged exists once`, {
    skip: patroniKills === 0,
  }, async () => {
    for (let i = 0; i < patroniKills; i++) {
      await failOver('patroni', site, cluster, {
        fail: () => cluster.killPrimary(),
        recover: async (failedAt) => ({ promotedAt: await promotion(failedAt) }),
      })
      cluster.restart(cluster.standby)
      await cluster.untilSynchronous()
    }
    await assertSettled(site, cluster, patroniKills > 1)
  })

  test(`after ${switchovers} planned switchovers, everything acknowledged exists once`, {
    skip: switchovers === 0,
  }, async () => {
    for (let i = 0; i < switchovers; i++) {
      await failOver('switchover', site, cluster, {
        fail: async () => cluster.switchOver(),
        recover: async (failedAt) => ({ promotedAt: await promotion(failedAt) }),
      })
      await cluster.untilSynchronous()
    }
    await assertSettled(site, cluster, switchovers > 1)
  })

  test(`after ${partitions} divisions of the network, with clients on both sides, everything acknowledged exists once`, {
    skip: partitions === 0,
  }, async () => {
    for (let i = 0; i < partitions; i++) {
      const isolated = [cluster.primary, app2]
      await failOver('partition', site, cluster, {
        fail: async () => cut(isolated),
        async recover(failedAt) {
          const promotedAt = await promotion(failedAt)
          await until('a write is acknowledged', () => firstWriteAfter(site.clients, promotedAt))
          mend(isolated)
          return { promotedAt, mendedAt: performance.now() }
        },
      })
      if (i + 1 < partitions) await cluster.untilSynchronous()
    }
    await assertSettled(site, cluster, partitions > 1)
  })
})

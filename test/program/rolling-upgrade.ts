import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { addColumnToEachTable } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { startHaproxy, withoutHaproxy } from '../support/haproxy.ts'
import { startNginx, withoutNginx } from '../support/nginx.ts'
import { exportPreviousRelease } from '../support/previous-release.ts'
import {
  call,
  type Environment,
  makeDatabase,
  makeFolder,
  type Program,
  pay,
  runProgram,
  type Shop,
  startProgram,
  waitUntil,
} from '../support/program.ts'
import { type Load, startLoad } from './upgrade-load.ts'

/** The reason to skip this, or false if both are installed. */
export const withoutBalancers = withoutNginx || withoutHaproxy

const roundsBetweenSteps = 3
const funds = 1_000_000

/** Returns how to connect to an empty database. */
type Connect = (
  place: Awaited<ReturnType<typeof makeDatabase>>,
  old: { release: string },
) => Promise<Environment>

/**
 * The previous release and this one share a database while four nodes are replaced one by one behind nginx and
 * HAProxy, and then restarted one by one. Asserts that no request fails and that nothing is lost or done twice.
 */
export async function upgradeUnderLoad(t: TestContext, connect: Connect): Promise<void> {
  const old = { release: exportPreviousRelease() }
  const place = await makeDatabase({ isEmpty: true })
  const serving = [await freePort(), await freePort()].map(String)
  const metrics = await Promise.all([1, 2, 3, 4].map(async () => String(await freePort())))
  const [nginx, haproxy] = await Promise.all([startNginx(serving), startHaproxy(serving)])
  for (const balancer of [nginx, haproxy]) t.after(() => balancer.close())
  const settings: Environment = {
    ...(await connect(place, old)),
    DATA_DIR: makeFolder(),
    BASE_URL: nginx.baseUrl,
    SIMULATOR_URL: `${nginx.baseUrl}/simulator`,
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMITS: 'off',
    DATABASE_POOL_SIZE: '8',
  }
  const migrated = await runProgram(['migrate'], settings, old)
  assert.equal(migrated.code, 0, migrated.stderr)

  /** Two nodes that serve requests and two that run jobs. */
  const start = (i: number, release?: object): Promise<Program> => {
    const own = { ...settings, METRICS_PORT: metrics[i]!, DATA_DIR: makeFolder() }
    const port = serving[i]
    return port === undefined
      ? startProgram(['work'], own, release)
      : startProgram(['serve'], { ...own, PORT: port, DRAIN_SECONDS: '2' }, release)
  }
  const nodes = await Promise.all(metrics.map((_, i) => start(i, old)))
  const replace = async (i: number) => {
    const { code, stderr } = await nodes[i]!.stop('SIGTERM')
    assert.equal(code, 0, stderr)
    nodes[i] = await start(i)
  }
  /** Returns whether a node has received a request through a balancer. */
  const isUsed = async (i: number) =>
    serving[i] === undefined || /pesewa_request_seconds_count\{.*route="\/v1\//.test(await readMetrics(i))
  const readMetrics = async (i: number) => (await fetch(`http://127.0.0.1:${metrics[i]}/metrics`)).text()

  const loads = await Promise.all(
    [nginx, haproxy].map(async ({ baseUrl }) => {
      const shop = await openShop(settings, baseUrl, old)
      return startLoad(shop, await openAccounts(nodes[0]!, shop))
    }),
  )
  for (const load of loads) t.after(() => Promise.all([load.stop(), load.leave()]))
  const onward = () => Promise.all(loads.map((load) => makeProgress(nodes[0]!, load)))
  await onward()

  const upgraded = await runProgram(['migrate'], settings)
  assert.equal(upgraded.code, 0, upgraded.stderr)
  await onward()
  await expand(place.connection)
  await onward()
  for (const port of metrics) assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
  // A node of the previous release that crashes now can start again.
  await nodes[3]!.stop('SIGKILL')
  nodes[3] = await start(3, old)
  for (const round of ['upgrade', 'restart'])
    for (const i of nodes.keys()) {
      await replace(i)
      await onward()
      // nginx uses a node again only a second after it has failed.
      await waitUntil(nodes[i]!, () => isUsed(i))
      const counts = loads.map(
        ({ requests, failures }) => `${requests()} requests, ${failures.length} failures`,
      )
      t.diagnostic(`${round} of node ${i + 1}: ${counts.join('; ')}`)
    }

  for (const load of loads) {
    await load.stop()
    assert.deepEqual(load.failures, [], nginx.errors())
    await load.check()
    await load.checkEvents((look) => waitUntil(nodes[0]!, look))
  }
  const { code, stdout } = await runProgram(['verify'], settings)
  assert.equal(code, 0, stdout)
  for (const { requests, paidOrders, events } of loads)
    t.diagnostic(`${requests()} requests, ${paidOrders.length} payments, ${events.length} events`)
}

const makeProgress = (program: Program, { progress, failures }: Load) => {
  const before = progress()
  return waitUntil(program, () => {
    assert.deepEqual(failures, [])
    return progress() > before + roundsBetweenSteps
  })
}

/** What a later release may add: a column in every table. Its migration works with all releases. */
async function expand(connection: Awaited<ReturnType<typeof makeDatabase>>['connection']): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await addColumnToEachTable(client)
    await client.query(
      `insert into schema_migrations (version, name, checksum, oldest_release) values (9999, 'later', '', 0)`,
    )
  } finally {
    await client.end()
  }
}

/** Creates a Space and a token with the commands of a release. */
async function openShop(settings: Environment, baseUrl: string, release: object): Promise<Shop> {
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await runProgram([...args, '--json'], settings, release)
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  }
  const { id: spaceId } = await json('spaces', 'create', '--name', 'Shop')
  const { id: user } = await json('users', 'add', '--email', `${randomUUID()}@shop.example`)
  await json('members', 'set', '--space', spaceId, '--user', user, '--role', 'owner')
  const { token } = await json('tokens', 'create', '--user', user, '--environment', 'test', '--name', 'test')
  return { baseUrl, spaceId, testToken: token }
}

/** Funds the main account with a payment, and opens another one. Returns both ids. */
async function openAccounts(program: Program, shop: Shop): Promise<[string, string]> {
  await pay(program, shop, funds)
  const { result } = (await call(shop, 'GET', '/v1/financial-accounts')).body
  const made = await call(shop, 'POST', '/v1/financial-accounts', { name: 'Savings', currency: 'SLE' })
  return [result[0].id, made.body.result.id]
}

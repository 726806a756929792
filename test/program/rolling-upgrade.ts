import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { addColumnToEachTable } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { startNginx } from '../support/nginx.ts'
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

const roundsBetweenSteps = 3
const funds = 1_000_000

/** Returns how to connect to an empty database. */
type Connect = (
  place: Awaited<ReturnType<typeof makeDatabase>>,
  old: { release: string },
) => Promise<Environment>

/**
 * The previous release and this one share a database while four nodes are replaced one by one behind nginx, and then
 * restarted one by one. Asserts that no request fails and that nothing is lost or done twice.
 */
export async function upgradeUnderLoad(t: TestContext, connect: Connect): Promise<void> {
  const old = { release: exportPreviousRelease() }
  const place = await makeDatabase({ isEmpty: true })
  const ports = await Promise.all([1, 2, 3, 4].map(async () => String(await freePort())))
  const nginx = await startNginx(ports.slice(0, 3))
  t.after(() => nginx.close())
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

  /** Three nodes that serve requests and one that runs jobs. */
  const start = (i: number, release?: object): Promise<Program> =>
    i < 3
      ? startProgram(['serve'], { ...settings, PORT: ports[i]!, DRAIN_SECONDS: '1' }, release)
      : startProgram(['work'], { ...settings, METRICS_PORT: ports[i]!, DATA_DIR: makeFolder() }, release)
  const nodes = await Promise.all(ports.map((_, i) => start(i, old)))
  const replace = async (i: number) => {
    const { code, stderr } = await nodes[i]!.stop('SIGTERM')
    assert.equal(code, 0, stderr)
    nodes[i] = await start(i)
  }
  const shop = await openShop(settings, nginx.baseUrl, old)
  const load = startLoad(shop, await openAccounts(nodes[0]!, shop))
  t.after(() => load.stop())
  t.after(() => load.leave())
  const onward = () => makeProgress(nodes[0]!, load)
  await onward()

  const upgraded = await runProgram(['migrate'], settings)
  assert.equal(upgraded.code, 0, upgraded.stderr)
  await onward()
  await expand(place.connection)
  await onward()
  for (const port of ports) assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
  // A node of the previous release that crashes now can start again.
  await nodes[3]!.stop('SIGKILL')
  nodes[3] = await start(3, old)
  for (const round of ['upgrade', 'restart'])
    for (const i of ports.keys()) {
      await replace(i)
      await onward()
      t.diagnostic(`${round} of node ${i + 1}: ${load.requests()} requests, ${load.failures.length} failures`)
    }

  await load.stop()
  assert.deepEqual(load.failures, [], nginx.errors())
  await load.check()
  await load.checkEvents((look) => waitUntil(nodes[0]!, look))
  const { code, stdout } = await runProgram(['verify'], settings)
  assert.equal(code, 0, stdout)
  t.diagnostic(
    `${load.requests()} requests, ${load.paidOrders.length} payments, ${load.events.length} events`,
  )
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
  const { id: user } = await json('users', 'add', '--email', 'owner@shop.example')
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

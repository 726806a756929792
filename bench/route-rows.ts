import { must } from '@pesewa/values'
import { accountIds } from '../packages/server/src/ledger/accounts/resources.ts'
import { showId } from '../packages/server/src/platform/ids.ts'
import { openMainAccounts } from './books.ts'
import { type Node, startNode } from './node.ts'
import {
  listPages,
  type Shop,
  stockShop,
  wantedAccount,
  wantedCode,
  wantedOtp,
  wantedPayout,
  wantedSession,
} from './route-fixtures.ts'
import type { RouteKind, RouteName, RoutesTask } from './routes.ts'
import { measureChild, type Plan, paceOf, type Run, settle, withFramework } from './rows.ts'

type RouteLoad = Pick<RoutesTask, 'paths' | 'bodies' | 'expected'>

/**
 * Measures the routes that a shop calls often, one after another, on a node that only serves requests: POST,
 * GET by id (200 objects in turn), pages of 50, and the payment page. A node with background jobs creates the
 * objects first. A row takes half as long as others, because there are many and their rates vary little.
 */
export async function measureRoutes(whole: Run): Promise<void> {
  const { seconds, warmUpSeconds } = whole.options
  const options = { ...whole.options, seconds: seconds / 2, warmUpSeconds: warmUpSeconds / 2 }
  const run = { ...whole, options }
  const { database, books } = run
  if (!options.only.includes('routes')) return
  const [main] = await openMainAccounts(database, [books, ...books.shops])
  const shopOn = (origin: string): Shop => ({
    origin,
    token: books.token,
    spaceId: books.shownSpaceId,
    mainAccount: showId(accountIds, main!),
  })
  const working = await startNode(database, ['serve', '--work'], { RATE_LIMITS: 'off' })
  try {
    await stockShop(shopOn(working.origin), Math.min(stocked, options.accounts))
  } finally {
    await working.stop()
  }
  const node = await startNode(database, ['serve'])
  const unlogged = await startNode(database, ['serve'], { REQUEST_LOG: 'off' })
  try {
    const loads = await findLoads(shopOn(node.origin))
    for (const [kind, target] of typical)
      await measureBytes(run, node, kind, must(new Map(loads).get(target), target))
    for (const [target, load] of loads) {
      await measureRoute(run, node, target, load)
      // The route without the request log is measured immediately after the same route with it, under the same
      // conditions.
      const unloggedTarget = loggedRoutes[target]
      if (unloggedTarget) await measureRoute(run, unlogged, unloggedTarget, load)
    }
  } finally {
    await node.stop()
    await unlogged.stop()
  }
}

/** Routes that show the cost of the request log: a quick read and a common command. */
const loggedRoutes: Record<string, RouteName> = {
  'GET payment': 'GET payment, no log',
  'POST session': 'POST session, no log',
}

/** The routes whose responses plain Fastify sends, for comparison with all routes of their kind. */
const typical: [RouteKind, RouteName][] = [
  ['GET', 'GET session'],
  ['list', 'list sessions'],
  ['page', 'page'],
]

/** Measures plain Fastify while it sends the bytes of a route's response. */
async function measureBytes(run: Run, node: Node, kind: RouteKind, load: RouteLoad): Promise<void> {
  const { options, books } = run
  const response = await fetch(`${node.origin}${load.paths[0]}`, {
    headers: { authorization: `Bearer ${books.token}`, 'service-space-id': books.shownSpaceId },
  })
  const sent = { type: response.headers.get('content-type') ?? '', text: await response.text() }
  const plan: Plan = { target: kind, lanes: options.connections, offered: null, historyLines: null }
  await withFramework(run, plan, { sent }, (origin, observe) =>
    measureChild('routes.ts', { origin, callers: [books], ...load, pace: paceOf(run, plan) }, observe),
  )
}

async function measureRoute(run: Run, node: Node, target: RouteName, load: RouteLoad): Promise<void> {
  const { options, database, books } = run
  const plan: Plan = { target, lanes: options.connections, offered: null, historyLines: null }
  const callers = isOfMany(target) ? books.shops : [books]
  const task: RoutesTask = { origin: node.origin, callers, ...load, pace: paceOf(run, plan) }
  await settle(run)
  const told = await measureChild(
    'routes.ts',
    task,
    (pid) => ({ server: node.pid, load: pid, postgres: database.postmaster }),
    node.metrics,
  )
  run.told({ part: 'routes', ...plan, ...told })
}

const isOfMany = (name: RouteName) => name.endsWith(', Spaces')

/** Number of objects of each type. */
const stocked = 200
/** Number of phones that receive OTPs; a phone can have only a few active ones. */
const phones = 1_000

const resources = {
  session: '/v1/checkout-sessions',
  payment: '/v1/payments',
  account: '/v1/financial-accounts',
  transaction: '/v1/financial-transactions',
  transfer: '/v1/internal-transfers',
  payout: '/v1/payouts',
  code: '/v1/payment-codes',
  otp: '/v1/ussd-otps',
  event: '/v1/events',
  webhook: '/v1/webhooks',
}

export async function findLoads(shop: Shop): Promise<[RouteName, RouteLoad][]> {
  const reads: [RouteName, RouteLoad][] = []
  const lists: [RouteName, RouteLoad][] = []
  const listed = async (name: string, path: string, shown = path) => {
    const { paths, entries } = await listPages(shop, path)
    reads.push([`GET ${name}`, get(entries.map(({ id }) => `${shown}/${id}`))])
    lists.push([`list ${name.replace(/y$/, 'ie')}s`, get(paths)])
    return entries
  }
  const found = new Map<string, Awaited<ReturnType<typeof listed>>>()
  for (const [name, path] of Object.entries(resources)) found.set(name, await listed(name, path))
  await listed('delivery', `/v1/webhooks/${found.get('webhook')![0]!.id}/deliveries`, '/v1/deliveries')
  const accounts = found.get('account')!
  const orders = found.get('payment')!.map(({ orderNumber }) => orderNumber)
  const pages = found.get('session')!.map(({ redirectUrl }) => new URL(redirectUrl!).pathname)
  return [
    ['POST session', post(resources.session, wantedSession)],
    ['POST session, Spaces', post(resources.session, wantedSession)],
    ['POST account', post(resources.account, wantedAccount)],
    ['POST code', post(resources.code, wantedCode)],
    ['POST otp', post(resources.otp, ...Array.from({ length: phones }, (_, i) => wantedOtp(i)))],
    ['POST payout', post(resources.payout, wantedPayout)],
    ...reads,
    ['GET balance', get(accounts.map(({ id }) => `${resources.account}/${id}?withBalance=true`))],
    ['GET receipt', get(orders.map((number) => `/v1/receipts/${number}`))],
    ['GET country', get(['/v1/countries/SL', '/v1/countries/GH'])],
    ['GET provider', get(['/v1/momos/m17', '/v1/momos/m18'])],
    ...lists,
    ['page', { ...get(pages), expected: '</html>' }],
  ]
}

const get = (paths: string[]): RouteLoad => ({ paths, bodies: [], expected: '"success":true' })

const post = (path: string, ...bodies: object[]): RouteLoad => ({ ...get([path]), bodies })

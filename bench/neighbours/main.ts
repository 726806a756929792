import '../../packages/server/src/slices.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sequenceNext } from '../../packages/server/src/events/sequencer.ts'
import { maxRowsOfRound } from '../../packages/server/src/events/sequencer-pace.ts'
import { selectPostedLines } from '../../packages/server/src/ledger/accounts/store.ts'
import { type Database, openDatabase } from '../../packages/server/src/platform/db/database.ts'
import { sql } from '../../packages/server/src/platform/db/sql.ts'
import { freePort } from '../../test/support/free-port.ts'
import { createShop, openMainAccounts, type Shop } from '../books.ts'
import type { BenchDatabase } from '../database.ts'
import { type Node, startNode } from '../node.ts'
import { readUsage, usageBetween } from '../usage.ts'
import { registerWebhooks } from '../webhooks.ts'
import { withBenchDatabase } from '../with-database.ts'

/**
 * `npm run bench:neighbours`: measures how one Space affects others. `backlog`: how long it takes to publish a
 * few events of each of many other Spaces while one Space has a very large backlog. `dead`: how much processor
 * time the node spends on many deliveries to a closed port, and how long another Space's GET takes meanwhile.
 * `exports`: how long another Space's GET takes before, during and after a period in which ten Spaces download
 * two large files each, again and again.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    facts: { type: 'string', default: '372000' },
    spaces: { type: 'string', default: '1000' },
    endpoints: { type: 'string', default: '20' },
    events: { type: 'string', default: '5000' },
    rows: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '20' },
    folder: { type: 'string' },
  },
})
const [facts, spaces, endpoints, events, rows, seconds] = [
  Number(values.facts),
  Number(values.spaces),
  Number(values.endpoints),
  Number(values.events),
  Number(values.rows),
  Number(values.seconds),
]
const factsOfOther = 20
const exporters = 10
const getsPerSecond = 50
const patienceMs = 10 * 60_000
const pollMs = 100

const parts = { backlog: measureBacklog, dead: measureDead, exports: measureExports }

for (const part of positionals.length > 0 ? positionals : Object.keys(parts))
  process.exitCode = await withBenchDatabase(undefined, values.folder, async (database) => {
    const db = openDatabase(database.connection, { maxConnections: 2, onIdleError: () => {} })
    try {
      await parts[part as keyof typeof parts](database, db)
      return 0
    } finally {
      await db.close()
    }
  })
// Does not wait until the node of `measureBacklog` has published everything.
process.exit()

async function measureBacklog(database: BenchDatabase, db: Database): Promise<void> {
  const busy = crypto.randomUUID()
  const others = Array.from({ length: spaces }, () => crypto.randomUUID())
  await makeFacts(db, [busy], facts)
  const isWaiting = async () =>
    (await db.only<{ count: number }>(sql`select count(*)::int as count from event_backlog`)).count
  const onlyFresh = { maxRows: maxRowsOfRound, isBacklogPaused: true }
  while ((await sequenceNext(db, selectPostedLines, onlyFresh)).isMore);
  // Autovacuum would do this within a minute.
  await db.query(sql`analyze event_backlog`)
  await makeFacts(db, others, factsOfOther)
  print(
    `${await isWaiting()} facts of one Space are waiting, and ${factsOfOther} facts of each of ${spaces} other Spaces.`,
  )
  const startedAt = performance.now()
  // Not awaited, because publishing everything takes too long. The node stops with the database.
  startNode(database, ['serve', '--work'], { LOG_LEVEL: 'error' }).catch(() => {})
  // every space: the generated Spaces
  const published = async () =>
    (
      await db.only<{ count: number }>(sql`
        select coalesce(sum(sequence), 0)::int as count from event_counters where space_id = any(${others}::uuid[])`)
    ).count
  while ((await published()) < spaces * factsOfOther && performance.now() - startedAt < patienceMs)
    await sleep(pollMs)
  const took = ((performance.now() - startedAt) / 1000).toFixed(1)
  print(
    `${await published()} events of the other Spaces were published within ${took} s of the node's start.`,
  )
}

async function measureDead(database: BenchDatabase, db: Database): Promise<void> {
  const [attacker, other] = [await createShop(database, 'Dead'), await createShop(database, 'Other')]
  const url = `http://127.0.0.1:${await freePort()}/hook`
  const server = await startNode(database, ['serve'], { LOG_LEVEL: 'error' })
  const owner = { origin: server.origin, token: attacker.token, spaceId: attacker.shownSpaceId }
  await registerWebhooks(
    owner,
    Array.from({ length: endpoints }, () => url),
  )
  await server.stop()
  const node = await startNode(database, ['serve', '--work'], { LOG_LEVEL: 'error' })
  print('attempts/s  node, % of a core  GET p50  p99 ms')
  await measure(node, database, other)
  await makeFacts(db, [attacker.scope.spaceId], events)
  while ((await sequenceNext(db, selectPostedLines)).isMore);
  await measure(node, database, other)
  await measure(node, database, other)
  await node.stop()
}

async function measureExports(database: BenchDatabase, db: Database): Promise<void> {
  const other = await createShop(database, 'Other')
  const shops = await Promise.all(
    Array.from({ length: exporters }, (_, i) => createShop(database, `Exporter ${i}`)),
  )
  const accounts = await openMainAccounts(database, shops)
  await db.query(sql`
    insert into financial_accounts (space_id, environment, id, name, currency, uvan, metadata, created_at, updated_at)
    select space_id, environment, gen_random_uuid(), name, currency, 'z' || n || id, json_build_object('x', repeat('x', 400)),
      created_at, updated_at
    from financial_accounts, generate_series(1, ${rows}::int) n
    where space_id = any(${shops.map(({ scope }) => scope.spaceId)}::uuid[]) and environment = 'test' and id = any(${accounts}::uuid[])`)
  await db.query(sql`vacuum analyze financial_accounts`)
  const node = await startNode(database, ['serve'], { LOG_LEVEL: 'error' })
  print('attempts/s  node, % of a core  GET p50  p99 ms')
  await measure(node, database, other)
  await measure(node, database, other)
  const leaving = new AbortController()
  let bytes = 0
  const files = shops.flatMap((shop) =>
    ['text/csv', 'application/x-ndjson'].map((accept) =>
      exportAgain(node, shop, accept, leaving.signal, (length) => (bytes += length)),
    ),
  )
  await measure(node, database, other)
  await measure(node, database, other)
  print(`${(bytes / 1e6 / 2 / seconds).toFixed(1)} MB/s of exports meanwhile.`)
  leaving.abort()
  await Promise.all(files)
  await measure(node, database, other)
  await node.stop()
}

/** Downloads a file again and again at full speed, until the signal is aborted. */
async function exportAgain(
  { origin }: Node,
  { token, shownSpaceId }: Shop,
  accept: string,
  signal: AbortSignal,
  count: (bytes: number) => void,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'service-space-id': shownSpaceId, accept }
  while (!signal.aborted)
    try {
      const response = await fetch(`${origin}/v1/financial-accounts`, { headers, signal })
      if (!response.ok) throw new Error(`The export returned ${response.status}`)
      for await (const chunk of response.body!) count(chunk.length)
    } catch (error) {
      if (!signal.aborted) throw error
    }
}

/** Sends GETs at a fixed rate for a while, and prints their latency and the node's load. */
async function measure(node: Node, { postmaster }: BenchDatabase, shop: Shop): Promise<void> {
  const observed = { server: node.pid, postgres: postmaster }
  const [before, attemptsBefore, startedAt] = [readUsage(observed), await attemptsOf(node), performance.now()]
  const gets: Promise<number>[] = []
  for (let i = 0; i < seconds * getsPerSecond; i++) {
    await sleep(Math.max(0, startedAt + (1000 / getsPerSecond) * i - performance.now()))
    gets.push(timeGet(node, shop))
  }
  const tookMs = (await Promise.all(gets)).sort((a, b) => a - b)
  const after = readUsage(observed)
  const usage = usageBetween(observed, before, after)
  const perSecond = ((await attemptsOf(node)) - attemptsBefore) / ((performance.now() - startedAt) / 1000)
  const at = (share: number) => tookMs[Math.ceil(share * tookMs.length) - 1]!.toFixed(1)
  const ofCore = (after.server - before.server) / ((after.at - before.at) / 1000)
  print(
    [
      perSecond.toFixed(1).padStart(10),
      ofCore.toFixed(0).padStart(18),
      at(0.5).padStart(8),
      at(0.99).padStart(7),
      `  (PostgreSQL ${usage.postgres} %, other ${usage.other} % of all cores)`,
    ].join(' '),
  )
}

async function timeGet({ origin }: Node, { token, shownSpaceId }: Shop): Promise<number> {
  const since = performance.now()
  const response = await fetch(`${origin}/v1/events?limit=1`, {
    headers: { authorization: `Bearer ${token}`, 'service-space-id': shownSpaceId },
  })
  await response.text()
  if (!response.ok) throw new Error(`GET returned ${response.status}`)
  return performance.now() - since
}

async function attemptsOf(node: Node): Promise<number> {
  const counts = ((await node.metrics()) ?? '').matchAll(/^pesewa_delivery_attempts_total\{.*\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Adds this number of session-created facts to each Space. */
async function makeFacts(db: Database, spaceIds: string[], ofEach: number): Promise<void> {
  await db.query(sql`
    insert into event_facts (space_id, environment, id, object_type, object_id, data, at, types)
    select space_id, 'test', gen_random_uuid(), 'checkout_session', gen_random_uuid(), '{"name":"Order 42"}', now(),
      '{checkout_session.created}'
    from unnest(${spaceIds}::uuid[]) spaces (space_id), generate_series(1, ${ofEach}::int)`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

import '../packages/server/src/slices.ts'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { publish } from '../packages/server/src/events/events.ts'
import { type Database, openDatabase } from '../packages/server/src/platform/db/database.ts'
import { sql } from '../packages/server/src/platform/db/sql.ts'
import type { Scope } from '../packages/server/src/platform/scope.ts'
import { onTask } from './children.ts'
import { type Owner, registerWebhooks } from './webhooks.ts'

// Runs in its own process. Creates a burst of events in one Space and receives their webhooks. Meanwhile,
// publishes events in another Space and waits for the delivery of each of them.

type Shop = Omit<Owner, 'origin'> & { scope: Scope }

export type BurstTask = {
  connection: ClientConfig
  origin: string
  endpoints: number
  facts: number
  busy: Shop
  other: Shop
  warmUpMs: number
  measureMs: number
}

const databaseConnections = 4
const eventEveryMs = 50
const patienceMs = 30_000

onTask<BurstTask>(async ({ connection, origin, endpoints, facts, busy, other, ...task }, tell) => {
  const db = openDatabase(connection, { maxConnections: databaseConnections, onIdleError: () => {} })
  const receiver = await startReceiver()
  const urls = Array.from({ length: endpoints }, (_, endpoint) => `${receiver.origin}/${endpoint}`)
  const removals = [
    await registerWebhooks({ origin, ...busy }, urls),
    await registerWebhooks({ origin, ...other }, [`${receiver.origin}/other`]),
  ]
  await makeFacts(db, busy.scope, facts)
  await sleep(task.warmUpMs)

  const events: Promise<number | undefined>[] = []
  await tell({ kind: 'begins' })
  const [begunAt, before] = [performance.now(), receiver.count()]
  const timer = setInterval(() => events.push(tellOne(db, other.scope, receiver.of)), eventEveryMs)
  await sleep(task.measureMs)
  clearInterval(timer)
  const [seconds, done] = [(performance.now() - begunAt) / 1000, receiver.count() - before]
  await tell({ kind: 'ends' })
  // Waits for late deliveries, so that they are included.
  const all = await Promise.all(events)
  const latenciesMs = all.filter((one) => one !== undefined).sort((a, b) => a - b)
  const failed = all.length - latenciesMs.length
  const at = (share: number) => latenciesMs[Math.ceil(share * latenciesMs.length) - 1] ?? 0
  const figures = {
    seconds,
    done,
    failed,
    dropped: 0,
    perSecond: done / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    failure: failed > 0 ? `the other Space's event did not arrive within ${patienceMs} ms` : undefined,
  }
  await tell({ kind: 'measured', figures })
  for (const remove of removals) await remove()
  await db.close()
})

/** Returns the time from the event to its delivery, or `undefined` if it did not arrive. */
async function tellOne(db: Database, scope: Scope, received: (id: string) => Promise<void>) {
  const since = performance.now()
  const objectId = crypto.randomUUID()
  const comes = received(objectId).then(() => performance.now() - since)
  const types = ['checkout_session.created'] as const
  await db.transaction((tx) =>
    publish(tx, scope, { types: [...types], objectId, data: { objectId }, at: new Date() }),
  )
  return Promise.race([comes, sleep(patienceMs, undefined, { ref: false })])
}

/** Inserts facts as if many sessions had been created at the same time. */
const makeFacts = (db: Database, { spaceId, environment }: Scope, facts: number) =>
  db.query(sql`
    insert into event_facts (space_id, environment, id, object_type, object_id, data, at, types)
    select ${spaceId}, ${environment}, gen_random_uuid(), 'checkout_session', gen_random_uuid(),
      '{"name":"Order 42"}', now(), '{checkout_session.created}'
    from generate_series(1, ${facts}::int)`)

async function startReceiver() {
  let count = 0
  const waiting = new Map<string, () => void>()
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      response.writeHead(204).end()
      if (request.url !== '/other') return void count++
      const { objectId } = JSON.parse(text).data
      waiting.get(objectId)?.()
      waiting.delete(objectId)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    of: (objectId: string) => new Promise<void>((resolve) => waiting.set(objectId, resolve)),
  }
}

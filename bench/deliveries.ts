import '../packages/server/src/slices.ts'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ClientConfig } from 'pg'
import { publish } from '../packages/server/src/events/events.ts'
import { openDatabase } from '../packages/server/src/platform/db/database.ts'
import type { Scope } from '../packages/server/src/platform/scope.ts'
import { onTask } from './children.ts'
import { keepPace, type Pace } from './pace.ts'
import { registerWebhooks } from './webhooks.ts'

// Runs in its own process: publishes events and receives their webhooks. An event is done when every responding
// endpoint has received it.

export type DeliveriesTask = {
  connection: ClientConfig
  origin: string
  token: string
  spaceId: string
  scope: Scope
  /** Number of endpoints. If `isOneHanging` is true, one of them never responds. */
  endpoints: number
  isOneHanging: boolean
  pace: Pace
}

const databaseConnections = 8

onTask<DeliveriesTask>(async (task, tell) => {
  const receiver = await startReceiver(task)
  const db = openDatabase(task.connection, { maxConnections: databaseConnections, onIdleError: () => {} })
  const urls = Array.from({ length: task.endpoints }, (_, endpoint) => `${receiver.origin}/${endpoint}`)
  const remove = await registerWebhooks(task, urls)
  const submit = async () => {
    const objectId = randomUUID()
    const received = receiver.all(objectId)
    const at = new Date()
    await db.transaction((tx) =>
      publish(tx, task.scope, {
        types: ['checkout_session.created'],
        objectId,
        data: { objectId, name: 'Order 42' },
        at,
      }),
    )
    await received
  }
  const figures = await keepPace(submit, task.pace, {
    begins: () => tell({ kind: 'begins' }),
    ends: () => tell({ kind: 'ends' }),
  })
  const answering = task.endpoints - (task.isOneHanging ? 1 : 0)
  const [done, perSecond] = [figures.done * answering, figures.perSecond * answering]
  await tell({ kind: 'measured', figures: { ...figures, done, perSecond } })
  await remove()
  await db.close()
})

/** The first endpoint is the one that may hang. */
async function startReceiver({ endpoints, isOneHanging }: DeliveriesTask) {
  const firstAnswering = isOneHanging ? 1 : 0
  const waiting = new Map<string, { left: Set<string>; resolve(): void }>()
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      const endpoint = request.url!.slice(1)
      if (Number(endpoint) < firstAnswering) return
      const one = waiting.get(JSON.parse(text).data.objectId)
      one?.left.delete(endpoint)
      if (one?.left.size === 0) one.resolve()
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    all: (objectId: string) =>
      new Promise<void>((resolve) => {
        const names = Array.from({ length: endpoints - firstAnswering }, (_, i) => String(firstAnswering + i))
        waiting.set(objectId, {
          left: new Set(names),
          resolve: () => {
            waiting.delete(objectId)
            resolve()
          },
        })
      }),
  }
}

import { randomUUID } from 'node:crypto'
import type { ClientConfig } from 'pg'
import { Client } from 'undici'
import { payoutIds } from '../packages/server/src/money/payouts/resources.ts'
import { refundIds } from '../packages/server/src/money/refunds/resources.ts'
import { readId } from '../packages/server/src/platform/ids.ts'
import type { Shop } from './books.ts'
import { onTask } from './children.ts'
import { keepPace, type Pace } from './pace.ts'
import { openWatch, watchedRows, watchKey } from './watch.ts'

// Merchants who pay out or refund, in their own process. An order is done when it has been submitted to its
// rail, not when it is requested.

export type OrdersTask = {
  connection: ClientConfig
  origin: string
  path: keyof typeof idKinds
  shops: Shop[]
  /** Orders and their shops; used in turn. */
  orders: { shop: number; body: object }[]
  pace: Pace
}

const idKinds = { '/v1/payouts': payoutIds, '/v1/refunds': refundIds } as const
const lookEveryMs = 20

const submitted = watchedRows('instructions', 'submitted_at is not null')

onTask<OrdersTask>(async ({ connection, origin, path, shops, orders, pace }, tell) => {
  const clients = Array.from({ length: pace.lanes }, () => new Client(origin, { pipelining: 1 }))
  const told = await openWatch(connection, lookEveryMs, submitted)
  let asked = 0
  const submit = async (lane: number) => {
    const order = orders[asked++ % orders.length]!
    const { token, shownSpaceId, scope } = shops[order.shop]!
    const { statusCode, body } = await clients[lane]!.request({
      method: 'POST',
      path,
      headers: {
        authorization: `Bearer ${token}`,
        'service-space-id': shownSpaceId,
        'idempotency-key': randomUUID(),
        'content-type': 'application/json',
      },
      body: JSON.stringify(order.body),
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`returned ${statusCode}: ${text.slice(0, 300)}`)
    const { id, status } = JSON.parse(text).result
    if (status !== 'pending') throw new Error(`the order is ${status}`)
    await told.of(watchKey(scope, readId(idKinds[path], id)!))
  }
  const figures = await keepPace(submit, pace, {
    begins: () => tell({ kind: 'begins' }),
    ends: () => tell({ kind: 'ends' }),
  })
  await tell({ kind: 'measured', figures })
  await told.close()
})

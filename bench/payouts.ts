import { randomUUID } from 'node:crypto'
import type { ClientConfig } from 'pg'
import { Client } from 'undici'
import { payoutIds } from '../src/payouts/resources.ts'
import { readId } from '../src/platform/ids.ts'
import type { Shop } from './books.ts'
import { onTask } from './children.ts'
import { keepPace, type Pace } from './pace.ts'
import { openWatch, watchedRows, watchKey } from './watch.ts'

// Merchants who pay out, as a process of its own. One is done when its rail was told of it, not when it was asked for.

export type PayoutsTask = {
  connection: ClientConfig
  origin: string
  /** Whose they are, in turns. */
  shops: Shop[]
  pace: Pace
}

const lookEveryMs = 20

const submitted = watchedRows('instructions', 'submitted_at is not null')

const destinations = [
  { type: 'momo', providerId: 'm17', phoneNumber: '076123456' },
  { type: 'momo', providerId: 'm18', phoneNumber: '077123456' },
  { type: 'bank', providerId: 'slb001', accountNumber: '0011223344' },
  { type: 'bank', providerId: 'slb004', accountNumber: '0011223344' },
  { type: 'wallet', providerId: 'dw001', walletId: 'fatu456' },
]

onTask<PayoutsTask>(async ({ connection, origin, shops, pace }, tell) => {
  const clients = Array.from({ length: pace.lanes }, () => new Client(origin, { pipelining: 1 }))
  const told = await openWatch(connection, lookEveryMs, submitted)
  let asked = 0
  const submit = async (lane: number) => {
    const turn = asked++
    const { token, shownSpaceId, scope } = shops[turn % shops.length]!
    const { statusCode, body } = await clients[lane]!.request({
      method: 'POST',
      path: '/v1/payouts',
      headers: {
        authorization: `Bearer ${token}`,
        'service-space-id': shownSpaceId,
        'idempotency-key': randomUUID(),
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        amount: { currency: 'SLE', value: 100 },
        destination: destinations[turn % destinations.length],
      }),
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${text.slice(0, 300)}`)
    const { id, status } = JSON.parse(text).result
    if (status !== 'pending') throw new Error(`the payout is ${status}`)
    await told.of(watchKey(scope, readId(payoutIds, id)!))
  }
  const figures = await keepPace(submit, pace, {
    begins: () => tell({ kind: 'begins' }),
    ends: () => tell({ kind: 'ends' }),
  })
  await tell({ kind: 'measured', figures })
  await told.close()
})

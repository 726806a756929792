import { randomUUID } from 'node:crypto'
import pg, { type ClientConfig } from 'pg'
import { Client } from 'undici'
import { readId } from '../src/platform/ids.ts'
import { onTask } from './children.ts'
import { keepPace, type Pace } from './pace.ts'

// Merchants who pay out, as a process of its own. One is done when its rail was told of it, not when it was asked for.

export type PayoutsTask = {
  connection: ClientConfig
  origin: string
  token: string
  spaceId: string
  pace: Pace
}

const lookEveryMs = 20

const destinations = [
  { type: 'momo', providerId: 'm17', phoneNumber: '076123456' },
  { type: 'momo', providerId: 'm18', phoneNumber: '077123456' },
  { type: 'bank', providerId: 'slb001', accountNumber: '0011223344' },
  { type: 'bank', providerId: 'slb004', accountNumber: '0011223344' },
  { type: 'wallet', providerId: 'dw001', walletId: 'fatu456' },
]

onTask<PayoutsTask>(async ({ connection, origin, token, spaceId, pace }, tell) => {
  const clients = Array.from({ length: pace.lanes }, () => new Client(origin, { pipelining: 1 }))
  const told = await watchTold(connection)
  let asked = 0
  const submit = async (lane: number) => {
    const { statusCode, body } = await clients[lane]!.request({
      method: 'POST',
      path: '/v1/payouts',
      headers: {
        authorization: `Bearer ${token}`,
        'service-space-id': spaceId,
        'idempotency-key': randomUUID(),
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        amount: { currency: 'SLE', value: 100 },
        destination: destinations[asked++ % destinations.length],
      }),
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${text.slice(0, 300)}`)
    const { id, status } = JSON.parse(text).result
    if (status !== 'pending') throw new Error(`the payout is ${status}`)
    await told.of(readId('payout', id)!)
  }
  const figures = await keepPace(submit, pace, {
    begins: () => tell({ kind: 'begins' }),
    ends: () => tell({ kind: 'ends' }),
  })
  await tell({ kind: 'measured', figures })
  await told.close()
})

/** Sees in the rows which payouts their rails were told of. */
async function watchTold(connection: ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  const waiting = new Map<string, () => void>()
  let looking = Promise.resolve()
  const look = async () => {
    if (waiting.size === 0) return
    // every space: the benchmark has but one
    const { rows } = await client.query(
      'select id from payouts where id = any($1::uuid[]) and submitted_at is not null',
      [[...waiting.keys()]],
    )
    for (const { id } of rows) {
      waiting.get(id)!()
      waiting.delete(id)
    }
  }
  const timer = setInterval(() => {
    looking = looking.then(look)
  }, lookEveryMs)
  return {
    of: (id: string) => new Promise<void>((resolve) => waiting.set(id, resolve)),
    async close() {
      clearInterval(timer)
      await looking
      await client.end()
    },
  }
}

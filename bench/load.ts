import { randomInt, randomUUID } from 'node:crypto'
import { Client } from 'undici'
import { Answer } from './answer.ts'
import { onTask } from './children.ts'
import { keepPace, type Pace } from './pace.ts'
import { chooseAccounts, shownAccountIds, type Target, wantedTransfer } from './transfer.ts'

// The load generator, in its own process: one undici client per connection, without pipelining.

export type LoadTask = {
  origin: string
  path: string
  /** Spaces; each request uses a random one. */
  shops: { token: string; shownSpaceId: string }[]
  target: Target
  accounts: number
  /** Expected content of a successful response. */
  expected: string
  pace: Pace
}

onTask<LoadTask>(async (task, tell) => {
  const clients = Array.from({ length: task.pace.lanes }, () => new Client(task.origin, { pipelining: 1 }))
  const ids = shownAccountIds(task.accounts)
  const submit = (lane: number) =>
    new Promise<void>((resolve, reject) => {
      const { token, shownSpaceId } = task.shops[randomInt(task.shops.length)]!
      const [source, destination] = chooseAccounts(task.target, task.accounts)
      clients[lane]!.dispatch(
        {
          method: 'POST',
          path: task.path,
          headers: [
            ...['authorization', `Bearer ${token}`, 'service-space-id', shownSpaceId],
            ...['idempotency-key', randomUUID(), 'content-type', 'application/json'],
          ],
          body: JSON.stringify(wantedTransfer(ids[source]!, ids[destination]!)),
        },
        new Answer(task.expected, resolve, reject),
      )
    })
  const figures = await keepPace(submit, task.pace, {
    begins: () => tell({ kind: 'begins' }),
    ends: () => tell({ kind: 'ends' }),
  })
  await tell({ kind: 'measured', figures })
})

import { randomUUID } from 'node:crypto'
import { Client } from 'undici'
import { Answer } from './answer.ts'
import { onTask } from './children.ts'
import { keepPace, type Pace } from './pace.ts'

// One route of the API, as a process of its own: its requests in turns, so that no two at once are for the same row.

/** What is measured of a route, as its row is called. */
export type RouteName = `${'GET' | 'list' | 'POST'} ${string}` | 'page'

export type RoutesTask = {
  origin: string
  /** Who asks, in turns. */
  callers: { token: string; shownSpaceId: string }[]
  paths: string[]
  /** Of a POST, in turns too; every request has a key of its own. None: a GET. */
  bodies: object[]
  /** What an answer must contain to count as done. */
  expected: string
  pace: Pace
}

onTask<RoutesTask>(async (task, tell) => {
  const { origin, callers, paths, expected, pace } = task
  const clients = Array.from({ length: pace.lanes }, () => new Client(origin, { pipelining: 1 }))
  const bodies = task.bodies.map((body) => JSON.stringify(body))
  const isPost = bodies.length > 0
  let asked = 0
  const submit = (lane: number) =>
    new Promise<void>((resolve, reject) => {
      const turn = asked++
      const { token, shownSpaceId } = callers[turn % callers.length]!
      const caller = ['authorization', `Bearer ${token}`, 'service-space-id', shownSpaceId]
      const given = isPost ? ['idempotency-key', randomUUID(), 'content-type', 'application/json'] : []
      clients[lane]!.dispatch(
        {
          method: isPost ? 'POST' : 'GET',
          path: paths[turn % paths.length]!,
          headers: [...caller, ...given],
          ...(isPost && { body: bodies[turn % bodies.length]! }),
        },
        new Answer(expected, resolve, reject),
      )
    })
  const figures = await keepPace(submit, pace, {
    begins: () => tell({ kind: 'begins' }),
    ends: () => tell({ kind: 'ends' }),
  })
  await tell({ kind: 'measured', figures })
})

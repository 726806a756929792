import { randomUUID } from 'node:crypto'
import { Client } from 'undici'
import { Answer } from './answer.ts'
import { onTask } from './children.ts'
import { keepPace, type Pace } from './pace.ts'

// Calls one API route, in its own process. Requests use the paths in turn, so that no two concurrent requests
// use the same row.

/** Kinds of routes whose responses plain Fastify also sends. */
export type RouteKind = 'GET' | 'list' | 'page'

/** Method and object of a route's row. */
export type RouteName = `${'GET' | 'list' | 'POST'} ${string}` | 'page'

export type RoutesTask = {
  origin: string
  /** Callers; used in turn. */
  callers: { token: string; shownSpaceId: string }[]
  paths: string[]
  /** Bodies of a POST, used in turn; each request has its own idempotency key. Empty for a GET. */
  bodies: object[]
  /** Expected content of a successful response. */
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

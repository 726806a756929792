import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '../refusals.ts'

/**
 * Shares the connection pool fairly among Spaces. Work for a Space takes one of the slots reserved for Spaces,
 * and one Space can use at most three quarters of them, so that slow or frequent calls of one Space do not
 * block another's. The node's own work (authentication, jobs, metrics) needs no slot; a tenth of the pool is
 * left for it.
 */
export type Admission = {
  /** Runs `work` on behalf of this Space. */
  within<T>(spaceId: string, work: () => T): T
  /**
   * Runs `work` in a slot once one is free. Nested calls reuse the slot that they already hold, so that no call
   * waits for itself.
   */
  admit<T>(work: () => Promise<T>): Promise<T>
}

type SpaceQueue = { active: number; waiting: Waiting[] }
type Waiting = { enter(): void }
/** One call, and whether it holds a slot. */
type Visit = { spaceId: string; holds: boolean }

const waitLimitMs = 5_000 // time that a call waits for a connection from its Space’s share

/** Returns `all` less a `part`-th of it: at least one is left out, and at least one remains. */
const allButPart = (all: number, part: number) => Math.max(1, all - Math.max(1, Math.floor(all / part)))

// See docs/decisions/0015-isolation.md.
export function createAdmission(connections: number, limitMs = waitLimitMs): Admission {
  const places = allButPart(connections, 10) // pool connections that Spaces share: all but a tenth
  const placesOfOne = allButPart(places, 4) // connections of one Space, out of those that Spaces share: three quarters
  const visits = new AsyncLocalStorage<Visit>()
  /** Spaces that hold or wait for a slot, least recently served first. */
  const queues = new Map<string, SpaceQueue>()
  let active = 0

  function take(spaceId: string, queue: SpaceQueue): void {
    active++
    queue.active++
    queues.delete(spaceId)
    queues.set(spaceId, queue)
  }

  function leave(spaceId: string, queue: SpaceQueue): void {
    active--
    queue.active--
    const next = nextLane()
    next?.waiting.shift()?.enter()
    if (queue.active === 0 && queue.waiting.length === 0) queues.delete(spaceId)
  }

  /** Returns the waiting Space with the fewest slots. */
  function nextLane(): SpaceQueue | undefined {
    let next: SpaceQueue | undefined
    for (const queue of queues.values())
      if (queue.waiting.length > 0 && queue.active < Math.min(placesOfOne, next?.active ?? placesOfOne))
        next = queue
    return next
  }

  const wait = (spaceId: string, queue: SpaceQueue) =>
    new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        enter() {
          clearTimeout(timer)
          take(spaceId, queue)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        queue.waiting.splice(queue.waiting.indexOf(waiting), 1)
        if (queue.active === 0 && queue.waiting.length === 0) queues.delete(spaceId)
        reject(new Refusal('service_unavailable', { headers: { 'retry-after': '1' } }))
      }, limitMs)
      queue.waiting.push(waiting)
    })

  return {
    within: (spaceId, work) => visits.run({ spaceId, holds: false }, work),
    async admit(work) {
      const visit = visits.getStore()
      if (!visit || visit.holds) return work()
      const { spaceId } = visit
      const queue = queues.get(spaceId) ?? { active: 0, waiting: [] }
      if (queue.active < placesOfOne && active < places) take(spaceId, queue)
      else {
        queues.set(spaceId, queue)
        await wait(spaceId, queue)
      }
      visit.holds = true
      try {
        return await work()
      } finally {
        visit.holds = false
        leave(spaceId, queue)
      }
    },
  }
}

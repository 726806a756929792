import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '../refusals.ts'

/**
 * Shares the connection pool fairly among Spaces. Work for a Space takes one of the slots reserved for Spaces,
 * and one Space can use at most three quarters of these slots, so that slow or frequent calls from one Space do
 * not block those of another. The node's other work (authentication, jobs, metrics) needs no slot; a tenth of
 * the pool is reserved for it.
 */
export type Admission = {
  /** Runs `work` on behalf of this Space. */
  within<T>(spaceId: string, work: () => T): T
  /**
   * Waits for a free slot and runs `work` in it. Nested calls reuse the slot of the outer call, so that no call
   * waits for itself.
   */
  admit<T>(work: () => Promise<T>): Promise<T>
}

type SpaceQueue = { active: number; waiting: Waiting[] }
type Waiting = { enter(): void }
/** A call on behalf of a Space. `holds` is true while the call holds a slot. */
type Visit = { spaceId: string; holds: boolean }

const waitLimitMs = 5_000 // time for which a call waits for a connection from its Space’s share

/** Returns `all` minus its fraction 1/`part`. At least one is subtracted, and at least one remains. */
const allButPart = (all: number, part: number) => Math.max(1, all - Math.max(1, Math.floor(all / part)))

// See docs/decisions/0015-isolation.md.
export function createAdmission(connections: number, limitMs = waitLimitMs): Admission {
  const places = allButPart(connections, 10) // pool connections that Spaces share (all but a tenth)
  const placesOfOne = allButPart(places, 4) // connections that one Space can use (three quarters of those that Spaces share)
  const visits = new AsyncLocalStorage<Visit>()
  /** The queues of Spaces that hold or wait for slots. The Space that was served least recently comes first. */
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

  /** Returns the queue of the waiting Space that holds the fewest slots. */
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
        const cause = new Error('waited too long for a database connection')
        reject(new Refusal('service_unavailable', { headers: { 'retry-after': '1' }, cause }))
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

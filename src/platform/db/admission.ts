import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '../refusals.ts'

/**
 * Who may have a connection of the pool next. What is done for a Space takes one of the places that Spaces share, and
 * never more than three quarters of them: slow or many calls of one Space keep none of another's waiting. The node's
 * own work (authentication, jobs, metrics) takes no place; a tenth of the pool is left to it.
 */
export type Admission = {
  /** All that `work` does is done for this Space. */
  within<T>(spaceId: string, work: () => T): T
  /** Runs `work` in a place, once one is free. Where one is held already it is used again: nobody waits for themselves. */
  admit<T>(work: () => Promise<T>): Promise<T>
}

type Lane = { active: number; waiting: Waiting[] }
type Waiting = { enter(): void }
/** One call: whether it holds a place. */
type Visit = { spaceId: string; holds: boolean }

const waitLimitMs = 5_000

/** A part of `all`, as places: all but so many, at least one in each part. */
const lessPart = (all: number, part: number) => Math.max(1, all - Math.max(1, Math.floor(all / part)))

export function createAdmission(connections: number, limitMs = waitLimitMs): Admission {
  const places = lessPart(connections, 10)
  const placesOfOne = lessPart(places, 4)
  const visits = new AsyncLocalStorage<Visit>()
  /** Those with a place or waiting for one; whose turn was longest ago comes first. */
  const lanes = new Map<string, Lane>()
  let active = 0

  function take(spaceId: string, lane: Lane): void {
    active++
    lane.active++
    lanes.delete(spaceId)
    lanes.set(spaceId, lane)
  }

  function leave(spaceId: string, lane: Lane): void {
    active--
    lane.active--
    const next = nextLane()
    next?.waiting.shift()?.enter()
    if (lane.active === 0 && lane.waiting.length === 0) lanes.delete(spaceId)
  }

  /** Of those that wait, the one with the fewest places. */
  function nextLane(): Lane | undefined {
    let next: Lane | undefined
    for (const lane of lanes.values())
      if (lane.waiting.length > 0 && lane.active < Math.min(placesOfOne, next?.active ?? placesOfOne))
        next = lane
    return next
  }

  const wait = (spaceId: string, lane: Lane) =>
    new Promise<void>((resolve, reject) => {
      const waiting: Waiting = {
        enter() {
          clearTimeout(timer)
          take(spaceId, lane)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        lane.waiting.splice(lane.waiting.indexOf(waiting), 1)
        if (lane.active === 0 && lane.waiting.length === 0) lanes.delete(spaceId)
        reject(new Refusal('service_unavailable', { headers: { 'retry-after': '1' } }))
      }, limitMs)
      lane.waiting.push(waiting)
    })

  return {
    within: (spaceId, work) => visits.run({ spaceId, holds: false }, work),
    async admit(work) {
      const visit = visits.getStore()
      if (!visit || visit.holds) return work()
      const { spaceId } = visit
      const lane = lanes.get(spaceId) ?? { active: 0, waiting: [] }
      if (lane.active < placesOfOne && active < places) take(spaceId, lane)
      else {
        lanes.set(spaceId, lane)
        await wait(spaceId, lane)
      }
      visit.holds = true
      try {
        return await work()
      } finally {
        visit.holds = false
        leave(spaceId, lane)
      }
    },
  }
}

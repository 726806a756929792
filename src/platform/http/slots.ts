import type { FastifyReply } from 'fastify'
import { Refusal } from '../refusals.ts'

/**
 * Room for responses that go on for long: so many on a node, and so many of one Space. One that is taken is free again
 * when its response is closed.
 * Taking one throws the Refusal `service_unavailable` or `too_many_requests`.
 */
export function createSlots({ ofNode, ofSpace }: { ofNode: number; ofSpace: number }) {
  const taken = new Map<string, number>()
  let all = 0
  const count = (spaceId: string, by: 1 | -1) => {
    const ofThis = (taken.get(spaceId) ?? 0) + by
    if (ofThis === 0) taken.delete(spaceId)
    else taken.set(spaceId, ofThis)
    all += by
  }
  return (spaceId: string, { raw }: FastifyReply): void => {
    if (all >= ofNode) throw busy('service_unavailable')
    if ((taken.get(spaceId) ?? 0) >= ofSpace) throw busy('too_many_requests')
    // Whoever has left already is not heard leaving.
    if (raw.closed || raw.destroyed) return
    count(spaceId, 1)
    raw.once('close', () => count(spaceId, -1))
  }
}

const busy = (reason: 'service_unavailable' | 'too_many_requests') =>
  new Refusal(reason, { headers: { 'retry-after': '5' } })

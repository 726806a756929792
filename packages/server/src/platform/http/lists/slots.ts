import type { FastifyReply } from 'fastify'
import { Refusal } from '../../refusals.ts'

/**
 * Limits the number of long-running responses per node and per Space. A slot is released when its response
 * closes. If no slot is free, throws the refusal `service_unavailable` or `too_many_requests`.
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
    // If the client has already disconnected, no `close` event will follow.
    if (raw.closed || raw.destroyed) return
    count(spaceId, 1)
    raw.once('close', () => count(spaceId, -1))
  }
}

const busy = (reason: 'service_unavailable' | 'too_many_requests') =>
  new Refusal(reason, {
    headers: { 'retry-after': '5' },
    cause: new Error('the maximum number of streams or exports is open'),
  })

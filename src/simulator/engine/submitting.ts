import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Plan, planForPayee } from './behaviour.ts'
import type { CollectionRequest } from './collection-store.ts'
import type { DisbursementRequest } from './disbursement-store.ts'
import type { RailParts } from './parts.ts'
import type { NewRequest, RequestTable } from './request-store.ts'

/**
 * What a rail did with a request. `again`: the reference was used before, and nothing was done. `drop`: it was taken, but
 * the response is lost. `fail`: it was not taken, and the response is a 500.
 */
export type SubmitResult = Plan['submit'] | 'again'

/** @param promptLifeMs for how long a person can answer, where one does */
export function submitCollection(
  parts: RailParts,
  request: CollectionRequest,
  plan: Plan,
  promptLifeMs: number,
): Promise<SubmitResult> {
  const at = parts.clock.now()
  const asksUntil = plan.asks ? later(at, promptLifeMs) : null
  return submit(parts, 'collection', { request: { ...request, asksUntil }, at }, plan)
}

/** No prompt and no handset has a say in money that is paid out: the last digits of the payee's account decide. */
export const submitDisbursement = (parts: RailParts, request: DisbursementRequest): Promise<SubmitResult> =>
  submit(parts, 'disbursement', { request, at: parts.clock.now() }, planForPayee(request.payee, parts.delays))

async function submit(
  { store, wakeAt }: RailParts,
  kind: RequestTable['kind'],
  { request, at }: Pick<NewRequest, 'request' | 'at'>,
  plan: Plan,
): Promise<SubmitResult> {
  if (plan.submit === 'fail') return 'fail'
  if (!(await store(kind, { request, at, outcomes: plan.outcomes }))) return 'again'
  for (const { afterMs } of plan.outcomes) wakeAt(later(at, afterMs))
  return plan.submit
}

const later = (at: Date, ms: number) => new Date(at.getTime() + ms)

/** Ends a call without a response, as a network does. */
export function loseResponse(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.raw.socket.destroy()
}

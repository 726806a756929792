import type { FastifyReply } from 'fastify'
import type { Visit } from './page-state.ts'
import type { DialForm } from './pages/view.ts'
import { besideOpen } from './second-attempt.ts'
import type { CheckoutParts } from './visits.ts'

/** Returns the form that opens the session's code, if a phone could pay the session by dialling now. */
export function findDialForm(parts: CheckoutParts, visit: Visit, reply: FastifyReply): DialForm | undefined {
  const { key, scope, stage, formToken } = visit
  const offers = (stage === 'choose' ? visit : besideOpen(parts, visit, reply))?.offers ?? []
  const isPossible = offers.some(
    ({ provider, unavailable }) =>
      unavailable === undefined && parts.dialling.isPossible(scope.environment, provider),
  )
  return isPossible ? { action: `/pay/${key}/dial`, formToken } : undefined
}

import type { Provider } from '@pesewa/connector-kit'
import type { FastifyReply } from 'fastify'
import type { Environment } from '../../platform/scope.ts'
import type { Visit } from './page-state.ts'
import type { DialForm } from './pages/view.ts'
import { besideOpen } from './second-attempt.ts'
import type { CheckoutParts } from './visits.ts'

/** What the pages need to know about dialling. It is supplied by a later slice. */
export type Dialling = {
  /** Returns whether phones can dial codes in this environment, and pay with this provider in the menu. */
  isPossible(environment: Environment, provider: Provider): boolean
}

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

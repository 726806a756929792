import type { FastifyReply, FastifyRequest } from 'fastify'
import { countryOfAddress } from '../../countries/origin.ts'
import { canReturnTo } from './another-attempt.ts'
import { mayStartAnother, type Visit } from './page-state.ts'
import { findOffers } from './payment-options.ts'
import type { CheckoutParts } from './visits.ts'

/**
 * Returns the visit with the providers that the payer can choose while the latest attempt is in flight: those
 * that can return money. Returns `undefined` if no other attempt can be started now.
 */
export function besideOpen(parts: CheckoutParts, visit: Visit, { request }: FastifyReply): Visit | undefined {
  if (visit.stage !== 'waiting' || !mayStartAnother(visit, parts)) return undefined
  return { ...visit, offers: returnableOffers(parts, visit, request) }
}

const returnableOffers = (parts: CheckoutParts, { scope, session }: Visit, { ip }: FastifyRequest) =>
  findOffers(parts, scope, session, countryOfAddress(ip)).filter(({ provider }) =>
    canReturnTo(parts, scope, {
      providerId: provider.providerId,
      account: provider.type === 'card' ? null : '',
    }),
  )

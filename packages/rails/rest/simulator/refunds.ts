import { RailError, type RailRoute, type SimulatorParts, submitRefund } from '@pesewa/connector-kit/simulator'
import { restRoutes } from './access.ts'
import { railDocumentOf } from './documents.ts'
import { keyOf, readRefund, refuseUnlessSame } from './request.ts'
import type { RestVariant } from './variant.ts'

/** Routes for refunds of collections to the original payer. */
export function refundRoutes(parts: SimulatorParts, variant: RestVariant): RailRoute[] {
  const route = restRoutes(parts, variant)
  return [
    route('PUT', '/refunds/:reference', 'refund a payment', async (provider, request, reply) => {
      const refund = readRefund(provider, request, parts.baseUrl)
      const result = await submitRefund(parts, refund)
      if (!result) throw new RailError(404, 'original_missing')
      if (result === 'again') {
        const { amount, currency, refundOf } = refund
        refuseUnlessSame(await parts.store.findRefund(refund), { amount, currency, refundOf })
      }
      return reply.code(202).send({ status: 'pending' })
    }),
    route('GET', '/refunds/:reference', 'query a refund', async (provider, request) => {
      const refund = await parts.store.findRefund(keyOf(provider, request))
      if (!refund) throw new RailError(404, 'not_found')
      return railDocumentOf(refund)
    }),
  ]
}

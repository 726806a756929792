import type { Provider } from '@pesewa/connector-kit'
import {
  loseResponse,
  RailError,
  type RailRoute,
  type SimulatorParts,
  type StoredDisbursement,
  submitRefund,
} from '@pesewa/connector-kit/simulator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { railRoute } from './access.ts'
import { railDocumentOf } from './documents.ts'
import { keyOf, readRefund, refuseUnlessSame } from './request.ts'
import type { RestVariant } from './variant.ts'

/** Routes for refunds of collections to the original payer. */
export const refundRoutes = (parts: SimulatorParts, variant: RestVariant): RailRoute[] => [
  railRoute(parts, variant, 'PUT', 'refunds/:reference', 'refund a payment', (provider, request, reply) =>
    giveBack(parts, provider, request, reply),
  ),
  railRoute(parts, variant, 'GET', 'refunds/:reference', 'query a refund', async (provider, request) => {
    const refund = await parts.store.findRefund(keyOf(provider, request))
    if (!refund) throw new RailError(404, 'not_found')
    return railDocumentOf(refund)
  }),
]

async function giveBack(
  parts: SimulatorParts,
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const refund = readRefund(provider, request, parts.baseUrl)
  const result = await submitRefund(parts, refund)
  if (!result) throw new RailError(404, 'original_missing')
  if (result === 'fail') throw new RailError(500, 'internal_error')
  if (result === 'drop') return loseResponse(request, reply)
  if (result === 'again') refuseUnlessSame<Original>(await parts.store.findRefund(refund), refund, 'refundOf')
  return reply.code(202).send({ status: 'pending' })
}

type Original = Pick<StoredDisbursement, 'amount' | 'currency' | 'refundOf'>

import type { Provider } from '@pesewa/connector-kit'
import {
  holderOf,
  loseResponse,
  RailError,
  type RailRoute,
  type SimulatorParts,
  submitDisbursement,
} from '@pesewa/connector-kit/simulator'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { railRoute } from './access.ts'
import { railDocumentOf } from './documents.ts'
import { accountOf, keyOf, readTransfer, refuseUnlessSame } from './request.ts'
import type { RestVariant } from './variant.ts'

/** Routes for payouts and account look-ups of the simulated banks and wallets. */
export const transferRoutes = (parts: SimulatorParts, variant: RestVariant): RailRoute[] => [
  railRoute(parts, variant, 'PUT', 'transfers/:reference', 'send a payout', (provider, request, reply) =>
    transfer(parts, provider, request, reply),
  ),
  railRoute(parts, variant, 'GET', 'transfers/:reference', 'query a payout', async (provider, request) => {
    const disbursement = await parts.store.findDisbursement(keyOf(provider, request))
    if (!disbursement) throw new RailError(404, 'not_found')
    return railDocumentOf(disbursement)
  }),
  railRoute(parts, variant, 'GET', 'accounts/:account', 'look up an account holder', (provider, request) => {
    const holder = holderOf(accountOf(provider, request))
    if (!holder) throw new RailError(404, 'account_missing')
    return { holderName: `${holder.givenName} ${holder.familyName}`, active: holder.isActive }
  }),
]

async function transfer(
  parts: SimulatorParts,
  provider: Provider,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const disbursement = readTransfer(provider, request, parts.baseUrl)
  const result = await submitDisbursement(parts, disbursement)
  if (result === 'fail') throw new RailError(500, 'internal_error')
  if (result === 'drop') return loseResponse(request, reply)
  if (result === 'again')
    refuseUnlessSame(await parts.store.findDisbursement(disbursement), disbursement, 'payee')
  return reply.code(202).send({ status: 'pending' })
}

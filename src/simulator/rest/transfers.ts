import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import type { Provider } from '../../rails/connections/provider.ts'
import { holderOf } from '../engine/account-holders.ts'
import { findDisbursement } from '../engine/disbursement-store.ts'
import type { SimulatorParts } from '../engine/parts.ts'
import { RailError } from '../engine/rail-error.ts'
import { loseResponse, submitDisbursement } from '../engine/submitting.ts'
import { railRoute } from './access.ts'
import { railDocumentOf } from './documents.ts'
import { accountOf, keyOf, readTransfer, refuseUnlessSame } from './request.ts'
import type { RestVariant } from './variant.ts'

/** Routes for payouts and account look-ups of the simulated banks and wallets. */
export const transferRoutes = (parts: SimulatorParts, variant: RestVariant): RawRoute[] => [
  railRoute(parts, variant, 'PUT', 'transfers/:reference', 'send a payout', (provider, request, reply) =>
    transfer(parts, provider, request, reply),
  ),
  railRoute(parts, variant, 'GET', 'transfers/:reference', 'query a payout', async (provider, request) => {
    const disbursement = await findDisbursement(parts.db, keyOf(provider, request))
    if (!disbursement) throw new RailError(404, 'not_found')
    return railDocumentOf(disbursement)
  }),
  railRoute(parts, variant, 'GET', 'accounts/:account', 'look up an account holder', (_provider, request) => {
    const holder = holderOf(accountOf(request))
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
    refuseUnlessSame(await findDisbursement(parts.db, disbursement), disbursement, 'payee')
  return reply.code(202).send({ status: 'pending' })
}

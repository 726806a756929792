import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawRoute } from '../../platform/http/route.ts'
import type { Provider } from '../../providers/provider.ts'
import { holderOf } from '../engine/account-holders.ts'
import { type DisbursementRequest, findDisbursement } from '../engine/disbursement-store.ts'
import type { RailParts } from '../engine/parts.ts'
import { loseResponse, submitDisbursement } from '../engine/submitting.ts'
import { railRoute } from './access.ts'
import { railDocumentOf } from './documents.ts'
import { RailError } from './error.ts'
import { accountOf, readTransfer, referenceOf } from './request.ts'
import type { RestVariant } from './variant.ts'

/** Money out of the simulated banks and wallets, and whose an account is. */
export const transferRoutes = (parts: RailParts, variant: RestVariant): RawRoute[] => [
  railRoute(parts, variant, 'PUT', 'transfers/:reference', 'pay out', (provider, request, reply) =>
    transfer(parts, provider, request, reply),
  ),
  railRoute(parts, variant, 'GET', 'transfers/:reference', 'query the outcome', async (provider, request) => {
    const disbursement = await findDisbursement(parts.db, provider.providerId, referenceOf(request))
    if (!disbursement) throw new RailError(404, 'not_found')
    return railDocumentOf(disbursement)
  }),
  railRoute(parts, variant, 'GET', 'accounts/:account', 'whose account it is', (_provider, request) => {
    const holder = holderOf(accountOf(request))
    if (!holder) throw new RailError(404, 'account_missing')
    return { holderName: `${holder.givenName} ${holder.familyName}`, active: holder.isActive }
  }),
]

async function transfer(parts: RailParts, provider: Provider, request: FastifyRequest, reply: FastifyReply) {
  const disbursement = readTransfer(provider, request, parts.baseUrl)
  const result = await submitDisbursement(parts, disbursement)
  if (result === 'fail') throw new RailError(500, 'internal_error')
  if (result === 'drop') return loseResponse(request, reply)
  if (result === 'again') await refuseUnlessSame(parts, disbursement)
  return reply.code(202).send({ status: 'pending' })
}

/** The same reference: the same response when it is the same request, and a conflict when it is not. */
async function refuseUnlessSame(
  { db }: RailParts,
  { providerId, reference, ...disbursement }: DisbursementRequest,
) {
  const stored = await findDisbursement(db, providerId, reference)
  const isSame = (['payee', 'amount', 'currency'] as const).every(
    (name) => stored?.[name] === disbursement[name],
  )
  if (!isSame) throw new RailError(409, 'reference_in_use')
}

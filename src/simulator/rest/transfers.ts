import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawRoute } from '../../platform/http/route.ts'
import type { Provider } from '../../providers/provider.ts'
import { holderOf } from '../engine/account-holders.ts'
import { findDisbursement } from '../engine/disbursement-store.ts'
import { takeDisbursement } from '../engine/disbursements.ts'
import type { RailParts } from '../engine/parts.ts'
import { railRoute } from './access.ts'
import { railDocumentOf } from './documents.ts'
import { RailError } from './error.ts'
import { accountOf, readTransfer, referenceOf } from './request.ts'

/** Money out of the simulated banks and wallets, and whose an account is. */
export const transferRoutes = (parts: RailParts): RawRoute[] => [
  railRoute(parts, 'rest', 'PUT', 'transfers/:reference', 'pay out', (provider, request, reply) =>
    transfer(parts, provider, request, reply),
  ),
  railRoute(parts, 'rest', 'GET', 'transfers/:reference', 'query the outcome', async (provider, request) => {
    const found = await findDisbursement(parts.db, provider.providerId, referenceOf(request))
    if (!found) throw new RailError(404, 'not_found')
    return railDocumentOf(found)
  }),
  railRoute(parts, 'rest', 'GET', 'accounts/:account', 'whose account it is', (_provider, request) => {
    const holder = holderOf(accountOf(request))
    if (!holder) throw new RailError(404, 'account_missing')
    return { holderName: `${holder.givenName} ${holder.familyName}`, active: holder.isActive }
  }),
]

async function transfer(parts: RailParts, provider: Provider, request: FastifyRequest, reply: FastifyReply) {
  const asked = readTransfer(provider, request, parts.baseUrl)
  const taken = await takeDisbursement(parts, asked)
  if (taken === 'fail') throw new RailError(500, 'internal_error')
  if (taken === 'drop') {
    reply.hijack()
    return void request.raw.socket.destroy()
  }
  if (taken === 'again') {
    // The same answer when it is the same request, and a conflict when it is not.
    const had = await findDisbursement(parts.db, asked.providerId, asked.reference)
    const isSame =
      had?.payee === asked.payee && had.amount === asked.amount && had.currency === asked.currency
    if (!isSame) throw new RailError(409, 'reference_in_use')
  }
  return reply.code(202).send({ status: 'pending' })
}

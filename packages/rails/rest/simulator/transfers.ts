import {
  holderOf,
  RailError,
  type RailRoute,
  type SimulatorParts,
  submitDisbursement,
} from '@pesewa/connector-kit/simulator'
import { restRoutes } from './access.ts'
import { railDocumentOf } from './documents.ts'
import { accountOf, keyOf, readTransfer, refuseUnlessSame } from './request.ts'
import type { RestVariant } from './variant.ts'

/** Routes for payouts and account look-ups of the simulated banks and wallets. */
export function transferRoutes(parts: SimulatorParts, variant: RestVariant): RailRoute[] {
  const route = restRoutes(parts, variant)
  return [
    route('PUT', '/transfers/:reference', 'send a payout', async (provider, request, reply) => {
      const disbursement = readTransfer(provider, request, parts.baseUrl)
      if ((await submitDisbursement(parts, disbursement)) === 'again') {
        const { amount, currency, payee } = disbursement
        refuseUnlessSame(await parts.store.findDisbursement(disbursement), { amount, currency, payee })
      }
      return reply.code(202).send({ status: 'pending' })
    }),
    route('GET', '/transfers/:reference', 'query a payout', async (provider, request) => {
      const disbursement = await parts.store.findDisbursement(keyOf(provider, request))
      if (!disbursement) throw new RailError(404, 'not_found')
      return railDocumentOf(disbursement)
    }),
    route('GET', '/accounts/:account', 'look up an account holder', (provider, request) => {
      const holder = holderOf(accountOf(provider, request))
      if (!holder) throw new RailError(404, 'account_missing')
      return { holderName: `${holder.givenName} ${holder.familyName}`, active: holder.isActive }
    }),
  ]
}

import { signRequest } from '../../rails/connections/protocols/pawapay/message-signatures.ts'
import { pawapay } from '../../rails/connections/protocols/pawapay/protocol.ts'
import { simulatorSigner } from '../../rails/connections/protocols/pawapay/test-credentials.ts'
import type { SimulatedRail } from '../engine/rail.ts'
import { railPageRoutes } from '../rest/pages.ts'
import { accountRoutes } from './account-routes.ts'
import { dataOf } from './documents.ts'
import { moneyRoutes } from './routes.ts'
import { pawapayStatementRoutes } from './statement-routes.ts'

/**
 * pawaPay and the providers that it reaches. It signs every callback. A connection that does not verify
 * signatures treats callbacks as hints.
 */
export const pawapayRail: SimulatedRail = {
  protocol: pawapay.name,
  routes: (parts) => [
    ...moneyRoutes(parts),
    ...accountRoutes(parts),
    ...pawapayStatementRoutes(parts),
    ...railPageRoutes(parts, { protocol: pawapay.name, who: 'pawaPay provider', cards: [] }),
  ],
  callbackMethod: 'POST',
  documentOf: dataOf,
  reportsToConnection: true,
  sign: (seals, callback) => signRequest(simulatorSigner(seals), callback),
}

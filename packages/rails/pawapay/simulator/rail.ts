import type { SimulatedRail } from '@pesewa/connector-kit/simulator'
import { railPageRoutes } from '../../rest/simulator/pages.ts'
import { signRequest } from '../message-signatures.ts'
import { pawapay } from '../protocol.ts'
import { simulatorSigner } from '../test-credentials.ts'
import { accountRoutes } from './account-routes.ts'
import { dataOf } from './documents.ts'
import { moneyRoutes } from './routes.ts'
import { pawapayStatementRoutes } from './statement-routes.ts'

/**
 * pawaPay and the providers that it reaches. It signs every callback. A connection that does not verify
 * signatures treats callbacks as hints.
 */
export const simulatedRail: SimulatedRail = {
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

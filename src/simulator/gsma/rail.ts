import { gsma } from '../../rails/connections/protocols/gsma/protocol.ts'
import type { SimulatedRail } from '../engine/rail.ts'
import { accountRoutes } from './account-routes.ts'
import { reportOf } from './documents.ts'
import { moneyRoutes } from './routes.ts'

/** Wallets that use the GSMA Mobile Money API. */
export const gsmaRail: SimulatedRail = {
  protocol: gsma.name,
  routes: (parts) => [...moneyRoutes(parts), ...accountRoutes(parts)],
  callbackMethod: 'PUT',
  documentOf: reportOf,
}

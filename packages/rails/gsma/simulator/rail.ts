import type { SimulatedRail } from '@pesewa/connector-kit/simulator'
import { gsma } from '../protocol.ts'
import { accountRoutes } from './account-routes.ts'
import { reportOf } from './documents.ts'
import { moneyRoutes } from './routes.ts'

/** Wallets that use the GSMA Mobile Money API. */
export const simulatedRail: SimulatedRail = {
  protocol: gsma.name,
  routes: (parts) => [...moneyRoutes(parts), ...accountRoutes(parts)],
  callbackMethod: 'PUT',
  documentOf: reportOf,
}

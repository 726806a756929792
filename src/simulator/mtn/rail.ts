import { mtnMomo } from '../../rails/connections/protocols/mtn-momo/protocol.ts'
import type { SimulatedRail } from '../engine/rail.ts'
import { documentOf } from './documents.ts'
import { mtnRoutes } from './routes.ts'

export const mtnRail: SimulatedRail = {
  protocol: mtnMomo.name,
  routes: mtnRoutes,
  callbackMethod: 'PUT',
  documentOf,
}

import type { SimulatedRail } from '@pesewa/connector-kit/simulator'
import { mtnMomo } from '../protocol.ts'
import { documentOf } from './documents.ts'
import { mtnRoutes } from './routes.ts'

export const simulatedRail: SimulatedRail = {
  protocol: mtnMomo.name,
  routes: mtnRoutes,
  callbackMethod: 'PUT',
  documentOf,
}

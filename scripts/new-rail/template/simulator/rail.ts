import type { SimulatedRail } from '@pesewa/connector-kit/simulator'
import { exampleRail } from '../protocol.ts'
import { documentOf } from './documents.ts'
import { moneyRoutes } from './routes.ts'

/** Simulates Example Rail. */
export const simulatedRail: SimulatedRail = {
  protocol: exampleRail.name,
  routes: moneyRoutes,
  callbackMethod: 'POST',
  documentOf,
}

import type { SimulatedRail } from '@pesewa/connector-kit/simulator'
import { airtelMoney } from '../protocol.ts'
import { airtelDocumentOf, airtelReportOf } from './documents.ts'
import { airtelRoutes } from './routes.ts'

export const simulatedRail: SimulatedRail = {
  protocol: airtelMoney.name,
  routes: airtelRoutes,
  callbackMethod: 'POST',
  documentOf: airtelDocumentOf,
  reportOf: airtelReportOf,
  reportsToConnection: true,
}

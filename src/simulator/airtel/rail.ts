import { airtelMoney } from '../../rails/connections/protocols/airtel-money/protocol.ts'
import type { SimulatedRail } from '../engine/rail.ts'
import { airtelDocumentOf, airtelReportOf } from './documents.ts'
import { airtelRoutes } from './routes.ts'

export const airtelRail: SimulatedRail = {
  protocol: airtelMoney.name,
  routes: airtelRoutes,
  callbackMethod: 'POST',
  documentOf: airtelDocumentOf,
  reportOf: airtelReportOf,
  reportsToConnection: true,
}

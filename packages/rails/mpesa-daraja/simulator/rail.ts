import type { SimulatedRail } from '@pesewa/connector-kit/simulator'
import { mpesaDaraja } from '../protocol.ts'
import { confirmationOf } from './bills.ts'
import { darajaReportOf } from './documents.ts'
import { payBillMenu } from './menu.ts'
import { darajaRoutes } from './routes.ts'

export const simulatedRail: SimulatedRail = {
  protocol: mpesaDaraja.name,
  routes: darajaRoutes,
  callbackMethod: 'POST',
  documentOf: darajaReportOf,
  noticeOf: confirmationOf,
  menu: payBillMenu,
}

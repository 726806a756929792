import { mpesaDaraja } from '../../rails/connections/protocols/mpesa-daraja/protocol.ts'
import type { SimulatedRail } from '../engine/rail.ts'
import { confirmationOf } from './bills.ts'
import { darajaReportOf } from './documents.ts'
import { payBillMenu } from './menu.ts'
import { darajaRoutes } from './routes.ts'

export const darajaRail: SimulatedRail = {
  protocol: mpesaDaraja.name,
  routes: darajaRoutes,
  callbackMethod: 'POST',
  documentOf: darajaReportOf,
  noticeOf: confirmationOf,
  menu: payBillMenu,
}

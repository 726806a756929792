import { paystack } from '../../rails/connections/protocols/paystack/protocol.ts'
import { signReport } from '../../rails/connections/protocols/paystack/report.ts'
import { simulatedSecretKey } from '../../rails/connections/protocols/paystack/test-keys.ts'
import { testCards } from '../acquirer/rail.ts'
import type { SimulatedRail } from '../engine/rail.ts'
import { railPageRoutes } from '../rest/pages.ts'
import { chargeRoutes } from './charges.ts'
import { eventOf } from './documents.ts'
import { payoutRoutes } from './payouts.ts'

export const paystackRail: SimulatedRail = {
  protocol: paystack.name,
  routes: (parts) => [
    ...chargeRoutes(parts),
    ...payoutRoutes(parts),
    ...railPageRoutes(parts, { protocol: paystack.name, who: 'Paystack', cards: testCards }),
  ],
  callbackMethod: 'POST',
  documentOf: eventOf,
  reportsToConnection: true,
  sign: (seals, { body }) => signReport(simulatedSecretKey(seals), body),
}

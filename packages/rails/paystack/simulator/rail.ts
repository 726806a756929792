import type { SimulatedRail } from '@pesewa/connector-kit/simulator'
import { testCards } from '../../acquirer/simulator/rail.ts'
import { railPageRoutes } from '../../rest/simulator/pages.ts'
import { paystack } from '../protocol.ts'
import { signReport } from '../report.ts'
import { simulatedSecretKey } from '../test-keys.ts'
import { chargeRoutes } from './charges.ts'
import { eventOf } from './documents.ts'
import { payoutRoutes } from './payouts.ts'

export const simulatedRail: SimulatedRail = {
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

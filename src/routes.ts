import { pageRoutes } from './checkout/page-routes.ts'
import { receiptPageRoutes } from './checkout/receipt-routes.ts'
import { checkoutRoutes } from './checkout/routes.ts'
import { countryRoutes } from './countries/routes.ts'
import { eventRoutes } from './events/event-routes.ts'
import type { StreamParts } from './events/stream.ts'
import { deliveryRoutes } from './events/webhooks/delivery-routes.ts'
import { webhookRoutes } from './events/webhooks/routes.ts'
import { callbackRoutes } from './instructions/callbacks.ts'
import type { Followers } from './instructions/follower.ts'
import type { Lanes } from './instructions/lanes.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { paymentCodeRoutes } from './payment-codes/routes.ts'
import { receiptRoutes } from './payments/receipt-routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { payoutRoutes } from './payouts/routes.ts'
import type { Gate } from './platform/http/gate.ts'
import type { KeptAnswers } from './platform/http/idempotency.ts'
import type { RateLimiter } from './platform/http/rate-limits.ts'
import type { Route } from './platform/http/route.ts'
import type { Platform } from './platform/platform.ts'
import { kycRoutes } from './providers/kyc-routes.ts'
import type { Providers } from './providers/providers.ts'
import { providerRoutes } from './providers/routes.ts'
import { rootRoutes } from './root.ts'
import type { Simulator } from './simulator/simulator.ts'
import { testClockRoutes } from './test-clock/routes.ts'
import { transferRoutes } from './transfers/routes.ts'
import { gatewayRoutes } from './ussd/gateway.ts'
import { otpRoutes } from './ussd/routes.ts'

export type Parts = Platform &
  StreamParts &
  Providers & {
    simulator: Simulator
    gate: Gate
    limiter: RateLimiter
    eventData: KeptAnswers['eventData']
    followers: Followers
    lanes: Pick<Lanes, 'takeUp' | 'askEarly'>
  }

/** Every address that the program answers. */
export const allRoutes = (parts: Parts): Route[] => [
  ...rootRoutes(parts, parts.gate),
  ...countryRoutes,
  ...providerRoutes(parts),
  ...kycRoutes(parts),
  ...ledgerRoutes(parts),
  ...transferRoutes(parts),
  ...checkoutRoutes(parts),
  ...paymentCodeRoutes(parts),
  ...callbackRoutes(parts),
  ...paymentRoutes(parts),
  ...receiptRoutes(parts),
  ...payoutRoutes(parts),
  ...eventRoutes(parts),
  ...webhookRoutes(parts),
  ...deliveryRoutes(parts),
  ...otpRoutes(parts),
  ...gatewayRoutes(parts),
  ...testClockRoutes(parts),
  ...pageRoutes(parts),
  ...receiptPageRoutes(parts),
  ...parts.simulator.routes,
]

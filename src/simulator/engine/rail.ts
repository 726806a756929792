import { connectionCallbackUrl } from '../../instructions/callback-url.ts'
import type { RawRoute } from '../../platform/http/route.ts'
import type { Seals } from '../../platform/seals.ts'
import type { Callback } from './callback-store.ts'
import type { StoredCollection } from './collection-store.ts'
import type { StoredDisbursement } from './disbursement-store.ts'
import type { SimulatorParts } from './parts.ts'

/** How the providers of one protocol are simulated. */
export type SimulatedRail = {
  /** The name of the protocol. */
  protocol: string
  /** Its addresses, of every provider that speaks it. */
  routes(parts: SimulatorParts): RawRoute[]
  callbackMethod: Callback['method']
  /**
   * The response to a query and, unless `reportOf` says otherwise, the body of a callback; `undefined` where the rail
   * reports nothing.
   */
  documentOf(request: StoredCollection | StoredDisbursement): object | undefined
  reportOf?(request: StoredCollection | StoredDisbursement, seals: Seals): object
  /** It reports to one address, which is set in its portal, and not to one that each request names. */
  reportsToConnection?: true
  /** The headers by which a callback proves to be the rail's. */
  sign?(seals: Seals, callback: Callback): Record<string, string>
}

/** Where a rail reports that knows one address for all, in its portal. */
export const connectionAddress = (baseUrl: string, providerId: string) =>
  connectionCallbackUrl(baseUrl, 'test', providerId)

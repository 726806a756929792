import type { RawRoute } from '../../platform/http/route.ts'
import type { Seals } from '../../platform/seals.ts'
import type { StoredCollection } from './collection-store.ts'
import type { StoredDisbursement } from './disbursement-store.ts'
import type { SimulatorParts } from './parts.ts'

/** How the providers of one protocol are simulated. */
export type SimulatedRail = {
  /** The name of the protocol. */
  protocol: string
  /** Its addresses, of every provider that speaks it. */
  routes(parts: SimulatorParts): RawRoute[]
  callbackMethod: 'PUT' | 'POST'
  /** The response to a query and the body of a callback alike. */
  documentOf(request: StoredCollection | StoredDisbursement): object
  /** The headers by which a callback proves to be the rail's: the same for every rail of its method. */
  sign?(seals: Seals, body: string): Record<string, string>
}

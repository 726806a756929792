import { connectionCallbackUrl } from '../../instructions/callback-url.ts'
import type { RawRoute } from '../../platform/http/route.ts'
import type { Seals } from '../../platform/seals.ts'
import type { Provider } from '../../providers/provider.ts'
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
  /** What it reports to `noticeUrl`, of a collection that succeeded. */
  noticeOf?(collection: StoredCollection): object
  /** What its customers dial to pay by themselves. */
  menu?: RailMenu
  /** It reports to one address, which is set in its portal, and not to one that each request names. */
  reportsToConnection?: true
  /** The headers by which a callback proves to be the rail's. */
  sign?(seals: Seals, callback: Callback): Record<string, string>
}

/** A menu of a network's own. Stateless: `inputs` are all that was entered so far, oldest first. */
export type RailMenu = {
  code: string
  /** `number`: of the phone, E.164 with `+`. */
  answer(
    parts: SimulatorParts,
    provider: Provider,
    number: string,
    inputs: string[],
  ): Promise<{ text: string; isEnd: boolean }>
}

/** Where a rail reports that knows one address for all, in its portal. */
export const connectionAddress = (baseUrl: string, providerId: string) =>
  connectionCallbackUrl(baseUrl, 'test', providerId)

import { connectionCallbackUrl } from '../../instructions/callback-url.ts'
import type { RawRoute } from '../../platform/http/route.ts'
import type { Seals } from '../../platform/seals.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Callback } from './callback-store.ts'
import type { StoredCollection } from './collection-store.ts'
import type { StoredDisbursement } from './disbursement-store.ts'
import type { SimulatorParts } from './parts.ts'

/** Simulates all providers of one protocol. */
export type SimulatedRail = {
  /** Name of the protocol. */
  protocol: string
  /** Routes for every provider that uses the protocol. */
  routes(parts: SimulatorParts): RawRoute[]
  callbackMethod: Callback['method']
  /**
   * The response to a query and, without `reportOf`, the body of a callback; `undefined` if the rail sends no
   * callback.
   */
  documentOf(request: StoredCollection | StoredDisbursement): object | undefined
  reportOf?(request: StoredCollection | StoredDisbursement, seals: Seals): object
  /** Report on a successful collection, sent to `noticeUrl`. */
  noticeOf?(collection: StoredCollection): object
  /** Menu that the network's customers dial to make payments themselves. */
  menu?: RailMenu
  /** Sends callbacks to one URL set in the rail's portal, not to a URL in each request. */
  reportsToConnection?: true
  /** Returns headers that authenticate a callback. */
  sign?(seals: Seals, callback: Callback): Record<string, string>
}

/** A network's own menu. Stateless: `inputs` contains everything entered so far, oldest first. */
export type RailMenu = {
  code: string
  /** `number`: the phone, E.164 with `+`. */
  answer(
    parts: SimulatorParts,
    provider: Provider,
    number: string,
    inputs: string[],
  ): Promise<{ text: string; isEnd: boolean }>
}

/** URL for the callbacks of a rail that sends them all to one URL, set in its portal. */
export const connectionAddress = (baseUrl: string, providerId: string) =>
  connectionCallbackUrl(baseUrl, 'test', providerId)

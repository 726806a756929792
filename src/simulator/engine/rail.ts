import type { RawRoute } from '../../platform/http/commands/route.ts'
import type { Seals } from '../../platform/seals.ts'
import type { Provider } from '../../rails/connections/provider.ts'
import { connectionCallbackUrl } from '../../rails/instructions/callback-url.ts'
import type { Callback } from './callback-store.ts'
import type { StoredCollection } from './collection-store.ts'
import type { StoredDisbursement } from './disbursement-store.ts'
import type { SimulatorParts } from './parts.ts'

/** A simulation of all providers that use a protocol. */
export type SimulatedRail = {
  /** Name of the protocol. */
  protocol: string
  /** Routes for every provider that uses the protocol. */
  routes(parts: SimulatorParts): RawRoute[]
  callbackMethod: Callback['method']
  /**
   * Returns a document that is used as the response to a query and, if the rail has no `reportOf`, also as the
   * body of a callback. Returns `undefined` if the rail sends no callback.
   */
  documentOf(request: StoredCollection | StoredDisbursement): object | undefined
  reportOf?(request: StoredCollection | StoredDisbursement, seals: Seals): object
  /** Returns the report that is sent to `noticeUrl` for a successful collection. */
  noticeOf?(collection: StoredCollection): object
  /** Menu that the network's customers dial to make payments themselves. */
  menu?: RailMenu
  /** True if callbacks are sent to one URL that is set in the rail's portal, and not to a URL in each request. */
  reportsToConnection?: true
  /** Returns the headers that authenticate a callback. */
  sign?(seals: Seals, callback: Callback): Record<string, string>
}

/**
 * A network's own menu. It is stateless: `inputs` contains everything that has been entered so far, oldest
 * first.
 */
export type RailMenu = {
  code: string
  /** `number` is the phone number, in E.164 format with `+`. */
  answer(
    parts: SimulatorParts,
    provider: Provider,
    number: string,
    inputs: string[],
  ): Promise<{ text: string; isEnd: boolean }>
}

/** Returns the callback URL of a rail that sends all callbacks to one URL, which is set in its portal. */
export const connectionAddress = (baseUrl: string, providerId: string) =>
  connectionCallbackUrl(baseUrl, 'test', providerId)

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from '../provider.ts'
import type { RailSeals } from '../seals.ts'
import type { SimulatorParts } from './parts.ts'
import type { Callback, StoredCollection, StoredDisbursement } from './requests.ts'

/** A simulation of all providers that use a protocol. */
export type SimulatedRail = {
  /** Name of the protocol. */
  protocol: string
  /** Routes for every provider that uses the protocol, all of them under `/simulator/<protocol>/:providerId/`. */
  routes(parts: SimulatorParts): RailRoute[]
  callbackMethod: Callback['method']
  /**
   * Returns a document that is used as the response to a query and, if the rail has no `reportOf`, also as the
   * body of a callback. Returns `undefined` if the rail sends no callback.
   */
  documentOf(request: StoredCollection | StoredDisbursement): object | undefined
  reportOf?(request: StoredCollection | StoredDisbursement, seals: RailSeals): object
  /** Returns the report that is sent to `noticeUrl` for a successful collection. */
  noticeOf?(collection: StoredCollection): object
  /** Menu that the network's customers dial to make payments themselves. */
  menu?: RailMenu
  /** True if callbacks are sent to one URL that is set in the rail's portal, and not to a URL in each request. */
  reportsToConnection?: true
  /** Returns the headers that authenticate a callback. */
  sign?(seals: RailSeals, callback: Callback): Record<string, string>
}

/** A route of a simulated rail. */
export type RailRoute = {
  kind: 'raw'
  method: 'GET' | 'POST' | 'PUT'
  url: string
  summary: string
  /** Called before the body is read. It throws to refuse the caller. */
  admit?(request: FastifyRequest): unknown
  /** Sends an error in the rail's format. Pages have none: the service shows its own error page. */
  showError?(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown
  handle(request: FastifyRequest, reply: FastifyReply): unknown
}

/** Returns the values of a request's path parameters, such as `:providerId`, by their names. */
export const pathParams = ({ params }: Pick<FastifyRequest, 'params'>) =>
  // The router extracts the values according to the declared path, so every parameter has a text value.
  params as Record<string, string>

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

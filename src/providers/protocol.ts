import type { TProperties } from 'typebox'
import type { Agent } from 'undici'
import type { Seals } from '../platform/seals.ts'
import type { ConnectionFields } from './connection-fields.ts'
import type { Connector } from './connector.ts'
import type { Provider } from './provider.ts'

/**
 * How we speak to providers: the fields of a connection, and the connector that they make. Each has a folder under
 * `protocols/`; a connection reaches only the protocol whose fields it was checked against.
 */
export type Protocol<Fields extends ConnectionFields = ConnectionFields> = {
  /** As the catalogue and the connections name it. */
  name: string
  /** Of a connection, beside `protocol`; any other is refused. */
  fields: TProperties
  /** What is wrong with a connection beyond its fields, never showing a value of it; `undefined` when nothing is. */
  faultOf?(connection: Fields, provider: Provider): string | undefined
  /** @param peer the connections to this rail; closed with the connector */
  connect(connection: Fields & { timeoutMs: number }, provider: Provider, peer: Agent): Connector
  /** The connection to the simulator, which plays the provider in the test environment. */
  testConnection(provider: Provider, place: TestPlace): Fields
  /**
   * Which of its own fields decide how the rail is called and how it reports. All others decide where it is reached and as
   * whom: a change of those gives the connection another revision.
   */
  manners: readonly string[]
  /** What `pesewa rail-test` cannot see from outside. */
  conformance?: Conformance<Fields>
}

export type Conformance<Fields = ConnectionFields> = {
  /** Why cases of this name do not apply. */
  notApplicable?: Readonly<Record<string, string>>
  /** Whether a connection has what a report is proved by. */
  provesReports?(connection: Fields): boolean
  /** Reports are proved by the address that they come from, and not by what is in them. */
  provesReportsByAddress?: true
  /** A payment is queried by the rail's own reference only, which the answer to the submit or a report names. */
  isNamedByRail?: true
  /** What was answered or reported is committed: a query sees it. */
  commitsBeforeAnswering?: true
  /** By which a connection to the simulator believes its reports where it comes without that. */
  simulatedProof?: Partial<Fields>
}

export type TestPlace = {
  /** `http://127.0.0.1:8080/simulator`, without a slash at the end. */
  simulatorUrl: string
  /** Where payers reach us, and with us the simulated rails' pages. */
  baseUrl: string
  seals: Seals
}

/** It is near, and tests should not wait long until it is certain that nothing is on its way to it. */
export const simulatedTimeoutMs = 5_000 // limit: time for a message to a simulated rail

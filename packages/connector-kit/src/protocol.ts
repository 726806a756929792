import type { TProperties } from 'typebox'
import type { Agent } from 'undici'
import type { ConnectionFields } from './connection-fields.ts'
import type { Connector } from './connector.ts'
import type { Provider } from './provider.ts'
import type { RailSeals } from './seals.ts'

/**
 * Defines how we communicate with a provider: the fields of a connection and how its connector is created. A
 * connection is passed only to the protocol that validated its fields.
 */
export type Protocol<Fields extends ConnectionFields = ConnectionFields> = {
  /** The protocol's name in the catalogue and in connections. */
  name: string
  /** The fields that a connection may have in addition to `protocol`; any other field is refused. */
  fields: TProperties
  /**
   * Describes, without revealing values, an error that the schema does not detect; returns
   * `undefined` if there is none.
   */
  findIssue?(connection: Fields, provider: Provider): string | undefined
  /**
   * Creates the connector for a connection.
   *
   * @param peer the sockets to this rail; closed with the connector
   */
  connect(connection: Fields & { timeoutMs: number }, provider: Provider, peer: Agent): Connector
  /** Returns the connection to the simulator, which stands in for the provider in the test environment. */
  testConnection(provider: Provider, place: TestPlace): Fields
  /**
   * The protocol's own fields that affect only how the rail is called and how it reports. All other fields
   * determine which rail is called and which account is used; changing one of those changes the connection's
   * revision.
   */
  callFields: readonly string[]
  /** Facts about the protocol that `pesewa rail-test` cannot observe from the outside. */
  conformance?: Conformance<Fields>
}

export type Conformance<Fields = ConnectionFields> = {
  /** The names of the test cases that do not apply, each with the reason. */
  notApplicable?: Readonly<Record<string, string>>
  /** Returns whether a connection has everything it needs to authenticate reports. */
  provesReports?(connection: Fields): boolean
  /** Set if reports are authenticated by their source address, not by their content. */
  provesReportsByAddress?: true
  /**
   * Set if payments can be queried only by the rail's own reference, which becomes known from the response to
   * the submit or from a report.
   */
  isNamedByRail?: true
  /**
   * Set if the rail commits before it responds or reports, so that a query sent after that finds what the rail
   * reported.
   */
  commitsBeforeAnswering?: true
  /**
   * The fields that a connection to the simulator needs to authenticate reports, if its other fields are not
   * enough for this.
   */
  simulatedProof?: Partial<Fields>
}

export type TestPlace = {
  /** The simulator's URL, without a trailing slash, such as `http://127.0.0.1:8080/simulator`. */
  simulatorUrl: string
  /** Our public URL, under which payers also reach the simulated rails' pages. */
  baseUrl: string
  seals: RailSeals
}

/**
 * A short time limit is enough, because the network path to the simulator is short. With a short limit, tests
 * also find out sooner that no call is in flight any more.
 */
export const simulatedTimeoutMs = 5_000 // time limit for a message to a simulated rail

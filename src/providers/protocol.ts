import type { TProperties } from 'typebox'
import type { Agent } from 'undici'
import type { Seals } from '../platform/seals.ts'
import type { ConnectionFields } from './connection-fields.ts'
import type { Connector } from './connector.ts'
import type { Provider } from './provider.ts'

/**
 * How we communicate with providers: defines the fields of a connection and creates its connector. Each
 * protocol has a folder under `protocols/`; a connection is passed only to the protocol that validated its
 * fields.
 */
export type Protocol<Fields extends ConnectionFields = ConnectionFields> = {
  /** The name used by the catalogue and by connections. */
  name: string
  /** Fields that a connection may have in addition to `protocol`; any other is refused. */
  fields: TProperties
  /**
   * Describes an error that the fields' schema does not catch, without showing values; `undefined` if there is
   * none.
   */
  findIssue?(connection: Fields, provider: Provider): string | undefined
  /** @param peer the sockets to this rail; closed with the connector */
  connect(connection: Fields & { timeoutMs: number }, provider: Provider, peer: Agent): Connector
  /** The connection to the simulator, which plays the provider in the test environment. */
  testConnection(provider: Provider, place: TestPlace): Fields
  /**
   * The protocol's own fields that affect how the rail is called and how it reports. All other fields determine
   * which rail is called and which account is used; changing one of those changes the connection's revision.
   */
  callFields: readonly string[]
  /** Facts that `pesewa rail-test` cannot observe from outside. */
  conformance?: Conformance<Fields>
}

export type Conformance<Fields = ConnectionFields> = {
  /** Reasons why test cases do not apply, by case name. */
  notApplicable?: Readonly<Record<string, string>>
  /** Whether a connection has what it needs to authenticate reports. */
  provesReports?(connection: Fields): boolean
  /** Reports are authenticated by their source address, not by their content. */
  provesReportsByAddress?: true
  /** Payments can only be queried by the rail's own reference, from the response to the submit or from a report. */
  isNamedByRail?: true
  /** The rail commits before it responds or reports, so a query sees what was reported. */
  commitsBeforeAnswering?: true
  /** Adds what a connection to the simulator needs to authenticate reports, if it has nothing else for that. */
  simulatedProof?: Partial<Fields>
}

export type TestPlace = {
  /** The simulator's URL, without a trailing slash: `http://127.0.0.1:8080/simulator`. */
  simulatorUrl: string
  /** Our public URL, under which payers also reach the simulated rails' pages. */
  baseUrl: string
  seals: Seals
}

/** The simulator is close, and with a short limit, tests know sooner that no call is still in flight. */
export const simulatedTimeoutMs = 5_000 // time for a message to a simulated rail

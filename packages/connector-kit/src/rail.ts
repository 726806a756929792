import type { Protocol } from './protocol.ts'
import type { SimulatedRail } from './simulator/rail.ts'

/** A supported rail: its protocol, its providers, and the simulation of it. */
export type Rail = Protocol & {
  /**
   * The providers of the catalogue that use this protocol in the test environment, in the form of
   * `providerShape` without `protocol` and `reachedBy`.
   */
  providers: readonly object[]
  /**
   * Providers that live connections can reach through this rail, by id, including those of other rails. The
   * values are the providers' names in this protocol, or `null` if it needs no name.
   */
  reaches?: Readonly<Record<string, string | null | undefined>>
  /** Loads the simulation. Only the simulator calls this, so that a live installation loads none. */
  simulator(): Promise<SimulatedRail>
}

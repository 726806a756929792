import type { Protocol } from './protocol.ts'
import type { SimulatedRail } from './simulator/rail.ts'

/** A supported rail: its protocol, and the simulation of it. */
export type Rail = Protocol & {
  /** Loads the simulation. Only the simulator calls this, so that a live installation loads none. */
  simulator(): Promise<SimulatedRail>
}

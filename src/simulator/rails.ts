import { acquirerRail } from './acquirer/rail.ts'
import type { SimulatedRail } from './engine/rail.ts'
import { mtnRail } from './mtn/rail.ts'
import { restRail } from './rest/rail.ts'

/** Every protocol that the simulator speaks. */
export const rails: readonly SimulatedRail[] = [mtnRail, restRail, acquirerRail]

import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Seals } from '../../platform/seals.ts'
import type { Catalogue } from '../catalogue.ts'
import type { Delays } from './behaviour.ts'
import type { SimulatorClock } from './clock.ts'

export type SimulatorParts = {
  db: Database
  log: Log
  seals: Seals
  catalogue: Catalogue
  /** Callbacks go to this address only, as a rail calls only the host that was registered with it. */
  baseUrl: string
  clock?: SimulatorClock
  delays?: Partial<Delays>
}

export type RailParts = SimulatorParts & {
  clock: SimulatorClock
  delays: Delays
  wakeAt(moment: Date): void
}

import type { PlatformSettings } from '../../platform/config.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Catalogue } from '../../providers/catalogue.ts'
import type { Delays } from './behaviour.ts'
import type { SimulatorClock } from './clock.ts'
import type { NewRequest, RequestTable } from './request-store.ts'

/** Callbacks go to `baseUrl` only, as a rail calls only the host that was registered with it. */
export type SimulatorParts = Pick<Platform, 'db' | 'log' | 'seals' | 'baseUrl'> & {
  catalogue: Catalogue
  /** Our USSD gateway, where the aggregator that the handsets dial through sends their steps; with the secret. */
  gatewayUrl: string
  /** Whether the handsets' limits per address hold. */
  rateLimits: PlatformSettings['rateLimits']
  /** Off: its addresses are not there, and nothing happens by itself. */
  isOn: boolean
  clock: SimulatorClock
  delays: Delays
  wakeAt(moment: Date): void
  /** Returns whether its reference was new. Requests that come at the same time are stored together. */
  store(kind: RequestTable['kind'], request: NewRequest): Promise<boolean>
}

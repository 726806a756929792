import type { PlatformSettings } from '../../platform/config.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Catalogue } from '../../providers/catalogue.ts'
import type { Delays } from './behaviour.ts'
import type { SimulatorClock } from './clock.ts'
import type { NewRequest, RequestTable } from './request-store.ts'

/** Callbacks go only to `baseUrl`, because a rail calls only registered hosts. */
export type SimulatorParts = Pick<Platform, 'db' | 'log' | 'seals' | 'baseUrl'> & {
  catalogue: Catalogue
  /** URL of our USSD gateway, including its secret. The handsets' aggregator sends steps to it. */
  gatewayUrl: string
  /** Whether the handsets' rate limits per IP address apply. */
  rateLimits: PlatformSettings['rateLimits']
  /** If off, the simulator's URLs do not exist and nothing runs in the background. */
  isOn: boolean
  clock: SimulatorClock
  delays: Delays
  wakeAt(moment: Date): void
  /** Returns whether the reference was new. Concurrent requests are stored together. */
  store(kind: RequestTable['kind'], request: NewRequest): Promise<boolean>
}

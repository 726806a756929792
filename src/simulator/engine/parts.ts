import type { PlatformSettings } from '../../platform/config.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import type { Delays } from './behaviour.ts'
import type { SimulatorClock } from './clock.ts'
import type { NewRequest, RequestTable } from './request-store.ts'

/**
 * Dependencies of the simulator. Callbacks are only sent to `baseUrl`, because a rail calls only registered
 * hosts.
 */
export type SimulatorParts = Pick<Platform, 'db' | 'log' | 'seals' | 'baseUrl'> & {
  catalogue: Catalogue
  /** URL of our USSD gateway, including its secret. The aggregator of the handsets sends its steps to this URL. */
  gatewayUrl: string
  /** `on` if the handsets' rate limits for each IP address apply. */
  rateLimits: PlatformSettings['rateLimits']
  /** If false, the simulator's URLs do not exist and nothing runs in the background. */
  isOn: boolean
  clock: SimulatorClock
  delays: Delays
  wakeAt(moment: Date): void
  /** Stores a request, and returns whether its reference was new. Concurrent requests are stored in one batch. */
  store(kind: RequestTable['kind'], request: NewRequest): Promise<boolean>
}

import type { SimulatorParts } from '@pesewa/connector-kit/simulator'
import type { PlatformSettings } from '../../platform/config.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'

/** Dependencies of the simulator: those of the rails, and those of the handsets. */
export type SimulatorPlatform = SimulatorParts &
  Pick<Platform, 'db' | 'log'> & {
    catalogue: Catalogue
    /** URL of our USSD gateway, including its secret. The aggregator of the handsets sends its steps to this URL. */
    gatewayUrl: string
    /** `on` if the handsets' rate limits for each IP address apply. */
    rateLimits: PlatformSettings['rateLimits']
    /** If false, the simulator's URLs do not exist and nothing runs in the background. */
    isOn: boolean
  }

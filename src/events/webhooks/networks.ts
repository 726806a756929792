import type { PlatformSettings } from '../../platform/config.ts'
import type { Environment } from '../../platform/scope.ts'
import type { EventSettings } from '../settings.ts'

/** What says whom webhooks may reach. */
export type DestinationSettings = Pick<
  PlatformSettings & EventSettings,
  'webhookAllowedNetworks' | 'databaseUrl'
>

/** The networks that webhooks may reach besides the public internet. */
export function webhookNetworks(settings: DestinationSettings, environment: Environment): string[] {
  const { webhookAllowedNetworks, databaseUrl } = settings
  // With the embedded database this is somebody's own machine, where what they try out listens beside it.
  const isTrial = environment === 'test' && databaseUrl === undefined && webhookAllowedNetworks.length === 0
  return isTrial ? ['127.0.0.0/8', '::1/128'] : webhookAllowedNetworks
}

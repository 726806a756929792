import { type PlatformSettings, type SettingsOf, setting } from '../platform/config.ts'
import type { Environment } from '../platform/scope.ts'
import { durationAtLeast, networks, whole } from '../platform/setting-values.ts'

export const settings = {
  webhookAllowedNetworks: setting(
    'WEBHOOK_ALLOWED_NETWORKS',
    '10.1.2.0/24',
    'Networks other than the public internet that webhooks may reach, comma-separated. Default: none; with the embedded database, in the test environment, the loopback of this machine.',
    networks,
  ),
  webhookLimit: setting(
    'WEBHOOK_LIMIT',
    '500',
    'Attempts per second to deliver the events of one Space and environment, from one node.',
    whole(500, 1, 1e6),
  ),
  eventRetentionMs: setting(
    'EVENT_RETENTION',
    '30d',
    'How long events and their deliveries are kept; at least 8d, and a day longer than IDEMPOTENCY_RETENTION.',
    durationAtLeast('30d', '8d'),
  ),
} as const

export type EventSettings = SettingsOf<typeof settings>

/** The networks that webhooks may reach besides the public internet. */
export function webhookNetworks(
  settings: Pick<PlatformSettings & EventSettings, 'webhookAllowedNetworks' | 'databaseUrl'>,
  environment: Environment,
): string[] {
  const { webhookAllowedNetworks, databaseUrl } = settings
  // With the embedded database this is somebody's own machine, and the receiver that they try out runs there too.
  const isTrial = environment === 'test' && databaseUrl === undefined && webhookAllowedNetworks.length === 0
  return isTrial ? ['127.0.0.0/8', '::1/128'] : webhookAllowedNetworks
}

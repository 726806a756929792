import { type PlatformSettings, type SettingsOf, setting } from '../platform/config.ts'
import type { Environment } from '../platform/scope.ts'
import { durationAtLeast, networks, whole } from '../platform/setting-values.ts'

export const settings = {
  webhookAllowedNetworks: setting(
    'WEBHOOK_ALLOWED_NETWORKS',
    '10.1.2.0/24',
    'Private networks that webhooks may reach, comma-separated. Default: none or, in the test environment with the embedded database, this machine’s loopback.',
    networks,
  ),
  webhookLimit: setting(
    'WEBHOOK_LIMIT',
    '500',
    'Webhook delivery attempts per second for one Space and environment, per node.',
    whole(500, 1, 1e6),
  ),
  eventRetentionMs: setting(
    'EVENT_RETENTION',
    '30d',
    'How long events and their deliveries are kept; at least 8d, and one day longer than IDEMPOTENCY_RETENTION.',
    durationAtLeast('30d', '8d'),
  ),
} as const

export type EventSettings = SettingsOf<typeof settings>

/** Returns the networks that webhooks may reach in addition to the public internet. */
export function webhookNetworks(
  settings: Pick<PlatformSettings & EventSettings, 'webhookAllowedNetworks' | 'databaseUrl'>,
  environment: Environment,
): string[] {
  const { webhookAllowedNetworks, databaseUrl } = settings
  // An embedded database indicates a developer's machine, on which test receivers use the loopback address.
  const isTrial = environment === 'test' && databaseUrl === undefined && webhookAllowedNetworks.length === 0
  return isTrial ? ['127.0.0.0/8', '::1/128'] : webhookAllowedNetworks
}

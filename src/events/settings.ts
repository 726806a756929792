import { type SettingsOf, setting } from '../platform/config.ts'
import { durationAtLeast, networks } from '../platform/setting-values.ts'

export const settings = {
  webhookAllowedNetworks: setting(
    'WEBHOOK_ALLOWED_NETWORKS',
    '10.1.2.0/24',
    'Networks beside the public internet that webhooks may reach, separated by commas. Default: none; in the test environment also the loopback of this machine when the database is the embedded one.',
    networks,
  ),
  eventRetentionMs: setting(
    'EVENT_RETENTION',
    '30d',
    'How long events and their deliveries are kept; at least 8d, and a day longer than IDEMPOTENCY_RETENTION.',
    durationAtLeast('30d', '8d'),
  ),
} as const

export type EventSettings = SettingsOf<typeof settings>

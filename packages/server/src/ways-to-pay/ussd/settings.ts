import { type SettingsOf, setting } from '../../platform/config.ts'
import { durationAtLeast, networks, secret, whole } from '../../platform/setting-values.ts'

export const settings = {
  ussdSecret: setting(
    'USSD_SECRET',
    'at least 32 random characters',
    'Secret at the end of the live URL for your USSD aggregator: /ussd/africastalking/<secret>. By default, there is no such URL.',
    secret,
  ),
  ussdNetworks: setting(
    'USSD_NETWORKS',
    '203.0.113.0/24',
    'Networks that may call /ussd/africastalking without a secret in the live environment, separated by commas. By default, there are none.',
    networks,
  ),
  ussdWrongOtps: setting(
    'USSD_WRONG_OTPS',
    '5',
    'Number of wrong one-time passwords within USSD_WRONG_DIALS_WINDOW after which a phone is locked out.',
    whole(5, 1, 100),
  ),
  ussdWrongCodes: setting(
    'USSD_WRONG_CODES',
    '20',
    'Number of wrong payment codes within USSD_WRONG_DIALS_WINDOW after which a phone is locked out.',
    whole(20, 1, 1000),
  ),
  ussdWrongDialsWindowMs: setting(
    'USSD_WRONG_DIALS_WINDOW',
    '10m',
    'Time window in which wrong dials are counted.',
    durationAtLeast('10m', '1s'),
  ),
  ussdLockOutMs: setting(
    'USSD_LOCK_OUT',
    '10m',
    'Duration of a lock-out after too many wrong dials.',
    durationAtLeast('10m', '1s'),
  ),
} as const

export type UssdSettings = SettingsOf<typeof settings>

import { type SettingsOf, setting } from '../platform/config.ts'
import { durationAtLeast, networks, secret, whole } from '../platform/setting-values.ts'

export const settings = {
  ussdSecret: setting(
    'USSD_SECRET',
    'at least 32 random characters',
    'The last part of the address at which your USSD aggregator reaches live: /ussd/africastalking/<secret>. Default: no such address.',
    secret,
  ),
  ussdNetworks: setting(
    'USSD_NETWORKS',
    '203.0.113.0/24',
    'Networks from which /ussd/africastalking serves live without a secret, separated by commas. Default: none.',
    networks,
  ),
  ussdWrongOtps: setting(
    'USSD_WRONG_OTPS',
    '5',
    'Wrong one-time passwords that one phone may dial within USSD_WRONG_DIALS_WINDOW before it is locked out.',
    whole(5, 1, 100),
  ),
  ussdWrongCodes: setting(
    'USSD_WRONG_CODES',
    '20',
    'Wrong payment codes that one phone may dial within USSD_WRONG_DIALS_WINDOW before it is locked out.',
    whole(20, 1, 1000),
  ),
  ussdWrongDialsWindowMs: setting(
    'USSD_WRONG_DIALS_WINDOW',
    '10m',
    'For how long a wrong dial counts.',
    durationAtLeast('10m', '1s'),
  ),
  ussdLockOutMs: setting(
    'USSD_LOCK_OUT',
    '10m',
    'How long a phone that dialled too many wrong codes is locked out.',
    durationAtLeast('10m', '1s'),
  ),
} as const

export type UssdSettings = SettingsOf<typeof settings>

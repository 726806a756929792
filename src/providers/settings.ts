import { type SettingsOf, setting } from '../platform/config.ts'
import { oneOf, optional, url, whole } from '../platform/setting-values.ts'

export const settings = {
  providersFile: setting(
    'PROVIDERS_FILE',
    './providers.json',
    'Your additions to the provider catalogue and your live connections; see docs/guides/providers.md.',
    optional,
  ),
  kycLimit: setting(
    'KYC_LIMIT',
    '600',
    'Look-ups of account holders that one Space may make in an hour, in each environment.',
    whole(600, 1, 1e6),
  ),
  kycTokenLimit: setting(
    'KYC_TOKEN_LIMIT',
    '300',
    'Look-ups of account holders that one token may make in an hour.',
    whole(300, 1, 1e6),
  ),
  kycMissingLimit: setting(
    'KYC_MISSING_LIMIT',
    '20',
    'Accounts that do not exist which one Space may look up within ten minutes before it has to wait.',
    whole(20, 1, 1e6),
  ),
  simulator: setting(
    'SIMULATOR',
    'on',
    'on or off: whether this node plays the providers of the test environment, and their handsets, for everybody who reaches /simulator. Default: on for start, off for serve and work.',
    oneOf<'on' | 'off' | undefined>(undefined, 'on', 'off'),
  ),
  simulatorUrl: setting(
    'SIMULATOR_URL',
    'http://127.0.0.1:8080/simulator',
    'Where the test environment finds the provider simulator. Default: this node, where SIMULATOR is on.',
    url,
  ),
} as const

export type ProviderSettings = SettingsOf<typeof settings>

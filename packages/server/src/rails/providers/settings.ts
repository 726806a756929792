import { type SettingsOf, setting } from '../../platform/config.ts'
import { oneOf, optional, url, whole } from '../../platform/setting-values.ts'

export const settings = {
  providersFile: setting(
    'PROVIDERS_FILE',
    './providers.json',
    'JSON file that contains your live connections and additions to the provider catalogue; see docs/guides/providers.md.',
    optional,
  ),
  kycLimit: setting(
    'KYC_LIMIT',
    '600',
    'Maximum number of account holder look-ups per hour for each Space, in each environment.',
    whole(600, 1, 1e6),
  ),
  kycTokenLimit: setting(
    'KYC_TOKEN_LIMIT',
    '300',
    'Maximum number of account holder look-ups per hour for each token.',
    whole(300, 1, 1e6),
  ),
  kycMissingLimit: setting(
    'KYC_MISSING_LIMIT',
    '20',
    'Number of look-ups of non-existent accounts that a Space can make within ten minutes before it has to wait.',
    whole(20, 1, 1e6),
  ),
  simulator: setting(
    'SIMULATOR',
    'on',
    'on or off: whether this node simulates the test environment’s providers and phones for anyone who can reach /simulator. Default: on for start, off for serve and work.',
    oneOf<'on' | 'off' | undefined>(undefined, 'on', 'off'),
  ),
  simulatorUrl: setting(
    'SIMULATOR_URL',
    'http://127.0.0.1:8080/simulator',
    'URL of the provider simulator for the test environment. Default: this node, if SIMULATOR is on.',
    url,
  ),
} as const

export type ProviderSettings = SettingsOf<typeof settings>

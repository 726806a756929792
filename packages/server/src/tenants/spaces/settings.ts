import { type SettingsOf, setting } from '../../platform/config.ts'
import { whole } from '../../platform/setting-values.ts'

export const settings = {
  failedAuthenticationLimit: setting(
    'FAILED_AUTHENTICATION_LIMIT',
    '20',
    'Number of failed authentications per second from one address above which tokens that have never been valid on this node get 429.',
    whole(20, 1, 1e6),
  ),
} as const

export type SpaceSettings = SettingsOf<typeof settings>

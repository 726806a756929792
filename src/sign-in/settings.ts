import { type SettingsOf, setting } from '../platform/config.ts'
import { identityProvider, optional, text } from '../platform/setting-values.ts'

export const settings = {
  oidcIssuer: setting(
    'OIDC_ISSUER',
    'https://login.example.com',
    'The OpenID Connect provider with which people sign in to the console; see docs/guides/single-sign-on.md. Default: none.',
    identityProvider,
  ),
  oidcClientId: setting('OIDC_CLIENT_ID', 'pesewa', 'What that provider calls this service.', optional),
  oidcClientSecret: setting(
    'OIDC_CLIENT_SECRET',
    'what the provider has issued',
    'The secret of that client. Default: none, for a public client.',
    optional,
  ),
  oidcClientSecretFile: setting(
    'OIDC_CLIENT_SECRET_FILE',
    '/run/secrets/oidc',
    'A file that holds the secret instead; it is read each time, so that another one needs no restart.',
    optional,
  ),
  oidcName: setting(
    'OIDC_NAME',
    'Example Ltd.',
    'What the button to sign in calls the provider. Default: the host of OIDC_ISSUER.',
    optional,
  ),
  oidcScopes: setting(
    'OIDC_SCOPES',
    'openid email profile',
    'What the provider is asked for; some need "groups" as well.',
    text('openid email profile'),
  ),
  oidcEmailVerifiedClaim: setting(
    'OIDC_EMAIL_VERIFIED_CLAIM',
    'email_verified',
    'The claim that says whether the mailbox is the person’s own; Entra ID has xms_edov.',
    text('email_verified'),
  ),
  oidcGroupsClaim: setting(
    'OIDC_GROUPS_CLAIM',
    'groups',
    'The claim that lists the groups of a person.',
    text('groups'),
  ),
  oidcGroupsFile: setting(
    'OIDC_GROUPS_FILE',
    './groups.json',
    'Which groups are operators, and which roles they have in which Spaces.',
    optional,
  ),
} as const

export type SignInSettings = SettingsOf<typeof settings>

/** What settings that are good one by one lack together. */
export function oidcFault(settings: SignInSettings): string | undefined {
  if (!settings.oidcIssuer) return undefined
  if (!settings.oidcClientId) return 'OIDC_CLIENT_ID must be set where OIDC_ISSUER is'
  if (settings.oidcClientSecret && settings.oidcClientSecretFile)
    return 'OIDC_CLIENT_SECRET and OIDC_CLIENT_SECRET_FILE are both set: leave one out'
  if (!settings.oidcScopes.split(/\s+/).includes('openid')) return 'OIDC_SCOPES must have "openid"'
  return undefined
}

import { type SettingsOf, setting } from '../../platform/config.ts'
import { identityProvider, optional, text } from '../../platform/setting-values.ts'

export const settings = {
  oidcIssuer: setting(
    'OIDC_ISSUER',
    'https://login.example.com',
    'OpenID Connect provider for signing in to the console; see docs/guides/single-sign-on.md. By default, there is none.',
    identityProvider,
  ),
  oidcClientId: setting(
    'OIDC_CLIENT_ID',
    'pesewa',
    'Client id of this service at the identity provider.',
    optional,
  ),
  oidcClientSecret: setting(
    'OIDC_CLIENT_SECRET',
    'secret from the identity provider',
    'Client secret. By default, there is none, as for a public client.',
    optional,
  ),
  oidcClientSecretFile: setting(
    'OIDC_CLIENT_SECRET_FILE',
    '/run/secrets/oidc',
    'File that contains the client secret. It is read whenever the secret is used, so a new secret does not require a restart.',
    optional,
  ),
  oidcName: setting(
    'OIDC_NAME',
    'Example Ltd.',
    'Name of the identity provider on the sign-in button. By default, the host of OIDC_ISSUER.',
    optional,
  ),
  oidcScopes: setting(
    'OIDC_SCOPES',
    'openid email profile',
    'Scopes requested from the identity provider. Some providers also require "groups".',
    text('openid email profile'),
  ),
  oidcEmailVerifiedClaim: setting(
    'OIDC_EMAIL_VERIFIED_CLAIM',
    'email_verified',
    'Claim that marks the email address as verified; for Entra ID, this is xms_edov.',
    text('email_verified'),
  ),
  oidcGroupsClaim: setting(
    'OIDC_GROUPS_CLAIM',
    'groups',
    'Claim that lists the user’s groups.',
    text('groups'),
  ),
  oidcGroupsFile: setting(
    'OIDC_GROUPS_FILE',
    './groups.json',
    'File that maps groups to operators and to roles in Spaces.',
    optional,
  ),
} as const

export type SignInSettings = SettingsOf<typeof settings>

/** Checks settings that depend on each other, and returns the first problem, or `undefined` if there is none. */
export function findOidcIssue(settings: SignInSettings): string | undefined {
  if (!settings.oidcIssuer) return undefined
  if (!settings.oidcClientId) return 'OIDC_CLIENT_ID is required when OIDC_ISSUER is set'
  if (settings.oidcClientSecret && settings.oidcClientSecretFile)
    return 'Set only one of OIDC_CLIENT_SECRET and OIDC_CLIENT_SECRET_FILE'
  if (!settings.oidcScopes.split(/\s+/).includes('openid')) return 'OIDC_SCOPES must include "openid"'
  return undefined
}

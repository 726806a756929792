import type { Route } from '../../platform/http/commands/route.ts'
import { codeRoutes } from './code-routes.ts'
import { linkRoutes } from './link-routes.ts'
import { mailedCodeRoutes } from './mailed-code-routes.ts'
import { createIdentityProvider } from './oidc/identity-provider.ts'
import { oidcRoutes } from './oidc/routes.ts'
import type { OwnRouteParts } from './own-route.ts'
import { ownSignInRoutes } from './own-sign-ins.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { passkeySignInRoutes } from './passkey-sign-in.ts'
import { createSignInLimits } from './signing-in.ts'
import { totpRoutes } from './totp-routes.ts'

/** Returns all sign-in routes, which share their rate limits. */
export function signInRoutes(parts: OwnRouteParts): Route[] {
  const limits = createSignInLimits(parts)
  return [
    ...linkRoutes(parts, limits),
    ...passkeySignInRoutes(parts, limits),
    ...codeRoutes(parts, limits),
    ...mailedCodeRoutes(parts),
    ...oidcRoutes(parts, createIdentityProvider(parts), limits),
    ...passkeyRoutes(parts),
    ...totpRoutes(parts),
    ...ownSignInRoutes(parts),
  ]
}

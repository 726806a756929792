import type { Route } from '../platform/http/route.ts'
import { codeRoutes } from './code-routes.ts'
import { linkRoutes } from './link-routes.ts'
import { createIdentityProvider } from './oidc/identity-provider.ts'
import { oidcRoutes } from './oidc/routes.ts'
import type { OwnRouteParts } from './own-route.ts'
import { ownSignInRoutes } from './own-sign-ins.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { passkeySignInRoutes } from './passkey-sign-in.ts'
import { createAttemptCounter } from './signing-in.ts'
import { totpRoutes } from './totp-routes.ts'

/** All ways to sign in count together how often an address tries. */
export function signInRoutes(parts: OwnRouteParts): Route[] {
  const countAttempt = createAttemptCounter(parts)
  return [
    ...linkRoutes(parts, countAttempt),
    ...passkeySignInRoutes(parts, countAttempt),
    ...codeRoutes(parts, countAttempt),
    ...oidcRoutes(parts, createIdentityProvider(parts), countAttempt),
    ...passkeyRoutes(parts),
    ...totpRoutes(parts),
    ...ownSignInRoutes(parts),
  ]
}

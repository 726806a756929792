import { messageOf } from '@pesewa/values'
import Type, { type Static } from 'typebox'
import type { HomeTx } from '../../../platform/db/database.ts'
import { type Browser, openRoute } from '../../../platform/http/admission/open-route.ts'
import type { RawRoute } from '../../../platform/http/commands/route.ts'
import { object, opaqueText, shownAddress, withDescription } from '../../../platform/http/shapes/shapes.ts'
import { Refusal } from '../../../platform/refusals.ts'
import { type OwnRouteParts, ownRoute, type SignedInUser } from '../own-route.ts'
import { finishStepUp, type SignInLimits, signedIn, signIn, steppedUp } from '../signing-in.ts'
import type { Claims } from './claims.ts'
import { applyGroups } from './group-roles.ts'
import { type GroupRoles, readGroupRoles } from './groups-file.ts'
import { findOrCreateUser } from './identities.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { beginProviderAttempt, type ProviderAttempt, takeProviderAttempt } from './provider-attempts.ts'
import { selectIdentity } from './store.ts'

const maxQuery = 8_192 // maximum number of characters in the query that an identity provider sends back with the browser

/** Tolerated clock difference between this service and the provider. */
const skewMs = 60_000

const address = object({
  url: withDescription(
    shownAddress,
    'URL to which to send the browser.',
    'https://login.example.com/authorize?client_id=pesewa&state=9Qm7TzR2vB8n',
  ),
})

const body = object({
  query: opaqueText(1, maxQuery, {
    description: 'Query of the URL to which the browser returned, without the `?`.',
  }),
})

/** Routes for signing in and stepping up at an OpenID Connect provider. */
export function oidcRoutes(
  parts: OwnRouteParts,
  provider: IdentityProvider | undefined,
  limits: SignInLimits,
): RawRoute[] {
  return [
    openRoute(parts.baseUrl, {
      url: '/v1/sign-in/ways',
      summary: 'Retrieve the sign-in methods',
      example: {},
      body: object({}),
      result: object({
        identityProvider: Type.Union([Type.String(), Type.Null()], {
          description: 'Name of the OpenID Connect provider; null if none is configured.',
          examples: ['Example Ltd.'],
        }),
      }),
      write: async () => ({ identityProvider: provider?.name ?? null }),
    }),
    openRoute(parts.baseUrl, {
      url: '/v1/sign-in/oidc/begin',
      summary: 'Start signing in at the identity provider',
      about: 'Finish within ten minutes.',
      reasons: ['state_conflict'],
      example: {},
      body: object({}),
      result: address,
      write: async (_body, browser) => {
        await limits.begin(browser)
        return begin(parts, provider, browser, null)
      },
    }),
    openRoute(parts.baseUrl, {
      url: '/v1/sign-in/oidc',
      summary: 'Finish signing in at the identity provider',
      reasons: ['sign_in_failed', 'state_conflict'],
      example: { query: 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj' },
      body,
      result: signedIn,
      write: ({ query }, browser) =>
        limits.attempt(browser, async () => {
          const { claims } = await finishAtProvider(parts, provider, query, browser, null)
          return signInAs(parts, claims, browser)
        }),
    }),
    ownRoute(parts, {
      url: '/v1/step-up/oidc/begin',
      summary: 'Start a step-up at the identity provider',
      reasons: ['state_conflict'],
      example: {},
      body: object({}),
      result: address,
      write: (_body, person) => begin(parts, provider, person, person.sessionId),
    }),
    ownRoute(parts, {
      url: '/v1/step-up/oidc',
      summary: 'Finish a step-up at the identity provider',
      reasons: ['sign_in_failed', 'state_conflict'],
      example: { query: 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj' },
      body,
      result: steppedUp,
      write: async ({ query }, person) => {
        const { claims, attempt } = await finishAtProvider(parts, provider, query, person, person.sessionId)
        const isFresh = await parts.home.transaction((tx) => stepUp(tx, claims, attempt, person))
        if (!isFresh)
          throw new Refusal('sign_in_failed', {
            message: 'The identity provider did not confirm that you just signed in there. Try again.',
          })
        return { isFresh }
      },
    }),
  ]
}

async function begin(
  parts: OwnRouteParts,
  provider: IdentityProvider | undefined,
  browser: Browser,
  sessionId: string | null,
): Promise<Static<typeof address>> {
  if (!provider) throw noProvider()
  const binding = await parts.home.transaction((tx) => beginProviderAttempt(tx, parts, browser, sessionId))
  return { url: await provider.addressFor(binding, sessionId !== null) }
}

/**
 * Completes an attempt and returns the user's claims. The attempt is deleted before the provider is contacted,
 * so that the query with which the browser returns works only once.
 */
async function finishAtProvider(
  parts: OwnRouteParts,
  provider: IdentityProvider | undefined,
  query: string,
  browser: Browser,
  sessionId: string | null,
): Promise<{ claims: Claims; attempt: ProviderAttempt }> {
  if (!provider) throw noProvider()
  const attempt = await parts.home.transaction((tx) => takeProviderAttempt(tx, parts, browser))
  if (!attempt || attempt.sessionId !== sessionId) throw new Refusal('sign_in_failed')
  return { claims: await provider.identify(query, attempt), attempt }
}

async function signInAs(parts: OwnRouteParts, claims: Claims, browser: Browser) {
  const given = groupRolesFor(parts, claims)
  return parts.home.transaction(async (tx) => {
    const userId = await findOrCreateUser(tx, claims, given, browser)
    await applyGroups(tx, parts.log, userId, given)
    // If the provider does not report when the user authenticated, the session does not count as fresh.
    return signIn(parts, tx, userId, 'oidc', browser, claims.authenticatedAt ?? new Date(0))
  })
}

/** Reads the groups file. If it has become invalid since start-up, the sign-in is refused and no roles change. */
function groupRolesFor({ settings, log }: OwnRouteParts, { groups }: Claims): GroupRoles {
  try {
    return readGroupRoles(settings.oidcGroupsFile, groups)
  } catch (error) {
    log.error({ cause: messageOf(error) }, 'failed to read OIDC_GROUPS_FILE')
    throw new Refusal('sign_in_failed', {
      message: 'Single sign-on is not working. Contact the operator, or sign in another way.',
    })
  }
}

async function stepUp(tx: HomeTx, claims: Claims, { beganAt }: ProviderAttempt, person: SignedInUser) {
  const shownAt = claims.authenticatedAt?.getTime() ?? 0
  const isGood = (await selectIdentity(tx, claims)) === person.userId && shownAt >= beganAt.getTime() - skewMs
  return finishStepUp(tx, 'oidc', isGood, person)
}

const noProvider = () =>
  new Refusal('state_conflict', {
    message: 'This installation has no identity provider. Sign in another way.',
  })

import { readFileSync } from 'node:fs'
import { createPeer, send } from '@pesewa/connector-kit'
import { codeOf, messageOf } from '@pesewa/values'
import type { ClientAuth, Configuration, CustomFetchOptions } from 'openid-client'
import type { Platform } from '../../../platform/platform.ts'
import { Refusal } from '../../../platform/refusals.ts'
import { lifeByProviderMs } from '../../spaces/sessions.ts'
import type { SignInSettings } from '../settings.ts'
import { type Claims, readClaims } from './claims.ts'
import { readGroupsFile } from './groups-file.ts'
import type { Binding, ProviderAttempt } from './provider-attempts.ts'

const timeoutMs = 10_000
const maxConnections = 4
const metadataMs = 3_600_000 // how long the identity provider’s metadata is cached
/** Users must authenticate again if their last authentication was longer ago than the lifetime of a session. */
const maxAuthenticationAgeSeconds = lifeByProviderMs / 1_000

export type IdentityProvider = {
  /** Name shown to users. */
  name: string
  /** Returns the URL to which the browser is redirected. With `isStepUp`, the user must authenticate again. */
  addressFor(binding: Binding, isStepUp: boolean): Promise<string>
  /**
   * Returns the claims about a user whom the provider has sent back with `query`, which is the part of the URL
   * after the question mark.
   *
   * @throws Refusal `sign_in_failed` for any error, whose cause is logged
   */
  identify(query: string, attempt: ProviderAttempt): Promise<Claims>
}

type ProviderParts = Platform<SignInSettings>
type Library = typeof import('openid-client')

/**
 * Returns the OpenID Connect provider named in the settings, or `undefined` if none is configured.
 *
 * @throws ConfigError if the groups file is not valid
 */
export function createIdentityProvider(parts: ProviderParts): IdentityProvider | undefined {
  const { oidcIssuer: issuer, oidcName, oidcScopes, oidcGroupsFile } = parts.settings
  if (issuer === undefined) return undefined
  // The file is checked at start-up, so that its errors are found before the first sign-in.
  if (oidcGroupsFile !== undefined) readGroupsFile(oidcGroupsFile)
  const withConfiguration = createDiscovery(parts, new URL(issuer))
  const redirectUri = `${parts.baseUrl}/console/sign-in`
  return {
    name: oidcName ?? new URL(issuer).host,
    addressFor: (binding, isStepUp) =>
      withConfiguration(async (library, configuration) => {
        const { href } = library.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: oidcScopes,
          state: binding.state,
          nonce: binding.nonce,
          code_challenge: await library.calculatePKCECodeChallenge(binding.verifier),
          code_challenge_method: 'S256',
          ...(isStepUp
            ? { prompt: 'login', max_age: '0' }
            : { max_age: String(maxAuthenticationAgeSeconds) }),
        })
        return href
      }),
    identify: (query, { state, nonce, verifier }) =>
      withConfiguration(async (library, configuration) => {
        const tokens = await library.authorizationCodeGrant(
          configuration,
          new URL(`${redirectUri}?${query}`),
          { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
        )
        const idToken = tokens.claims()
        if (!idToken) throw new Error('no ID token')
        const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
        const more = hasMore
          ? await library.fetchUserInfo(configuration, tokens.access_token, idToken.sub)
          : {}
        return readClaims({ ...more, ...idToken }, parts.settings)
      }),
  }
}

/**
 * Returns a function that runs `work` with the provider's metadata. The metadata is fetched on demand and
 * cached for an hour.
 */
function createDiscovery({ settings, log }: ProviderParts, issuer: URL) {
  const peer = createPeer(maxConnections)
  let known: { configuration: Promise<Configuration>; until: number } | undefined

  async function discover(library: Library): Promise<Configuration> {
    const isPlain = issuer.protocol === 'http:'
    return library.discovery(issuer, `${settings.oidcClientId}`, undefined, clientAuth(library, settings), {
      [library.customFetch]: (url: string, options: CustomFetchOptions) =>
        fetchThroughPeer(peer, url, options),
      // The signature of the ID token is checked even though TLS already authenticates the provider.
      execute: [library.enableNonRepudiationChecks, ...(isPlain ? [library.allowInsecureRequests] : [])],
    })
  }

  return async <T>(work: (library: Library, configuration: Configuration) => Promise<T>): Promise<T> => {
    const library = await import('openid-client')
    if (!known || known.until < Date.now())
      known = { configuration: discover(library), until: Date.now() + metadataMs }
    const { configuration } = known
    configuration.catch(() => {
      known = undefined
    })
    try {
      return await work(library, await configuration)
    } catch (error) {
      // The message may contain text from the browser, so it is truncated. It contains no code or token.
      log.warn({ code: codeOf(error), cause: messageOf(error).slice(0, 200) }, 'single sign-on failed')
      throw new Refusal('sign_in_failed', {
        message: 'Single sign-on failed. Try again, or sign in another way.',
      })
    }
  }
}

/**
 * Returns the function with which this client authenticates to the provider. It reads the client secret for
 * each request, and sends it by the method that the provider supports.
 */
function clientAuth(library: Library, settings: SignInSettings): ClientAuth {
  const { oidcClientSecret, oidcClientSecretFile: file } = settings
  if (!oidcClientSecret && !file) return library.None()
  return (server, ...rest) => {
    const secret = file ? readFileSync(file, 'utf8').trim() : (oidcClientSecret ?? '')
    const supportsPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    return (supportsPost ? library.ClientSecretPost(secret) : library.ClientSecretBasic(secret))(
      server,
      ...rest,
    )
  }
}

/** Makes a request through the egress client, whose limits apply. Every response from the provider is JSON. */
async function fetchThroughPeer(
  peer: ReturnType<typeof createPeer>,
  url: string,
  { method, headers, body }: CustomFetchOptions,
): Promise<Response> {
  const { status, body: text } = await send(peer, {
    method: method === 'POST' ? 'POST' : 'GET',
    url,
    headers,
    ...(body ? { body: String(body) } : {}),
    timeoutMs,
  })
  const hasBody = status >= 200 && ![204, 205, 304].includes(status)
  return new Response(hasBody ? text : null, { status, headers: { 'content-type': 'application/json' } })
}

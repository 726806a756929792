import {
  basicAuthorization,
  createTokens,
  type IssuedToken,
  issuedBy,
  NoToken,
  openClient,
  send,
} from '@pesewa/connector-kit'
import type { Agent } from 'undici'
import { shownReason } from './documents.ts'
import type { Credentials, MtnMomoSettings, ProductName } from './settings.ts'

export type Product = ReturnType<typeof openProduct>

/**
 * Returns the maximum duration of a call, which consists of at most these requests: a token and the message,
 * each repeated once if the rail rejects the token.
 */
export const longestCallMs = ({ timeoutMs, tokenTimeoutMs }: MtnMomoSettings) =>
  2 * (tokenTimeoutMs + timeoutMs)

/**
 * Opens one of MTN's products with our credentials for it.
 *
 * @param peer the sockets to this rail, shared by the products
 */
export function openProduct(
  settings: MtnMomoSettings,
  name: ProductName,
  credentials: Credentials,
  peer: Agent,
) {
  const tokens = createTokens(() => requestToken(settings, name, credentials, peer))
  const { call } = openClient(peer, {
    baseUrl: `${settings.baseUrl}/${name}/v1_0`,
    timeoutMs: settings.timeoutMs,
    tokens,
    headers: (token) => ({
      authorization: `Bearer ${token}`,
      'ocp-apim-subscription-key': credentials.subscriptionKey,
      'x-target-environment': settings.targetEnvironment,
    }),
  })
  return {
    name,
    /** Tries to obtain a token. Returns the reason that this failed, or `undefined` if it succeeded. */
    async tokenFault(): Promise<string | undefined> {
      try {
        await tokens.current()
        return undefined
      } catch (error) {
        if (error instanceof NoToken) return error.message
        throw error
      }
    },
    call,
  }
}

/**
 * Requests a token for one of MTN's products.
 *
 * @throws NoToken if MTN does not issue one
 */
function requestToken(
  { baseUrl, targetEnvironment, tokenTimeoutMs }: MtnMomoSettings,
  product: ProductName,
  { subscriptionKey, apiUser, apiKey }: Credentials,
  peer: Agent,
): Promise<IssuedToken> {
  const sent = send(peer, {
    method: 'POST',
    url: `${baseUrl}/${product}/token/`,
    headers: {
      authorization: basicAuthorization(apiUser, apiKey),
      'ocp-apim-subscription-key': subscriptionKey,
      'x-target-environment': targetEnvironment,
    },
    timeoutMs: tokenTimeoutMs,
  })
  return issuedBy(sent, shownReason)
}

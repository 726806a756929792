import { basicAuthorization, type IssuedToken, issuedBy, send } from '@pesewa/connector-kit'
import type { Agent } from 'undici'
import { shownReason } from './documents.ts'
import type { Credentials, MtnMomoSettings, ProductName } from './settings.ts'

/**
 * Requests a token for one of MTN's products.
 *
 * @throws NoToken if MTN does not issue one
 */
export function requestToken(
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

import type { Agent } from 'undici'
import { NoAnswer, send } from '../../../platform/outbound/outbound.ts'
import { parseFields } from '../../rail-responses.ts'
import { type IssuedToken, isToken, lifeMsOf, NoToken } from '../../rail-tokens.ts'
import { shownReason } from './documents.ts'
import type { Credentials, MtnMomoSettings, ProductName } from './settings.ts'

/**
 * A token of one of MTN's products.
 *
 * @throws NoToken
 */
export async function requestToken(
  { baseUrl, targetEnvironment, tokenTimeoutMs }: MtnMomoSettings,
  product: ProductName,
  { subscriptionKey, apiUser, apiKey }: Credentials,
  peer: Agent,
): Promise<IssuedToken> {
  const basic = Buffer.from(`${apiUser}:${apiKey}`).toString('base64')
  const response = await send(peer, {
    method: 'POST',
    url: `${baseUrl}/${product}/token/`,
    headers: {
      authorization: `Basic ${basic}`,
      'ocp-apim-subscription-key': subscriptionKey,
      'x-target-environment': targetEnvironment,
    },
    timeoutMs: tokenTimeoutMs,
  }).catch((error: unknown) => {
    throw error instanceof NoAnswer ? new NoToken(error.message, { cause: error }) : error
  })
  const { access_token: token, expires_in: seconds } = parseFields(response.body) ?? {}
  if (response.status !== 200 || !isToken(token)) throw new NoToken(shownReason(response))
  return { token, lifeMs: lifeMsOf(seconds) }
}

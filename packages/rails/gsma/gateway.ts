import { createHash } from 'node:crypto'
import {
  basicAuthorization,
  createTokens,
  type IssuedToken,
  issuedBy,
  type MoneyOrder,
  type OutboundAnswer,
  openClient,
  send,
} from '@pesewa/connector-kit'
import type { Agent } from 'undici'
import { refusingError, shown } from './codes.ts'
import type { GsmaSettings } from './settings.ts'

const defaultTokenPath = '/oauth/accesstoken'

/**
 * Returns the maximum duration of a call, which consists of at most these requests: a token and the message,
 * each repeated once if the wallet rejects the token.
 */
export const longestCallMs = ({ oauth, timeoutMs }: GsmaSettings) => (oauth ? 4 : 1) * timeoutMs

/** Opens the gateway of one wallet with our credentials. */
export function openGateway(settings: GsmaSettings, peer: Agent) {
  const { baseUrl, apiKey, clientId, oauth, timeoutMs } = settings
  const known = { ...(apiKey && { 'x-api-key': apiKey }), ...(clientId && { 'x-client-id': clientId }) }
  const { call } = openClient(peer, {
    baseUrl,
    timeoutMs,
    tokens: oauth && createTokens(() => requestToken(settings, oauth, peer)),
    headers: (token) => ({
      ...known,
      ...(oauth && { authorization: `Bearer ${token}` }),
      'x-date': new Date().toISOString(),
    }),
    isTokenRefused,
    isRefusingUs: isTokenRefused,
  })
  return {
    get: <T>(path: string, read: (response: OutboundAnswer) => T) => call({ method: 'GET', path }, read),
    /** Sends a request. Our reference is its idempotency key and is also used for queries. */
    post: <T>(
      path: string,
      { reference, callbackUrl, mayLeave }: MoneyOrder,
      document: object,
      read: (response: OutboundAnswer) => T,
    ) => {
      const body = JSON.stringify(document)
      const headers = {
        'x-correlationid': reference,
        'x-callback-url': callbackUrl,
        'x-content-hash': createHash('sha256').update(body).digest('hex'),
      }
      return call({ method: 'POST', path, headers, body, mayLeave }, read)
    },
  }
}

export type GsmaGateway = ReturnType<typeof openGateway>

/**
 * Returns whether the wallet rejected the token, in which case it did nothing. A 401 response about a payer or
 * payee has nothing to do with the token.
 */
function isTokenRefused(response: OutboundAnswer): boolean {
  const { code = 'clientAuthorisationError' } = refusingError(response) ?? {}
  return response.status === 401 && code === 'clientAuthorisationError'
}

/**
 * Requests a token.
 *
 * @throws NoToken if the wallet does not issue one
 */
function requestToken(
  { baseUrl, timeoutMs }: GsmaSettings,
  { key, secret, path = defaultTokenPath }: NonNullable<GsmaSettings['oauth']>,
  peer: Agent,
): Promise<IssuedToken> {
  const sent = send(peer, {
    method: 'POST',
    url: `${baseUrl}${path}`,
    headers: {
      authorization: basicAuthorization(key, secret),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
    timeoutMs,
  })
  return issuedBy(sent, shown)
}

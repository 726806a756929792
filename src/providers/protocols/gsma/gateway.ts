import { createHash } from 'node:crypto'
import type { Agent } from 'undici'
import { type OutboundAnswer, type OutboundRequest, send } from '../../../platform/outbound/outbound.ts'
import type { MoneyOrder } from '../../connector.ts'
import { callRail } from '../../rail-call.ts'
import { createTokens, type IssuedToken, issuedBy, sendWithToken } from '../../rail-tokens.ts'
import { refusingError, shown } from './codes.ts'
import type { GsmaSettings } from './settings.ts'

const defaultTokenPath = '/oauth/accesstoken'

/** At most this many requests: a token and the message, both repeated once if the wallet rejects the token. */
export const longestCallMs = ({ oauth, timeoutMs }: GsmaSettings) => (oauth ? 4 : 1) * timeoutMs

/** Opens one wallet's gateway with our credentials. */
export function openGateway(settings: GsmaSettings, peer: Agent) {
  const { baseUrl, apiKey, clientId, oauth, timeoutMs } = settings
  const tokens = oauth && createTokens(() => requestToken(settings, oauth, peer))
  const known = { ...(apiKey && { 'x-api-key': apiKey }), ...(clientId && { 'x-client-id': clientId }) }
  type Message = Pick<OutboundRequest, 'method' | 'headers' | 'body' | 'mayLeave'> & { path: string }
  const sendOnce = ({ path, ...message }: Message, authorization?: { authorization: string }) =>
    send(peer, {
      ...message,
      url: `${baseUrl}${path}`,
      headers: { ...message.headers, ...known, ...authorization, 'x-date': new Date().toISOString() },
      timeoutMs,
    })
  const call = <T>(message: Message, read: (response: OutboundAnswer) => T) =>
    callRail(
      () =>
        tokens
          ? sendWithToken(
              tokens,
              (token) => sendOnce(message, { authorization: `Bearer ${token}` }),
              isTokenRefused,
            )
          : sendOnce(message),
      read,
      isTokenRefused,
    )
  return {
    get: <T>(path: string, read: (response: OutboundAnswer) => T) => call({ method: 'GET', path }, read),
    /** Our reference is the idempotency key and is also used for queries. */
    post: <T>(
      path: string,
      { reference, callbackUrl, mayLeave }: MoneyOrder,
      document: object,
      read: (response: OutboundAnswer) => T,
    ) => {
      const body = JSON.stringify(document)
      const headers = {
        'content-type': 'application/json',
        'x-correlationid': reference,
        'x-callback-url': callbackUrl,
        'x-content-hash': createHash('sha256').update(body).digest('hex'),
      }
      return call({ method: 'POST', path, headers, body, mayLeave }, read)
    },
  }
}

export type GsmaGateway = ReturnType<typeof openGateway>

/** A request answered with 401 did nothing. A 401 about a payer or a payee does not concern the token. */
function isTokenRefused(response: OutboundAnswer): boolean {
  const { code = 'clientAuthorisationError' } = refusingError(response) ?? {}
  return response.status === 401 && code === 'clientAuthorisationError'
}

/** @throws NoToken */
function requestToken(
  { baseUrl, timeoutMs }: GsmaSettings,
  { key, secret, path = defaultTokenPath }: NonNullable<GsmaSettings['oauth']>,
  peer: Agent,
): Promise<IssuedToken> {
  const sent = send(peer, {
    method: 'POST',
    url: `${baseUrl}${path}`,
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
    timeoutMs,
  })
  return issuedBy(sent, shown)
}

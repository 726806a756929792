import {
  callRail,
  createTokens,
  type IssuedToken,
  issuedBy,
  type OutboundAnswer,
  type OutboundRequest,
  send,
  sendWithToken,
} from '@pesewa/connector-kit'
import type { Agent } from 'undici'
import { shown } from './documents.ts'
import type { AirtelSettings } from './settings.ts'

/** A message to the API of one country. */
export type AirtelMessage = Pick<OutboundRequest, 'method' | 'body' | 'headers' | 'mayLeave'> & {
  path: string
  currency: string
}

/**
 * Returns the maximum duration of a call, which consists of at most these requests: four for a key, four for
 * the message (a token and the request, each repeated once if the token is rejected), and all eight again with
 * a new key.
 */
export const longestCallMs = ({ timeoutMs }: AirtelSettings) => 16 * timeoutMs

export type Gateway = ReturnType<typeof openGateway>

/**
 * Opens Airtel's gateway with our credentials.
 *
 * @param peer the sockets to this rail
 */
export function openGateway(settings: AirtelSettings, peer: Agent) {
  const { baseUrl, country, timeoutMs } = settings
  const tokens = createTokens(() => requestToken(settings, peer))
  const sendWith = (token: string, { path, currency, headers, ...message }: AirtelMessage) =>
    send(peer, {
      ...message,
      url: `${baseUrl}${path}`,
      headers: {
        ...headers,
        ...(message.body !== undefined && { 'content-type': 'application/json' }),
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        'x-country': country,
        'x-currency': currency,
      },
      timeoutMs,
    })
  const call = (message: AirtelMessage) =>
    sendWithToken(
      tokens,
      (token) => sendWith(token, message),
      // A request that gets a 401 response has no effect.
      ({ status }) => status === 401,
    )
  return {
    call,
    /** Sends a message and reads the response. If there is no response, the outcome is unknown. */
    send: <T>(message: AirtelMessage, read: (response: OutboundAnswer) => T) =>
      callRail(() => call(message), read),
  }
}

/** Requests a token, which is valid for three minutes. */
function requestToken(
  { baseUrl, clientId, clientSecret, timeoutMs }: AirtelSettings,
  peer: Agent,
): Promise<IssuedToken> {
  const sent = send(peer, {
    method: 'POST',
    url: `${baseUrl}/auth/oauth2/token`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'client_credentials',
    }),
    timeoutMs,
  })
  return issuedBy(sent, shown)
}

import {
  createTokens,
  type IssuedToken,
  issuedBy,
  type OutboundAnswer,
  openClient,
  type RailMessage,
  send,
} from '@pesewa/connector-kit'
import type { Agent } from 'undici'
import { shown } from './documents.ts'
import type { AirtelSettings } from './settings.ts'

/** A message to the API of one country. */
export type AirtelMessage = RailMessage & { currency: string }

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
  const client = openClient(peer, {
    baseUrl,
    timeoutMs,
    tokens: createTokens(() => requestToken(settings, peer)),
    headers: (token) => ({
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      'x-country': country,
    }),
  })
  const inCurrency = ({ currency, ...message }: AirtelMessage): RailMessage => ({
    ...message,
    headers: { ...message.headers, 'x-currency': currency },
  })
  return {
    exchange: (message: AirtelMessage) => client.exchange(inCurrency(message)),
    call: <T>(message: AirtelMessage, read: (response: OutboundAnswer) => T) =>
      client.call(inCurrency(message), read),
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

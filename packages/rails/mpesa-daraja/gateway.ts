import {
  basicAuthorization,
  createTokens,
  type Fence,
  type IssuedToken,
  issuedBy,
  type OutboundAnswer,
  openClient,
  send,
} from '@pesewa/connector-kit'
import type { Agent } from 'undici'
import { errorOf, shownError } from './documents.ts'
import type { DarajaSettings } from './settings.ts'

type GatewaySettings = Pick<DarajaSettings, 'baseUrl' | 'consumerKey' | 'consumerSecret' | 'timeoutMs'>

export type DarajaGateway = ReturnType<typeof openGateway>

/**
 * Returns the maximum duration of a call, which consists of at most these requests: a token and the message,
 * each repeated once if the gateway rejects the token.
 */
export const longestCallMs = ({ timeoutMs }: GatewaySettings) => 4 * timeoutMs

/** Opens Safaricom's API gateway with our credentials. */
export function openGateway(settings: GatewaySettings, peer: Agent) {
  const { baseUrl, timeoutMs } = settings
  const { call } = openClient(peer, {
    baseUrl,
    timeoutMs,
    tokens: createTokens(() => requestToken(settings, peer)),
    headers: (token) => ({ authorization: `Bearer ${token}` }),
    isTokenRefused,
  })
  return {
    /** Sends a message and reads the response. If there is no response, the outcome is unknown. */
    post: <T>(
      path: string,
      body: object,
      read: (response: OutboundAnswer) => T,
      { mayLeave, maxAnswerBytes }: { mayLeave?: Fence; maxAnswerBytes?: number } = {},
    ) => call({ method: 'POST', path, body, mayLeave, ...(maxAnswerBytes && { maxAnswerBytes }) }, read),
  }
}

/**
 * Returns whether the gateway rejected the token. Each product rejects an expired token in a different way, but
 * whenever a product rejects a token, it has done nothing.
 */
const isTokenRefused = (response: OutboundAnswer) =>
  response.status === 401 ||
  (response.status === 404 && errorOf(response).code === '404.001.03') ||
  (response.status === 400 && errorOf(response).code === '400.003.01')

function requestToken(
  { baseUrl, consumerKey, consumerSecret, timeoutMs }: GatewaySettings,
  peer: Agent,
): Promise<IssuedToken> {
  const sent = send(peer, {
    method: 'GET',
    url: `${baseUrl}/oauth/v1/generate?grant_type=client_credentials`,
    headers: { authorization: basicAuthorization(consumerKey, consumerSecret) },
    timeoutMs,
  })
  return issuedBy(sent, shownError)
}

import {
  callRail,
  createTokens,
  NoToken,
  type OutboundAnswer,
  type OutboundRequest,
  send,
  sendWithToken,
} from '@pesewa/connector-kit'
import type { Agent } from 'undici'
import type { Credentials, MtnMomoSettings, ProductName } from './settings.ts'
import { requestToken } from './token.ts'

/** A message to a path under `/<product>/v1_0`. */
export type Message = Pick<OutboundRequest, 'method' | 'body' | 'headers' | 'mayLeave'> & { path: string }

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
  const sendWith = (token: string, { path, ...message }: Message) =>
    send(peer, {
      ...message,
      url: `${settings.baseUrl}/${name}/v1_0${path}`,
      headers: {
        ...message.headers,
        authorization: `Bearer ${token}`,
        'ocp-apim-subscription-key': credentials.subscriptionKey,
        'x-target-environment': settings.targetEnvironment,
      },
      timeoutMs: settings.timeoutMs,
    })
  const call = (message: Message) =>
    sendWithToken(
      tokens,
      (token) => sendWith(token, message),
      // A request that gets a 401 response has no effect.
      ({ status }) => status === 401,
    )
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
    /** Sends a message and reads the response. If there is no response, the outcome is unknown. */
    send: <T>(message: Message, read: (response: OutboundAnswer) => T) => callRail(() => call(message), read),
  }
}

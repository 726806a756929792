import type { Agent } from 'undici'
import {
  NoAnswer,
  NotSent,
  type OutboundAnswer,
  type OutboundRequest,
  send,
} from '../../../platform/outbound/outbound.ts'
import type { UnknownOutcome } from '../../connector.ts'
import { tooLate, unknown } from '../../rail-responses.ts'
import type { Credentials, MtnMomoSettings, ProductName } from './settings.ts'
import { createTokens, NoToken } from './token.ts'

/** To the addresses below `/<product>/v1_0`. */
export type Message = Pick<OutboundRequest, 'method' | 'body' | 'headers' | 'mayLeave'> & { path: string }

export type Product = ReturnType<typeof openProduct>

/** A call takes at most a token, the message, and both once more when the rail no longer takes the token. */
export const longestCallMs = ({ timeoutMs, tokenTimeoutMs }: MtnMomoSettings) =>
  2 * (tokenTimeoutMs + timeoutMs)

/**
 * One of MTN's products, with our credentials for it.
 *
 * @param peer the connections to this rail, which the products share
 */
export function openProduct(
  settings: MtnMomoSettings,
  name: ProductName,
  credentials: Credentials,
  peer: Agent,
) {
  const tokens = createTokens(settings, name, credentials, peer)
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
  /** Sends with a token, and once more with a new one when the rail no longer takes it: a 401 did nothing. */
  const call = async (message: Message) => {
    const token = await tokens.current()
    const response = await sendWith(token, message)
    if (response.status !== 401) return response
    tokens.forget(token)
    return sendWith(await tokens.current(), message)
  }
  return {
    /** Sends and reads the response; where there is none, nobody knows what the rail did. */
    async send<T>(message: Message, read: (response: OutboundAnswer) => T): Promise<T | UnknownOutcome> {
      try {
        return read(await call(message))
      } catch (error) {
        if (error instanceof NoToken) return unknown(`not sent, there is no token: ${error.message}`)
        if (error instanceof NoAnswer) return unknown(error.message)
        if (error instanceof NotSent) return tooLate
        throw error
      }
    },
  }
}

import type { Agent } from 'undici'
import type { UnknownOutcome } from './connector.ts'
import type { Fence } from './fence.ts'
import { type OutboundAnswer, type OutboundRequest, send } from './outbound.ts'
import { callRail } from './rail-call.ts'
import { sendWithToken, type Tokens } from './rail-tokens.ts'

/** A message to a rail. `path` is appended to the rail's base URL. An object is sent as JSON. */
export type RailMessage = Pick<OutboundRequest, 'method' | 'headers' | 'maxAnswerBytes'> & {
  path: string
  body?: object | string | undefined
  mayLeave?: Fence | undefined
}

type ClientOptions = {
  baseUrl: string
  /** Time limit for each message. */
  timeoutMs: number
  /** Returns the headers of all messages. The token is empty if the rail needs none. */
  headers(token: string): Record<string, string>
  tokens?: Tokens | undefined
  /** Returns whether the rail rejected the token and did nothing. By default, a 401 response means that. */
  isTokenRefused?(response: OutboundAnswer): boolean
  /** Returns whether the rail rejected our credentials and did nothing. By default, a 401 response means that. */
  isRefusingUs?(response: OutboundAnswer): boolean
}

/**
 * Opens a rail's HTTP API.
 *
 * @param peer the sockets to this rail
 */
export function openClient(peer: Agent, options: ClientOptions) {
  const { baseUrl, timeoutMs, headers, tokens, isTokenRefused = isUnauthorizedStatus, isRefusingUs } = options
  const sendOnce = ({ path, body, mayLeave, headers: own, ...message }: RailMessage, token = '') =>
    send(peer, {
      ...message,
      url: `${baseUrl}${path}`,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...own,
        ...headers(token),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(mayLeave && { mayLeave }),
      timeoutMs,
    })
  /** Sends a message, with a new token if the rail rejects the current one, and returns the response. */
  const exchange = (message: RailMessage): Promise<OutboundAnswer> =>
    tokens ? sendWithToken(tokens, (token) => sendOnce(message, token), isTokenRefused) : sendOnce(message)
  return {
    exchange,
    /** Sends a message and reads the response. If there is no response, the outcome is unknown. */
    call: <T>(message: RailMessage, read: (response: OutboundAnswer) => T): Promise<T | UnknownOutcome> =>
      callRail(() => exchange(message), read, isRefusingUs),
  }
}

const isUnauthorizedStatus = ({ status }: OutboundAnswer) => status === 401

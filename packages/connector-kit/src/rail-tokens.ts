import { NoAnswer, type OutboundAnswer } from './outbound.ts'
import { parseFields } from './rail-responses.ts'

/** Thrown if no token could be obtained, in which case nothing else was sent. */
export class NoToken extends Error {}

/** A token and its lifetime in milliseconds, as issued. */
export type IssuedToken = { token: string; lifeMs: number }

const endEarlyMs = 60_000
const maxTokenLength = 8_192

/**
 * Caches a rail's access token until a minute before it expires or, if its lifetime is short, for three
 * quarters of its lifetime. Concurrent callers share one request. After three quarters of a longer lifetime,
 * callers still get the current token while a new one is requested in the background, because a rail may take
 * longer to issue a token than a request can wait.
 *
 * @param request requests a new token; throws `NoToken` if the rail does not issue one
 * @param nowMs returns the time of a monotonic clock, in milliseconds
 */
export function createTokens(request: () => Promise<IssuedToken>, nowMs = () => performance.now()) {
  let current: { token: string; renewAt: number; endsAt: number } | undefined
  let requested: Promise<string> | undefined

  const obtain = async () => {
    const requestedAt = nowMs()
    const { token, lifeMs } = await request()
    const renewAt = requestedAt + lifeMs * 0.75
    current = { token, renewAt, endsAt: Math.max(renewAt, requestedAt + lifeMs - endEarlyMs) }
    return token
  }
  const renew = () => {
    requested ??= obtain().finally(() => {
      requested = undefined
    })
    return requested
  }
  return {
    /** Returns a token that, according to its issuer, is still valid long enough to be used. */
    async current(): Promise<string> {
      if (!current || nowMs() >= current.endsAt) return renew()
      // If this request fails, the next caller tries again.
      if (nowMs() >= current.renewAt) renew().catch(() => {})
      return current.token
    },
    /** Discards a token that the rail rejected, so that the next caller gets a new one. */
    forget(token: string): void {
      if (current?.token === token) current = undefined
    },
  }
}

export type Tokens = ReturnType<typeof createTokens>

/**
 * Sends a request with a token. If the response shows that the rail rejected the token and did nothing, sends
 * the request again with a new token.
 */
export async function sendWithToken<Response>(
  tokens: Tokens,
  sendWith: (token: string) => Promise<Response>,
  isTokenRefused: (response: Response) => boolean,
): Promise<Response> {
  const token = await tokens.current()
  const response = await sendWith(token)
  if (!isTokenRefused(response)) return response
  tokens.forget(token)
  return sendWith(await tokens.current())
}

/**
 * Reads the token from an OAuth response: `{access_token, expires_in}`.
 *
 * @param shown given a response without a token, returns the part that may be logged
 * @throws NoToken if the response contains no valid token
 */
export async function issuedBy(
  sent: Promise<OutboundAnswer>,
  shown: (response: OutboundAnswer) => string,
): Promise<IssuedToken> {
  const response = await sent.catch((error: unknown) => {
    throw error instanceof NoAnswer ? new NoToken(error.message, { cause: error }) : error
  })
  const { access_token: token, expires_in: seconds } = parseFields(response.body) ?? {}
  if (response.status !== 200 || !isToken(token)) throw new NoToken(shown(response))
  return { token, lifeMs: lifeMsOf(seconds) }
}

/** Returns whether a value is a token that can be sent in a header and is not too long. */
export function isToken(token: unknown): token is string {
  return typeof token === 'string' && token.length <= maxTokenLength && /^[\x21-\x7e]+$/.test(token)
}

/**
 * Converts a lifetime in seconds, which some rails send as text, to milliseconds. Returns 0 if the lifetime
 * cannot be read.
 */
export function lifeMsOf(seconds: unknown): number {
  const isWhole = typeof seconds === 'string' && /^[0-9]{1,9}$/.test(seconds)
  return typeof seconds === 'number' || isWhole ? Number(seconds) * 1000 : 0
}

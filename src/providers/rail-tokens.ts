import { NoAnswer, type OutboundAnswer } from '../platform/outbound/outbound.ts'
import { parseFields } from './rail-responses.ts'

/** Without a token nothing else was sent. */
export class NoToken extends Error {}

/** As its issuer says. */
export type IssuedToken = { token: string; lifeMs: number }

const refreshEarlyMs = 60_000
const maxTokenLength = 8_192 // limit: a token of a rail’s

/**
 * Tokens by which a rail knows us, each reused until a minute before it expires, or for three quarters of a shorter life,
 * and requested once for all who wait.
 *
 * @param request one more; it throws `NoToken` where there is none
 * @param nowMs milliseconds of a clock that only goes ahead
 */
export function createTokens(request: () => Promise<IssuedToken>, nowMs = () => performance.now()) {
  let current: { token: string; refreshAt: number } | undefined
  let requested: Promise<string> | undefined

  const renew = async () => {
    const requestedAt = nowMs()
    const { token, lifeMs } = await request()
    current = { token, refreshAt: requestedAt + Math.max(lifeMs - refreshEarlyMs, lifeMs * 0.75) }
    return token
  }
  return {
    /** A token that is good for a while yet, by what its issuer said. */
    async current(): Promise<string> {
      if (current && nowMs() < current.refreshAt) return current.token
      requested ??= renew().finally(() => {
        requested = undefined
      })
      return requested
    },
    /** The rail no longer takes this token: the next caller gets another. */
    forget(token: string): void {
      if (current?.token === token) current = undefined
    },
  }
}

export type Tokens = ReturnType<typeof createTokens>

/** Sends with a token, and once more with a new one where the response says that the rail did nothing for the old one. */
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
 * The token of an OAuth response: `{access_token, expires_in}`.
 *
 * @param shown what of a response that has none may be logged
 * @throws NoToken
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

/** What may stand in a header, and no more of it than a header can hold. */
export function isToken(token: unknown): token is string {
  return typeof token === 'string' && token.length <= maxTokenLength && /^[\x21-\x7e]+$/.test(token)
}

/** Seconds of a token's life, which some rails write as text; 0 where they cannot be read. */
export function lifeMsOf(seconds: unknown): number {
  const isWhole = typeof seconds === 'string' && /^[0-9]{1,9}$/.test(seconds)
  return typeof seconds === 'number' || isWhole ? Number(seconds) * 1000 : 0
}

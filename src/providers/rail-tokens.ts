import { NoAnswer, type OutboundAnswer } from '../platform/outbound/outbound.ts'
import { parseFields } from './rail-responses.ts'

/** Without a token nothing else was sent. */
export class NoToken extends Error {}

/** As its issuer says. */
export type IssuedToken = { token: string; lifeMs: number }

const endEarlyMs = 60_000
const maxTokenLength = 8_192 // limit: a token of a rail’s

/**
 * Tokens by which a rail knows us, each reused until a minute before it expires, or for three quarters of a shorter life,
 * and requested once for all who wait. Who needs one after three quarters of a longer life gets it at once, and has the next
 * requested: a rail may take longer for a token than a request may wait for it.
 *
 * @param request one more; it throws `NoToken` where there is none
 * @param nowMs milliseconds of a clock that only goes ahead
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
    /** A token that is good for a while yet, by what its issuer said. */
    async current(): Promise<string> {
      if (!current || nowMs() >= current.endsAt) return renew()
      // Where there is none now, whoever comes next requests it again.
      if (nowMs() >= current.renewAt) renew().catch(() => {})
      return current.token
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

import type { Agent } from 'undici'
import { NoAnswer, send } from '../../../platform/outbound/outbound.ts'
import { parseFields } from '../../rail-responses.ts'
import { shownReason } from './documents.ts'
import type { Credentials, MtnMomoSettings, ProductName } from './settings.ts'

/** Without a token nothing else was sent. */
export class NoToken extends Error {}

const refreshEarlyMs = 60_000
const maxTokenLength = 8_192 // limit: a token of MTN’s

/** OAuth tokens of one of MTN's products, each reused until shortly before it expires, and requested once for all who wait. */
export function createTokens(
  settings: MtnMomoSettings,
  product: ProductName,
  credentials: Credentials,
  peer: Agent,
) {
  let current: { token: string; refreshAt: number } | undefined
  let requested: Promise<string> | undefined

  const request = async () => {
    const requestedAt = performance.now()
    const { token, lifeMs } = await requestToken(settings, product, credentials, peer)
    current = { token, refreshAt: requestedAt + lifeMs - refreshEarlyMs }
    return token
  }
  return {
    /** A token that is good for a minute at least, by what its issuer said. */
    async current(): Promise<string> {
      if (current && performance.now() < current.refreshAt) return current.token
      requested ??= request().finally(() => {
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

async function requestToken(
  { baseUrl, targetEnvironment, tokenTimeoutMs }: MtnMomoSettings,
  product: ProductName,
  { subscriptionKey, apiUser, apiKey }: Credentials,
  peer: Agent,
) {
  const basic = Buffer.from(`${apiUser}:${apiKey}`).toString('base64')
  const response = await send(peer, {
    method: 'POST',
    url: `${baseUrl}/${product}/token/`,
    headers: {
      authorization: `Basic ${basic}`,
      'ocp-apim-subscription-key': subscriptionKey,
      'x-target-environment': targetEnvironment,
    },
    timeoutMs: tokenTimeoutMs,
  }).catch((error: unknown) => {
    throw error instanceof NoAnswer ? new NoToken(error.message, { cause: error }) : error
  })
  const { access_token: token, expires_in: seconds } = parseFields(response.body) ?? {}
  if (response.status !== 200 || !isToken(token)) throw new NoToken(shownReason(response))
  return { token, lifeMs: typeof seconds === 'number' ? seconds * 1000 : 0 }
}

/** What may stand in a header, and no more of it than a header can hold. */
function isToken(token: unknown): token is string {
  return typeof token === 'string' && token.length <= maxTokenLength && /^[\x21-\x7e]+$/.test(token)
}

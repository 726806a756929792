import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookie, readCookie } from '../platform/http/cookies.ts'
import { type Seals, sameText } from '../platform/seals.ts'

// What a payer's browser keeps of paying. None of it says who pays, and nothing needs it.

type CookieParts = { baseUrl: string; seals: Seals }
type PayersAccount = { providerId: string; account: string | null }

const providerCookie = '-provider'
const providerPath = '/pay'
const providerSeconds = 180 * 86_400 // limit: how long a browser remembers the provider that its payer paid with last

/** Only which provider it was: no number, and of no use to whoever has the same phone next but to find it first in the list. */
export function rememberProvider({ baseUrl }: CookieParts, reply: FastifyReply, providerId: string): void {
  const rules = { sameSite: 'Lax', maxAgeSeconds: providerSeconds, path: providerPath } as const
  reply.header('set-cookie', cookie(baseUrl, providerCookie, providerId, rules))
}

/** As the browser says: it may be anything. */
export const rememberedProvider = ({ baseUrl }: CookieParts, request: FastifyRequest) =>
  readCookie(request, baseUrl, providerCookie, providerPath)

const attemptCookie = '-attempt'
const attemptSeconds = 3_600 // limit: how long a browser can show that it began an attempt

/** From now on the browser shows that it named this account on this page. It holds a proof, of which nobody reads the account. */
export function claimAttempt(
  parts: CookieParts,
  reply: FastifyReply,
  key: string,
  payer: PayersAccount,
): void {
  const rules = { sameSite: 'Lax', maxAgeSeconds: attemptSeconds, path: `/pay/${key}` } as const
  reply.header('set-cookie', cookie(parts.baseUrl, attemptCookie, proofOf(parts, key, payer), rules))
}

/** Whether this browser named the account: whoever else has the page's address learns nothing of it. */
export function isAttemptOf(
  parts: CookieParts,
  request: FastifyRequest,
  key: string,
  payer: PayersAccount,
): boolean {
  const proof = readCookie(request, parts.baseUrl, attemptCookie, `/pay/${key}`)
  return proof !== undefined && sameText(proof, proofOf(parts, key, payer))
}

const proofOf = ({ seals }: CookieParts, key: string, { providerId, account }: PayersAccount) =>
  seals.tag('payer of an attempt', `${key} ${providerId} ${account ?? ''}`)

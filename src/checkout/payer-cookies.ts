import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookie, readCookie } from '../platform/http/cookies.ts'
import { type Seals, sameText } from '../platform/seals.ts'

// Cookies for payers. None identifies the payer, and the pages work without them.

type CookieParts = { baseUrl: string; seals: Seals }
type PayersAccount = { providerId: string; account: string | null }

const providerCookie = '-provider'
const providerPath = '/pay'
const providerSeconds = 180 * 86_400 // how long a browser remembers the last provider used by its payer

/**
 * Stores only the provider, not the number: on a shared phone, the next payer merely sees the provider listed
 * first.
 */
export function rememberProvider({ baseUrl }: CookieParts, reply: FastifyReply, providerId: string): void {
  const rules = { sameSite: 'Lax', maxAgeSeconds: providerSeconds, path: providerPath } as const
  reply.header('set-cookie', cookie(baseUrl, providerCookie, providerId, rules))
}

/** Untrusted, because it is read from the cookie. */
export const rememberedProvider = ({ baseUrl }: CookieParts, request: FastifyRequest) =>
  readCookie(request, baseUrl, providerCookie, providerPath)

const attemptCookie = '-attempt'
const attemptSeconds = 3_600 // how long a browser can prove that it started an attempt

/**
 * Sets a cookie that proves that this browser entered this account on this page. The account cannot be read
 * from the cookie.
 *
 * See docs/decisions/0055-payment-page.md.
 */
export function claimAttempt(
  parts: CookieParts,
  reply: FastifyReply,
  key: string,
  payer: PayersAccount,
): void {
  const rules = { sameSite: 'Lax', maxAgeSeconds: attemptSeconds, path: `/pay/${key}` } as const
  reply.header('set-cookie', cookie(parts.baseUrl, attemptCookie, proofOf(parts, key, payer), rules))
}

/**
 * Checks whether this browser entered the account. Others with the page's address learn nothing about the
 * account.
 */
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

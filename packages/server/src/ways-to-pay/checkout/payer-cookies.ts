import { fieldsOf, sameText } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookie, readCookie } from '../../platform/http/admission/cookies.ts'
import type { Seals } from '../../platform/seals.ts'
import { type Language, languageOf, languages } from './pages/language.ts'

// Cookies of payers. None of them identifies the payer, and the pages work without them.

type CookieParts = { baseUrl: string; seals: Seals }
type PayersAccount = { providerId: string; account: string | null }

const providerCookie = '-provider'
const providerPath = '/pay'
const providerSeconds = 180 * 86_400 // how long a browser remembers the last provider used by its payer

/**
 * Remembers the provider in a cookie, but not the number. If the phone is shared, the next payer merely sees
 * this provider listed first.
 */
export function rememberProvider({ baseUrl }: CookieParts, reply: FastifyReply, providerId: string): void {
  const rules = { sameSite: 'Lax', maxAgeSeconds: providerSeconds, path: providerPath } as const
  reply.header('set-cookie', cookie(baseUrl, providerCookie, providerId, rules))
}

/** Returns the remembered provider. It is untrusted, because it is read from a cookie. */
export const rememberedProvider = ({ baseUrl }: CookieParts, request: FastifyRequest) =>
  readCookie(request, baseUrl, providerCookie, providerPath)

const languageCookie = '-language'
const languageSeconds = 180 * 86_400 // how long a browser remembers the language that its payer chose

/** Returns the language chosen by the URL or on an earlier page, or else the one that the browser prefers. */
export function languageFor(parts: Pick<CookieParts, 'baseUrl'>, request: FastifyRequest): Language {
  const { language } = fieldsOf(request.query)
  const known = (text: unknown) => languages.find((each) => each === text)
  return (
    known(language) ??
    known(readCookie(request, parts.baseUrl, languageCookie)) ??
    languageOf(request.headers['accept-language'])
  )
}

/** Remembers the language if the payer chooses it with this request. */
export function rememberLanguage({ baseUrl }: Pick<CookieParts, 'baseUrl'>, reply: FastifyReply): void {
  const { language } = fieldsOf(reply.request.query)
  if (!languages.some((each) => each === language)) return
  const rules = { sameSite: 'Lax', maxAgeSeconds: languageSeconds } as const
  reply.header('set-cookie', cookie(baseUrl, languageCookie, `${language}`, rules))
}

const attemptCookie = '-attempt'
const attemptSeconds = 3_600 // how long a browser can prove that it started an attempt

/**
 * Sets a cookie that proves that this account was entered on this page in this browser. The account cannot be
 * derived from the cookie.
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
 * Returns whether the account was entered in this browser. Other people who know the URL of the page learn
 * nothing about the account.
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

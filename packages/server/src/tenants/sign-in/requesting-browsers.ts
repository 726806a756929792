import { randomBytes } from 'node:crypto'
import { durationMs } from '../../platform/duration.ts'
import { cookie, readCookie } from '../../platform/http/admission/cookies.ts'
import type { Browser } from '../../platform/http/admission/open-route.ts'
import type { Platform } from '../../platform/platform.ts'
import { hashSecret } from '../spaces/tokens.ts'

const cookieName = '-asked'
const secretBytes = 32
const rememberedMs = durationMs('1h') // how long a browser is remembered as the one that requested a sign-in link

type RequestingBrowserParts = Pick<Platform, 'baseUrl'>

/**
 * Marks the browser that requests a link, and returns the hash that is stored with the link. If the browser has
 * already been marked, the mark is kept.
 */
export function markRequestingBrowser(
  { baseUrl }: RequestingBrowserParts,
  { request, reply }: Browser,
): Buffer {
  const secret = secretIn(request, baseUrl) ?? randomBytes(secretBytes).toString('base64url')
  const rules = { sameSite: 'Strict', maxAgeSeconds: rememberedMs / 1_000 } as const
  reply.header('set-cookie', cookie(baseUrl, cookieName, secret, rules))
  return hashSecret(secret)
}

/** Returns whether this browser requested the link. */
export function isRequestingBrowser(
  { baseUrl }: RequestingBrowserParts,
  { request }: Browser,
  askedBy: Buffer,
): boolean {
  const secret = secretIn(request, baseUrl)
  return secret !== undefined && hashSecret(secret).equals(askedBy)
}

function secretIn(request: Browser['request'], baseUrl: string): string | undefined {
  const secret = readCookie(request, baseUrl, cookieName)
  return secret && /^[\w-]{43}$/.test(secret) ? secret : undefined
}

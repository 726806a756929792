import { cookie, readCookie } from '../../platform/http/admission/cookies.ts'
import type { Browser } from '../../platform/http/admission/open-route.ts'
import type { Platform } from '../../platform/platform.ts'

const purpose = 'known browser'
const cookieName = '-browser'
const maxAgeSeconds = 365 * 86_400 // how long a browser remembers the last user who signed in

type KnownBrowserParts = Pick<Platform, 'baseUrl' | 'seals'>

/**
 * Sets a cookie that marks the browser as the user's. The cookie does not sign the user in; it only
 * distinguishes the user's own browsers from others.
 */
export function rememberBrowser(
  { baseUrl, seals }: KnownBrowserParts,
  userId: string,
  { reply }: Browser,
): void {
  const value = seals.seal(purpose, userId)
  reply.header('set-cookie', cookie(baseUrl, cookieName, value, { sameSite: 'Strict', maxAgeSeconds }))
}

/** Returns the user who last signed in with this browser, or `undefined` if nobody has. */
export function lastUserIn({ baseUrl, seals }: KnownBrowserParts, { request }: Browser): string | undefined {
  const value = readCookie(request, baseUrl, cookieName)
  return value === undefined ? undefined : seals.open(purpose, value)
}

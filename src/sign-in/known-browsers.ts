import { cookie, readCookie } from '../platform/http/cookies.ts'
import type { Browser } from '../platform/http/open-route.ts'
import type { Platform } from '../platform/platform.ts'

const purpose = 'known browser'
const cookieName = '-browser'
const maxAgeSeconds = 365 * 86_400 // limit: how long a browser remembers who signed in with it last

type KnowingParts = Pick<Platform, 'baseUrl' | 'seals'>

/** From now on the browser shows whose it is. That signs nobody in: it sets a person's own browser apart from strangers'. */
export function knowBrowser({ baseUrl, seals }: KnowingParts, userId: string, { reply }: Browser): void {
  const value = seals.seal(purpose, userId)
  reply.header('set-cookie', cookie(baseUrl, cookieName, value, { sameSite: 'Strict', maxAgeSeconds }))
}

/** Who signed in with a browser last, if anybody did. */
export function ownerOf({ baseUrl, seals }: KnowingParts, { request }: Browser): string | undefined {
  const value = readCookie(request, baseUrl, cookieName)
  return value === undefined ? undefined : seals.open(purpose, value)
}

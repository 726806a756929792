import type { FastifyRequest } from 'fastify'

/** `path`: limits where the browser sends it; default: everywhere. */
type CookieRules = { sameSite: 'Lax' | 'Strict'; maxAgeSeconds?: number; path?: string }

/**
 * Builds a `Set-Cookie` value: sent to this origin only, unreadable by scripts. An empty value deletes the
 * cookie. `name` is appended to `pesewa`.
 */
export function cookie(baseUrl: string, name: string, value: string, rules: CookieRules): string {
  const maxAge = value === '' ? 0 : rules.maxAgeSeconds
  return [
    `${nameOf(baseUrl, name, rules.path)}=${value}`,
    `Path=${rules.path ?? '/'}`,
    'HttpOnly',
    `SameSite=${rules.sameSite}`,
    ...(isSecure(baseUrl) ? ['Secure'] : []),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
  ].join('; ')
}

export function readCookie(
  { headers }: Pick<FastifyRequest, 'headers'>,
  baseUrl: string,
  name: string,
  path?: string,
): string | undefined {
  const start = `${nameOf(baseUrl, name, path)}=`
  return headers.cookie
    ?.split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(start))
    ?.slice(start.length)
}

const isSecure = (baseUrl: string) => baseUrl.startsWith('https:')
/**
 * Over https, a `__Host-` cookie cannot be set by a sibling domain, but cannot have a path. `__Secure-` allows
 * a path and only guarantees https. Plain http supports neither.
 */
function nameOf(baseUrl: string, name: string, path = '/') {
  const prefix = path === '/' ? '__Host-' : '__Secure-'
  return `${isSecure(baseUrl) ? prefix : ''}pesewa${name}`
}

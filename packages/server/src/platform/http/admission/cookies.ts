import type { FastifyRequest } from 'fastify'

/**
 * `path` limits the URLs to which the browser sends the cookie. By default, the browser sends it to every URL
 * of the origin.
 */
type CookieRules = { sameSite: 'Lax' | 'Strict'; maxAgeSeconds?: number; path?: string }

/**
 * Returns the `Set-Cookie` value for a cookie that is sent only to this origin and cannot be read by scripts.
 * An empty value deletes the cookie. The name of the cookie is `pesewa` followed by `name`.
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
 * Returns the full name of a cookie. Over https, a sibling domain cannot set a `__Host-` cookie, but such a
 * cookie cannot have a path. The prefix `__Secure-` allows a path, but only guarantees https. Neither works
 * over plain http.
 */
function nameOf(baseUrl: string, name: string, path = '/') {
  const prefix = path === '/' ? '__Host-' : '__Secure-'
  return `${isSecure(baseUrl) ? prefix : ''}pesewa${name}`
}

import type { FastifyRequest } from 'fastify'

/** `path`: all that the browser sends it to, unless that is everything. */
type CookieRules = { sameSite: 'Lax' | 'Strict'; maxAgeSeconds?: number; path?: string }

/**
 * A cookie for the `Set-Cookie` header: the browser sends it to this origin only, and no script reads it. `''` as its value takes it away.
 * `name` continues `pesewa`.
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
 * A cookie of the prefix `__Host-` is one origin's own, over https: no sibling of its domain can put one there. It cannot be of a
 * path; `__Secure-` can, and came over https at least. Plain http has neither.
 */
function nameOf(baseUrl: string, name: string, path = '/') {
  const prefix = path === '/' ? '__Host-' : '__Secure-'
  return `${isSecure(baseUrl) ? prefix : ''}pesewa${name}`
}
